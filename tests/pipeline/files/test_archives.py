"""Archives as people keep them: what is a log in them is found, and what is not is reported."""

from pathlib import Path
from typing import Any

import pytest
from fakekafka.errors import UsageError
from fakekafka_spark import columns
from fakekafka_spark.files.layout import layout
from fakekafka_spark.files.storage import storage

from tests.pipeline.logs import batches, write_segment
from tests.support.rows_without_spark import audit_rows


def partitions(path: Path | str) -> list[str]:
    return [f"{one.topic}-{one.partition}" for one in layout(storage(str(path))).partitions]


def test_folders_with_dates_are_not_partitions(tmp_path: Path) -> None:
    write_segment(tmp_path / "archive" / "2024-01" / "tx-0", batches(1))
    write_segment(tmp_path / "archive" / "2024-02" / "broker-1" / "disk-2" / "orders-0", batches(1))
    assert partitions(tmp_path / "archive") == ["orders-0", "tx-0"]
    assert columns.table(tmp_path / "archive").num_rows == 20
    assert len(list(audit_rows(tmp_path / "archive"))) == 2


def test_a_partition_beside_a_folder_does_not_hide_it(tmp_path: Path) -> None:
    write_segment(tmp_path / "a-0", batches(1))
    write_segment(tmp_path / "disk1" / "b-0", batches(1))
    assert partitions(tmp_path) == ["a-0", "b-0"]


def test_a_partition_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    """It is named by itself, by a link, by a folder above it, and segment by segment."""
    folder = tmp_path / "logs" / "t-0"
    write_segment(folder, batches(2))
    write_segment(folder, batches(4)[2:], 20)
    (tmp_path / "link").symlink_to(tmp_path / "logs")
    one, other = sorted(folder.glob("*.log"))
    for path in ([folder, folder], [tmp_path / "link", tmp_path / "logs"], tmp_path, [folder, one],
                 f"{folder}/*.log", [other, one]):  # fmt: skip
        assert columns.table(path).num_rows == 40
        assert [row.segment for row in audit_rows(path)] == [0, 20]
    assert columns.table([other, other]).num_rows == 20


@pytest.mark.parametrize("none", [{"topics": []}, {"partitions": []}])
def test_a_selection_of_nothing_is_refused(tmp_path: Path, none: dict[str, Any]) -> None:
    write_segment(tmp_path / "t-0", batches(1))
    with pytest.raises(UsageError, match="leave it out for all"):
        columns.table(tmp_path, **none)


def test_replicas_are_audited_side_by_side(tmp_path: Path) -> None:
    for broker in ("broker-0", "broker-1"):
        write_segment(tmp_path / broker / "t-0", batches(1))
    assert [Path(row.directory).parent.name for row in audit_rows(tmp_path)] == ["broker-0", "broker-1"]
    with pytest.raises(UsageError, match="are replicas"):
        columns.table(tmp_path)


@pytest.mark.parametrize("name", ["a folder", "ä ö 漢字", "100%20", "a+b&c=d", "x[1]"])
def test_folders_may_have_any_name(tmp_path: Path, name: str) -> None:
    write_segment(tmp_path / name / "t-0", batches(1))
    assert columns.table(tmp_path / name).num_rows == 10
    assert columns.table((tmp_path / name).as_uri()).num_rows == 10


def test_a_file_url_may_have_one_slash(tmp_path: Path) -> None:
    write_segment(tmp_path / "a b" / "t-0", batches(1))
    assert columns.table(f"file:{tmp_path}/a%20b").num_rows == 10


def test_globs_name_several_places(tmp_path: Path) -> None:
    for month in ("2024-01", "2024-02", "2025-01"):
        write_segment(tmp_path / month / f"t-{month[3]}{month[-1]}", batches(1))
    assert columns.table(f"{tmp_path}/2024-*").num_rows == 20
    assert columns.table(f"file://{tmp_path}/2024-*").num_rows == 20
    assert columns.table(f"{tmp_path}/202[45]-01/*").num_rows == 20
    with pytest.raises(UsageError, match="nothing matches"):
        columns.table(f"{tmp_path}/2023-*")


def test_symbolic_links_are_followed_but_not_for_ever(tmp_path: Path) -> None:
    write_segment(tmp_path / "real" / "t-0", batches(1))
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "t-0").symlink_to(tmp_path / "real" / "t-0")
    assert columns.table(tmp_path / "logs").num_rows == 10
    (tmp_path / "real" / "round").symlink_to(tmp_path / "real")
    assert partitions(tmp_path / "real") == ["t-0"]


def test_what_is_skipped_is_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write_segment(tmp_path / "t-0", batches(1))
    write_segment(tmp_path / "notes", batches(1))
    write_segment(tmp_path / "t-99999999999", batches(1))
    (tmp_path / "t-7").mkdir()
    write_segment(tmp_path / f"t-1.{'0' * 32}-delete", batches(1))
    write_segment(tmp_path / "_temporary" / "run" / "t-5", batches(1))
    assert columns.table(tmp_path).num_rows == 10
    told = {line.getMessage().split("/")[-1].split(" ")[0] for line in caplog.records}
    assert told == {"notes", "t-99999999999", "t-7", f"t-1.{'0' * 32}-delete", "_temporary"}


@pytest.mark.parametrize(("how", "match"), [
    ({"topics": ["t", "nothing"]}, "there is no topic nothing"),
    ({"partitions": [0, 9]}, "there is no partition 9"),
    ({"topics": "other"}, "there is no topic other"),
])  # fmt: skip
def test_a_selection_of_what_is_not_there_is_refused(tmp_path: Path, how: dict[str, Any], match: str) -> None:
    write_segment(tmp_path / "t-0", batches(1))
    with pytest.raises(UsageError, match=match):
        columns.table(tmp_path, **how)


def test_a_single_topic_may_be_given_as_a_string(tmp_path: Path) -> None:
    write_segment(tmp_path / "tx-0", batches(1))
    assert columns.table(tmp_path, topics="tx").num_rows == 10
    assert columns.table(tmp_path, partitions=0).num_rows == 10
