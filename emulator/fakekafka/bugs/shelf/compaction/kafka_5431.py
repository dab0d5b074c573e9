"""KAFKA-5431: cleaned segments of preallocated logs end in zeros."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records

BUG = Bug(
    id="KAFKA-5431",
    title="cleaned segments of preallocated logs end in zeros",
    part="compaction",
    kind="bug",
    releases="0.9.0.0 - 0.11.0.0",
    clients=("kafka-clients",),
    symptom=(
        "Found record size 0 smaller than minimum record overhead; CorruptRecordException after compaction with"
        " preallocate; group coordinator cannot load; cleaner died"
    ),
    cause=(
        "With log.preallocate a new segment is a file of full size. After compaction it is not cut to what was"
        " written, so readers meet zeros after the last record."
    ),
    remedy="Set preallocate=false for compacted topics; upgrade to 0.11.0.1.",
    sources=("KAFKA-5431", "KAFKA-5582"),
    affected=Side("0.11.0.0"),
    cured=Side("0.11.0.1"),
    story_on="0.11.0.0",
    elsewhere=(
        "up to 0.10.2 the zeros are cut off when the broker stops, and the story looks at the files of one that was"
        " stopped"
    ),
    sees={"zeros after the last record": (True, False)},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact", preallocate="true", segment_bytes=10_000)
    play.produce(play.set_of(records()), 3)
    play.produce(play.set_of(records(1, keys=[b"k0"])), 3)
    play.compact()
    play.see("zeros after the last record", (play.file("t-0/00000000000000000000.log") or b"").endswith(bytes(1000)))
