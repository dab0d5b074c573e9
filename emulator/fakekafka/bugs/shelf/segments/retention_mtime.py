"""RETENTION-MTIME: retention depends on the modification times of files."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import NOW, records

BUG = Bug(
    id="RETENTION-MTIME",
    title="retention depends on the modification times of files",
    part="segments",
    kind="era",
    releases="0.8.0 - 0.10.0.1",
    clients=("operators",),
    symptom=(
        "data outlives retention after a restore or a copy; or all of it is deleted at once after the files were"
        " copied; retention deletes everything after a restart; data deleted too early"
    ),
    cause=(
        "Up to 0.10.0 the age of a segment is that of its file. Touching or copying files makes them young or"
        " old. From 0.10.1 on the largest timestamp counts, if there is one."
    ),
    remedy="Copy with times preserved; upgrade to 0.10.1 and let producers write timestamps.",
    sources=("KIP-33", "KAFKA-3802", "recorded from 0.8.2.2 to 4.3.1: storage_roll rtime, rmt"),
    affected=Side("0.10.0.1"),
    cured=Side("0.10.1.1"),
    story_on="0.8.1.0 - 0.10.0.1",
    elsewhere="0.8.0 has no configs of topics",
    sees={"first offset of year-old records after ten minutes": (0, 9)},
)


def story(play: Play) -> None:
    play.topic(retention_ms=86_400_000, segment_bytes=200)
    year = 365 * 86_400_000
    for _ in range(3):
        play.produce(play.set_of(records(time=NOW - year, value=b"v" * 30)), 2)
    play.tell("records of last year arrive by mirroring; ten minutes pass")
    play.advance(600_000)
    play.see("first offset of year-old records after ten minutes", _earliest(play))


def _earliest(play: Play) -> int:
    """The earliest offset by ListOffsets 0, which both releases have."""
    parts = [{"partition_index": 0, "timestamp": -2, "max_num_offsets": 1}]
    answer = play.call("ListOffsets", 0, replica_id=-1, topics=[{"name": "t", "partitions": parts}])
    return int(answer.topics[0].partitions[0].old_style_offsets[0])
