"""Splits: no byte of a log is read to make them, and they leave out what no query can want."""

from itertools import accumulate, pairwise
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


def test_a_time_index_leaves_out_older_units(tmp_path: Path) -> None:
    units = batches(100)
    write_segment(tmp_path / "t-0", units)
    write_index(tmp_path / "t-0", units)
    entries = [(FIRST_MS + 1000 * (10 * n + 9), 10 * n + 9) for n in range(0, 100, 5)]
    data = b"".join(time.to_bytes(8, "big") + offset.to_bytes(4, "big") for time, offset in entries)
    (tmp_path / "t-0" / "00000000000000000000.timeindex").write_bytes(data)
    (split,) = splits(tmp_path, startingTimestamp=str(FIRST_MS + 800_000))
    assert split.start > 70 * len(units[0])


def test_a_small_segment_is_planned_without_reading_its_index(tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", [v2.build([Record(0, 0, 0, None, b"")])])
    (tmp_path / "t-0" / "00000000000000000000.index").mkdir()
    assert len(splits(tmp_path)) == 1


def test_older_segments_are_cut_without_reading_their_indexes(tmp_path: Path) -> None:
    """The tasks find the units after round positions; together they have every unit once."""
    units = batches(20)
    for base in (0, 200):
        write_segment(tmp_path / "t-0", batches(20, start=base), base=base)
    index = write_index(tmp_path / "t-0", units, every=3)
    sound = index.read_bytes()
    (located,) = plan.located([str(tmp_path)], {}, Query.of({}))
    for content in (sound, b"", b"\xff" * 40, None):
        index.unlink(missing_ok=True) if content is None else index.write_bytes(content)
        found = [split for split in splits(tmp_path, splitBytes="500") if split.segment.base_offset == 0]
        assert all(split.is_rough for split in found) is (content is not None) or len(found) == 1
        edges = [one for split in found if (one := plan.exact(located.storage, split)) is not None]
        assert edges[0].start == 0
        assert edges[-1].end == sum(map(len, units))
        assert all(before.end == after.start for before, after in pairwise(edges))
        assert {split.start for split in edges} <= {0, *accumulate(map(len, units))}


def test_a_petabyte_is_planned_in_larger_parts() -> None:
    assert plan.paced(Query.of({}), 1 << 40) == Query.of({})
    assert plan.paced(Query.of({}), 1 << 50).split_bytes == -(-(1 << 50) // plan.MOST_TASKS)
    chosen = Query.of({"splitBytes": "1000"})
    assert plan.paced(chosen, 1 << 50) == chosen
