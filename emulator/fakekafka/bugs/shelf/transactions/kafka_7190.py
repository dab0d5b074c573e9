"""KAFKA-7190: a producer is forgotten when its records are deleted."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-7190",
    title="a producer is forgotten when its records are deleted",
    part="transactions",
    kind="bug",
    releases="0.11.0.0 - 2.3.1",
    clients=("kafka-clients >=0.11.0", "kafka-streams"),
    symptom=(
        "UNKNOWN_PRODUCER_ID in kafka streams on repartition topics; UnknownProducerIdException with short retention"
    ),
    cause=(
        "Streams deletes what it has read, so that the log holds nothing of the producer, and its state goes with it."
    ),
    remedy="Upgrade brokers to 2.4.",
    sources=("KAFKA-7190", "behaviour log.producers_below_log_start"),
    shown="not",
    unshown=(
        "its story is not written; the behaviour log.producers_below_log_start plays it, and that one's tests"
        " show both sides"
    ),
)
