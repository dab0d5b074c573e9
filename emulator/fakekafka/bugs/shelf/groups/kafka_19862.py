"""KAFKA-19862: the new coordinator fails when it loads while its log is compacted."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-19862",
    title="the new coordinator fails when it loads while its log is compacted",
    part="groups",
    kind="fault",
    releases="4.0.0 - 4.1.1",
    clients=("kafka-clients >=4.0.0",),
    symptom=(
        "IllegalStateException in the group coordinator at load; groups of KIP-848 unavailable after a broker restart"
    ),
    cause=(
        "Records of a consumer group are read while the cleaner removes some of them: a later one refers to an"
        " earlier one that is gone."
    ),
    remedy="Upgrade to 4.0.2, 4.1.2 or 4.2.",
    sources=("KAFKA-19862", "KAFKA-19760"),
    shown="not",
    unshown="it is a race of the cleaner with loading; the double does one after the other",
)
