"""KAFKA-6975: a log that begins within a batch cannot be replicated."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="KAFKA-6975",
    title="a log that begins within a batch cannot be replicated",
    part="fetch",
    kind="bug",
    releases="0.11.0.0 - 1.0.1, 1.1.0",
    clients=("kafka-clients >=0.11.0",),
    symptom=(
        "follower never comes back into the ISR after DeleteRecords; Out of order offsets found in append;"
        " OffsetOutOfRange in ReplicaFetcherThread"
    ),
    cause=(
        "DeleteRecords moves the log's start into a batch. A follower that starts there gets the whole batch,"
        " whose first offset lies before its own start, and its append fails."
    ),
    remedy="Delete records at the border of a batch, or upgrade to 1.0.2, 1.1.1 or 2.0.0.",
    sources=("KAFKA-6975", "Log.scala of 0.11.0, 1.0.0, 1.1.0 and 1.1.1", "behaviour log.copied_batch"),
    shown="by what a reader computes",
    affected=Side("1.1.0", reader="a follower of 1.1.0"),
    cured=Side("1.1.0", reader="a follower of 1.1.1"),
    no_client="a follower misbehaves, which is a broker",
    sees={"the follower's append at its log start": ("refused", "done")},
)


def story(play: Play) -> None:
    play.topic()
    play.produce(batch(), 5)
    play.delete_records(1)
    play.tell("the log begins at 1, within a batch; a new follower asks for it from there on")
    (first, *_) = play.fetch(1, 5).units
    compared = first.base_offset if play.side.reader == "a follower of 1.1.0" else first.last_offset
    play.see("the follower's append at its log start", "done" if compared >= 1 else "refused")
