"""KAFKA-4734: the upgrade to 0.10.1 leaves a time index of full size at each old segment."""

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
        "Old segments have no time index. 0.10.1 makes one of log.index.size.max.bytes for each, full of zeros,"
        " and does not trim it while it runs. A clean stop trims it, a crash does not."
    ),
    remedy="Upgrade to 0.10.2 directly; or make room for 10 MB per segment, and stop cleanly.",
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
