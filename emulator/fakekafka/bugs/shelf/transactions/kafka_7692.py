"""KAFKA-7692: sequences that start again at 0 are remembered wrongly."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-7692",
    title="sequences that start over at 0 are remembered wrongly",
    part="transactions",
    kind="bug",
    releases="0.11.0.0 - 2.1.0",
    clients=("librdkafka >=1.0.0", "kafka-clients >=0.11.0"),
    symptom=(
        "OUT_OF_ORDER_SEQUENCE_NUMBER after 2 billion records of one producer; long running idempotent producer fails"
    ),
    cause=(
        "In the middle of a batch, sequences go from 2147483647 to 0. Its length is remembered as the difference"
        " of its sequences, so offsets of duplicates are computed wrongly."
    ),
    remedy="Upgrade to 2.1.1; restart the producer.",
    sources=("KAFKA-7692", "ProducerStateManager of 2.1.0 and 2.1.1"),
    shown="not",
    unshown="it takes two billion records of one producer: brokers refuse a sequence that does not follow",
)
