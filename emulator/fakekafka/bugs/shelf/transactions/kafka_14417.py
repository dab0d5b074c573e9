"""KAFKA-14417: InitProducerId answers with a timeout, which producers treat as fatal."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-14417",
    title="InitProducerId answers with a timeout, which producers treat as fatal",
    part="transactions",
    kind="bug",
    releases="3.1.0 - 3.3.1",
    clients=("kafka-clients >=0.11.0",),
    symptom=(
        "TimeoutException, fatal, from an idempotent producer at start; REQUEST_TIMED_OUT on InitProducerId; The"
        " producer closed"
    ),
    cause=(
        "The controller is slow to hand out a block of producer ids. The broker passes REQUEST_TIMED_OUT (7) on,"
        " which is not an error that a producer retries."
    ),
    remedy="Upgrade to 3.3.2, which answers 14; restart the producer.",
    sources=("KAFKA-14417", "RPCProducerIdManager"),
    shown="not",
    unshown="the cluster here is its own controller and has ids at once, as explain() says",
)
