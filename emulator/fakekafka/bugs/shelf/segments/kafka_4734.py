"""KAFKA-4734: the upgrade to 0.10.1 leaves a time index of full size beside each old segment."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records, unit

BUG = Bug(
    id="KAFKA-4734",
    title="the upgrade to 0.10.1 leaves a time index of full size beside each old segment",
    part="segments",
    kind="bug",
    releases="0.10.1.0 - 0.10.1.1",
    clients=("operators",),
    symptom=(
        "disk full after the upgrade to 0.10.1; timeindex files of 10 MB for every segment; slow start; 10485756"
        " bytes of zeros; broker start takes long"
    ),
    cause=(
        "Segments from before 0.10.1 have no time index. 0.10.1 gives each of them one of log.index.size.max.bytes,"
        " filled with zeros, which is trimmed only by a clean stop: not while the broker runs, and not by a crash."
    ),
    remedy="Upgrade to 0.10.2 directly; or have 10 MiB of free disk for each segment, and stop the broker cleanly.",
    sources=("KAFKA-4734", "recorded from 0.10.0.1 to 0.10.1.1: time_index_migration"),
    affected=Side("0.10.1.1", begins="0.10.0.1", config={"log.index.size.max.bytes": 12000}),
    cured=Side("0.10.2.2", begins="0.10.0.1", config={"log.index.size.max.bytes": 12000}),
    sees={"bytes of the old segment's time index while the broker runs": (12000, 0)},
)


def story(play: Play) -> None:
    play.topic(segment_bytes=200)
    for _ in range(2):
        play.produce(unit(1, records(value=b"v" * 30)), 2)
    play.restart(play.side.release)
    time_index = play.file("t-0/00000000000000000000.timeindex")
    play.see("bytes of the old segment's time index while the broker runs", len(time_index or b""))
