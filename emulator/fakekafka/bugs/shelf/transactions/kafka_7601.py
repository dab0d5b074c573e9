"""KAFKA-7601: old messages leave stale leader epochs in place."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-7601",
    title="old messages leave stale leader epochs in place",
    part="transactions",
    kind="bug",
    releases="0.11.0.0 - 2.2.0",
    clients=("followers",),
    symptom=(
        "truncation to a wrong offset with message.format.version below 0.11; replicas diverge after a mixed upgrade"
    ),
    cause=(
        "Epochs of format 2 stay in the cache when messages of format 1 follow them, and end offsets are computed"
        " from them."
    ),
    remedy="Raise the message format everywhere; upgrade to 2.2.1.",
    sources=("KAFKA-7601", "apache/kafka commit 8d6e2a2aac9", "behaviour log.old_format_clears_epochs"),
    shown="not",
    unshown=("only a follower appends messages that are older than its topic's format, and a story has one broker"),
)
