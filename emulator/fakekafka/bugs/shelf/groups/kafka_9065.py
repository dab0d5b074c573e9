"""KAFKA-9065: a coordinator loads for ever if the offsets log ends in a gap."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-9065",
    title="a coordinator loads for ever if the offsets log ends in a gap",
    part="groups",
    kind="bug",
    releases="0.8.2.0 - 2.4.0",
    clients=("any consumer group",),
    symptom=(
        "COORDINATOR_LOAD_IN_PROGRESS 14 for ever; groups of one partition of __consumer_offsets cannot join"
        " after a restart"
    ),
    cause=(
        "Loading reads until the position reaches the log's end. If the last batches were compacted away, no read"
        " gets there, and loading never ends."
    ),
    remedy="Write to the partition (a commit of another group does), or upgrade to 2.4.1.",
    sources=("KAFKA-9065",),
    shown="not",
    unshown="the gap at the very end needs a log that was cut after compaction, which stories cannot leave",
)
