"""KAFKA-7215: one failure stops the cleaner for all logs."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records
from fakekafka.ids import TopicName

BUG = Bug(
    id="KAFKA-7215",
    title="one failure stops the cleaner for all logs",
    part="compaction",
    kind="era",
    releases="0.8.1.0 - 2.0.1",
    clients=("any consumer of compacted topics",),
    symptom="all compaction stopped because of one partition; log-cleaner thread is gone; __consumer_offsets grows",
    cause="Any error in one partition ends the thread of the cleaner until the broker starts again.",
    remedy="Restart; upgrade to 2.1, which leaves out only that partition.",
    sources=("KAFKA-7215", "apache/kafka commit 07c5282d25c", "behaviour cleaner.failure"),
    affected=Side("2.0.1"),
    cured=Side("2.1.0"),
    sees={
        "passes over a damaged log and over another": (
            ["the cleaner stops", "the cleaner stops"],
            ["the cleaner stops", "done"],
        )
    },
)


def story(play: Play) -> None:
    play.topic("good", cleanup_policy="compact", segment_bytes=150)
    _produce(play, "good", 3)
    play.compact("good")
    _produce(play, "good", 1)
    play.topic("t", cleanup_policy="compact", segment_bytes=150)
    _produce(play, "t", 3)
    play.tell("t is dirtier than the other log, so that the cleaner takes it first")
    play.tell("a segment of t is damaged on disk: the size of its batch is nonsense")
    first = "t-0/00000000000000000000.log"
    damaged = bytearray(play.file(first) or b"")
    damaged[8:12] = b"\x00\xff\xff\xff"
    play.edit({first: bytes(damaged)})
    play.see("passes over a damaged log and over another", [play.compact(), play.compact("good")])


def _produce(play: Play, topic: TopicName, times: int) -> None:
    for _ in range(times):
        play.produce(play.set_of(records(1, keys=[b"a"], value=b"v" * 60)), 6, topic=topic)
