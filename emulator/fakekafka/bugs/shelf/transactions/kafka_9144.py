"""KAFKA-9144: a marker does not keep its producer alive."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-9144",
    title="a marker does not keep its producer alive",
    part="transactions",
    kind="bug",
    releases="0.11.0.0 - 2.4.0",
    clients=("kafka-clients >=0.11.0",),
    symptom=(
        "producer state expires right after a transaction was aborted by timeout; coordinator epoch goes"
        " backwards; broker fails to load a partition; ProducerFencedException at start"
    ),
    cause=(
        "The age of a producer is that of its last data. A marker that comes long after it does not count, so"
        " the state goes at once, and with it the coordinator's epoch."
    ),
    remedy="Upgrade to 2.4.1 or 2.5.",
    sources=("KAFKA-9144", "recorded from 2.3.1 and 2.5.1: storage_producer_state"),
    shown="not",
    unshown=(
        "what a client can see of it, an older coordinator's epoch, needs two coordinators; the files are in the"
        " recordings of storage_producer_state"
    ),
)
