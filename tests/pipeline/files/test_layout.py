from pathlib import Path

import pytest
from fakekafka.errors import UsageError
from fakekafka_spark import columns
from fakekafka_spark.files.layout import partitions
from fakekafka_spark.files.storage import storage

from tests.pipeline.logs import batches, write_segment


def names(path: Path) -> list[str]:
    return [f"{one.topic}-{one.partition}" for one in partitions(storage(str(path)))]


def test_a_log_directory_a_partition_and_a_segment_are_found(tmp_path: Path) -> None:
    write_segment(tmp_path / "b-1", batches(1))
    log = write_segment(tmp_path / "b-1", batches(1, start=10), base=10)
    write_segment(tmp_path / "a.b_c-0", batches(1))
    assert names(tmp_path) == ["a.b_c-0", "b-1"]
    assert names(tmp_path / "b-1") == ["b-1"]
    (one,) = partitions(storage(str(log)))
    assert [(segment.base_offset, segment.is_last) for segment in one.segments] == [(10, True)]


def test_directories_of_several_disks_are_found_one_level_deeper(tmp_path: Path) -> None:
    write_segment(tmp_path / "disk1" / "t-0", batches(1))
    write_segment(tmp_path / "disk2" / "t-1", batches(1))
    assert names(tmp_path) == ["t-0", "t-1"]


def test_two_replicas_of_a_partition_are_refused(tmp_path: Path) -> None:
    write_segment(tmp_path / "broker1" / "t-0", batches(1))
    write_segment(tmp_path / "broker2" / "t-0", batches(1))
    with pytest.raises(UsageError, match="are replicas: load the log directory of one broker"):
        columns.table(tmp_path)


def test_what_is_being_deleted_or_swapped_is_not_part_of_a_log(tmp_path: Path) -> None:
    log = write_segment(tmp_path / "t-0", batches(1))
    for suffix in (".deleted", ".cleaned", ".swap"):
        log.with_name(log.name + suffix).write_bytes(b"x")
    write_segment(tmp_path / f"t-1.{'0' * 32}-delete", batches(1))
    assert names(tmp_path) == ["t-0"]
    assert columns.table(tmp_path).num_rows == 10


@pytest.mark.parametrize(("place", "match"), [("", "holds no partition"), ("missing", "does not exist")])
def test_a_path_without_partitions_is_refused_with_what_to_give_instead(tmp_path: Path, place: str, match: str) -> None:
    with pytest.raises(UsageError, match=match):
        names(tmp_path / place)


def test_a_file_that_is_not_a_segment_is_refused(tmp_path: Path) -> None:
    (tmp_path / "server.log").write_text("INFO started", "utf-8")
    with pytest.raises(UsageError, match="is not a segment"):
        names(tmp_path / "server.log")
