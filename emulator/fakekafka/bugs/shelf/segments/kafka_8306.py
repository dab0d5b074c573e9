"""KAFKA-8306: a log without segments begins at 0 instead of where it ended."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-8306",
    title="a log without segments begins at 0 instead of where it ended",
    part="segments",
    kind="bug",
    releases="0.8.0 - 2.2.0",
    clients=("followers", "any consumer"),
    symptom=(
        "offsets start again at 0 after a segment was lost; log start offset larger than log end offset;"
        " OffsetOutOfRange after restart"
    ),
    cause="A partition whose files are gone, or end below the checkpointed start, starts over at 0.",
    remedy="Upgrade to 2.2.1.",
    sources=("KAFKA-8306", "behaviour log.new_log_at_checkpoint"),
    shown="not",
    unshown=(
        "its story is not written; the behaviour log.new_log_at_checkpoint plays it, and that one's tests show"
        " both sides"
    ),
)
