"""KAFKA-14694: InitProducerId waits for the controller."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-14694",
    title="InitProducerId waits for the controller",
    part="transactions",
    kind="bug",
    releases="3.0.0 - 3.5.2",
    clients=("kafka-clients >=0.11.0",),
    symptom=(
        "InitProducerId times out at start of a KRaft cluster; request handler threads blocked; producers hang"
        " when they begin"
    ),
    cause="The request's thread waits for a block of producer ids. From 3.6 on the broker answers 14 in the meantime.",
    remedy="Upgrade to 3.6.",
    sources=(
        "KAFKA-14694",
        "apache/kafka#13267",
        "apache/kafka commit 1dbcb7da9e3",
        "behaviour transactions.first_producer_id",
    ),
    shown="not",
    unshown=("the controller hands out the first block of ids before the first request can arrive, as explain() says"),
)
