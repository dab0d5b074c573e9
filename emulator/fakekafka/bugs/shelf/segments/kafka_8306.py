"""KAFKA-8306: a log without segments begins at 0 instead of where it ended."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

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
    sources=("KAFKA-8306", "apache/kafka commit f000dab5442", "behaviour log.new_log_at_checkpoint"),
    affected=Side("2.2.0"),
    cured=Side("2.2.1"),
    story_on="0.11.0.0 - 2.2.0",
    elsewhere="the story deletes records, which came with 0.11",
    sees={"the next record's offset": (0, 5)},
)


def story(play: Play) -> None:
    play.topic()
    play.produce(batch(records(5)), 7)
    play.delete_records(5)
    play.restart()
    play.tell("the partition's files are lost; the checkpoint says that its log begins at 5")
    lost = dict.fromkeys(play.stage.files("t-0/"))
    play.edit(lost)
    play.see("the next record's offset", play.produce(batch(records(1)), 7).offset)
