"""Splits: no byte of a log is read for them, and what cannot be wanted is not in them."""

from pathlib import Path

from fakekafka.records import v2
from fakekafka.records.record import Record
from fakekafka_spark.files import plan
from fakekafka_spark.files.split import Split
from fakekafka_spark.query import Query

from tests.pipeline.logs import FIRST_MS, batches, write_index, write_segment


def splits(path: Path, **options: str) -> list[Split]:
    query = Query.of(options)
    return [
        split
        for _, place, partition in plan.located([str(path)], options, query)
        for split in plan.of_partition(place, partition, query)
    ]


def test_splits_begin_and_end_where_index_entries_point(tmp_path: Path) -> None:
    units = batches(20)
    write_segment(tmp_path / "t-0", units)
    write_index(tmp_path / "t-0", units, every=3)
    size = len(units[0])
    found = splits(tmp_path, splitBytes=str(5 * size))
    edges = [split.start for split in found]
    starts = {sum(map(len, units[:n])) for n in range(0, 20, 3)}
    assert len(found) > 2
    assert set(edges) <= starts
    assert [split.end for split in found] == [*edges[1:], sum(map(len, units))]


def test_ten_records_of_many_are_in_a_small_split(tmp_path: Path) -> None:
    units = batches(1000)
    write_segment(tmp_path / "t-0", units)
    write_index(tmp_path / "t-0", units, every=4)
    (split,) = splits(tmp_path, startingOffsets="5000", endingOffsets="5010")
    assert split.end - split.start <= 10 * len(units[500])


def test_segments_outside_of_the_bounds_are_left_out(tmp_path: Path) -> None:
    for base in (0, 20, 40):
        write_segment(tmp_path / "t-0", batches(2, start=base), base=base)
    found = splits(tmp_path, startingOffsets="25", endingOffsets="40")
    assert [split.place.segment for split in found] == [20]


def test_a_time_index_spares_what_is_older(tmp_path: Path) -> None:
    units = batches(100)
    write_segment(tmp_path / "t-0", units)
    write_index(tmp_path / "t-0", units)
    entries = [(FIRST_MS + 1000 * (10 * n + 9), 10 * n + 9) for n in range(0, 100, 5)]
    data = b"".join(time.to_bytes(8, "big") + offset.to_bytes(4, "big") for time, offset in entries)
    (tmp_path / "t-0" / "00000000000000000000.timeindex").write_bytes(data)
    (split,) = splits(tmp_path, startingTimestamp=str(FIRST_MS + 800_000))
    assert split.start > 70 * len(units[0])


def test_a_small_segment_is_planned_without_looking_into_its_index(tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", [v2.build([Record(0, 0, 0, None, b"")])])
    (tmp_path / "t-0" / "00000000000000000000.index").mkdir()
    assert len(splits(tmp_path)) == 1
