"""KAFKA-7286: a group whose metadata is larger than the load buffer is never loaded."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-7286",
    title="a group whose metadata is larger than the load buffer is never loaded",
    part="groups",
    kind="bug",
    releases="0.8.2.0 - 2.0.0",
    clients=("any large consumer group",),
    symptom=(
        "COORDINATOR_LOAD_IN_PROGRESS for ever after a restart; very large consumer group; metadata record"
        " larger than 5 MB"
    ),
    cause=(
        "The portion in which groups are loaded does not grow for a record that is larger, so that the same"
        " bytes are read again and again."
    ),
    remedy="A larger offsets.load.buffer.size; upgrade to 2.0.1.",
    sources=("KAFKA-7286",),
    shown="not",
    unshown="the double loads a partition in one go in every release",
)
