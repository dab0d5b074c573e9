"""KAFKA-8542: a refused batch rolls the segment."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="KAFKA-8542",
    title="a refused batch rolls the segment",
    part="segments",
    kind="bug",
    releases="2.4.0 -",
    clients=("kafka-clients >=0.11.0",),
    symptom=(
        "empty or tiny segments appear; segments roll though nothing was appended; duplicates of an idempotent"
        " producer roll the log"
    ),
    cause=(
        "Whether a segment must end is decided before the producer's sequence is checked, so that a duplicate or"
        " a refused batch rolls it."
    ),
    remedy="Harmless except for the number of files.",
    sources=("KAFKA-8542", "apache/kafka commit 53b837f9c60", "behaviour log.roll_before_producer_check"),
    affected=Side("2.4.1"),
    cured=Side("2.3.1"),
    story_on="2.4.0 - 4.0.2",
    elsewhere="from 4.1 on a segment has at least 1 MiB",
    sees={"segments after a duplicate": (2, 1)},
)


def story(play: Play) -> None:
    producer = play.producer_id()
    play.topic(segment_bytes=250)
    first = batch(producer=producer)
    play.produce(first, 7)
    play.produce(batch(producer=producer, sequence=3), 7)
    play.tell("the segment has room for two batches; the second is sent again")
    play.produce(batch(producer=producer, sequence=3), 7)
    play.see("segments after a duplicate", len(play.files("t-0/", ".log")))
