"""KAFKA-7283: indexes are no longer checked at startup."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KAFKA-7283",
    title="indexes are no longer checked at startup",
    part="segments",
    kind="era",
    releases="2.3.0 -",
    clients=("operators",),
    symptom=(
        "corrupt index is used silently; consumer gets wrong offsets after a crash; broker starts faster but"
        " finds nothing with offsetsForTimes"
    ),
    cause="To start sooner, brokers check indexes only when they are first used, and after a clean stop not at all.",
    remedy="Delete the index files of the partition: they are built again at the next start.",
    sources=("KAFKA-7283", "apache/kafka commit 2932d32afb2", "behaviour log.index_check"),
    affected=Side("2.3.1"),
    cured=Side("2.2.2"),
    story_on="2.3.0 - 4.0.2",
    elsewhere="from 4.1 on a segment has at least 1 MiB",
    sees={"the damaged index after the start": ("as it was damaged", "made anew")},
)


def story(play: Play) -> None:
    play.topic(segment_bytes=2000, index_interval_bytes=1)
    for _ in range(40):
        play.produce(batch(records(1)), 7)
    play.tell("the index of an old segment has five bytes too many")
    name = min(play.files("t-0/", ".index"))
    damaged = (play.file(name) or b"") + b"\xff" * 5
    play.edit({name: damaged})
    play.see("the damaged index after the start", "as it was damaged" if play.file(name) == damaged else "made anew")
