"""KAFKA-5600: older commits win where a partition of the offsets topic is larger than the load buffer."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-5600",
    title="older commits win where a partition of offsets is larger than the load buffer",
    part="groups",
    kind="bug",
    releases="0.11.0.0",
    clients=("any consumer group",),
    symptom=(
        "consumers rewind after a broker restart; committed offset goes back; duplicates after restart of 0.11.0.0"
    ),
    cause=(
        "Offsets are loaded in portions of offsets.load.buffer.size. Those that an earlier portion removed come"
        " back with a later one, and older values replace newer ones."
    ),
    remedy="Upgrade to 0.11.0.1; a larger offsets.load.buffer.size.",
    sources=("KAFKA-5600",),
    shown="not",
    unshown=(
        "the double loads a partition in one go in every release; which commits survive in 0.11.0.0 was not recorded"
    ),
)
