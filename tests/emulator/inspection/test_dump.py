"""Dumps of files that real brokers left, and of damaged ones."""

import json
from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.inspection.dump import CHECKPOINTS, PROPERTIES, dump
from fakekafka.inspection.row import Row
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.golden.transcript import load_data_directory, releases_with_data

KNOWN = (".log", ".index", ".timeindex", ".txnindex", ".snapshot", ".checkpoint")
NAMES = st.sampled_from([f"00000000000000000007{kind}" for kind in KNOWN] + [*CHECKPOINTS, *PROPERTIES])


def laid_out(release: str, folder: Path) -> list[Path]:
    """The files that a real broker of `release` left, put into `folder`."""
    paths = []
    for file in load_data_directory(release).files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
        if path.name.endswith(KNOWN) or path.name in (*CHECKPOINTS, *PROPERTIES):
            paths.append(path)
    return paths


@pytest.mark.parametrize("release", releases_with_data())
def test_everything_that_a_real_broker_left_can_be_read(release: str, tmp_path: Path) -> None:
    for path in laid_out(release, tmp_path):
        rows = list(dump(path))
        assert [row for row in rows if row.kind == "broken"] == [], path
        assert all(row.fields["crcOk"] for row in rows if row.kind == "batch")


@pytest.mark.parametrize("release", releases_with_data())
def test_every_record_of_an_internal_topic_has_a_meaning(release: str, tmp_path: Path) -> None:
    records = [
        row
        for path in laid_out(release, tmp_path)
        if path.name.endswith(".log") and path.parent.name.startswith("__")
        for row in dump(path)
        if row.kind == "record"
    ]
    for row in records:
        told = row.fields["value"] if "__cluster_metadata" in str(row) else row.fields["key"]
        assert isinstance(told, dict), row
    assert records or release < "0.9"


def test_a_commit_reads_as_group_topic_and_partition(tmp_path: Path) -> None:
    paths = [p for p in laid_out("2.3.1", tmp_path) if p.parent.name.startswith("__consumer_offsets")]
    keys = [row.fields["key"] for path in paths for row in dump(path) if row.kind == "record"]
    commits = [key["OffsetCommitKey"] for key in keys if isinstance(key, dict) and "OffsetCommitKey" in key]
    assert commits
    assert all(set(key) == {"group", "topic", "partition"} for key in commits)


def broker_files(folder: Path) -> Path:
    clock = ManualClock()
    with FakeKafka("2.3", log_dir=folder, clock=clock, topics={"t": 1}).boot() as kafka:
        for n in range(3):
            kafka.send("t", b"value %d" % n, key=b"\xff", headers=(("h", b"1"),))
    return folder / "t-0" / "00000000000000000000.log"


def test_a_log_is_shown_batch_by_batch_with_its_records(tmp_path: Path) -> None:
    path = broker_files(tmp_path)
    rows = list(dump(path))
    assert [row.kind for row in rows] == ["batch", "record"] * 3
    assert [row.fields["offset"] for row in rows if row.kind == "record"] == [0, 1, 2]
    assert rows[1].fields["headers"] == (("h", b"1"),)
    assert [row.kind for row in dump(path, records=False)] == ["batch"] * 3


def test_progress_through_a_log_is_reported(tmp_path: Path) -> None:
    path = broker_files(tmp_path)
    told: list[int] = []
    list(dump(path, seen=told.append))
    assert len(told) == 3
    assert sum(told) == path.stat().st_size


def test_a_torn_tail_is_shown_with_its_position(tmp_path: Path) -> None:
    path = broker_files(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    *rows, last = dump(path, records=False)
    assert len(rows) == 2
    assert last == Row("broken", len(whole) // 3 * 2, {"why": "no whole batch", "bytes": len(whole) // 3 - 5})


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.binary(max_size=200), st.sampled_from((*[f"00000000000000000007{k}" for k in KNOWN], *CHECKPOINTS, *PROPERTIES))
)
def test_dumping_never_fails_whatever_the_bytes_are(tmp_path: Path, data: bytes, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    for row in dump(path):
        assert row.as_text()
        assert json.loads(row.as_json())


@pytest.mark.parametrize("name", ["notes.txt", "README"])
def test_files_of_unknown_kinds_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("hello", "utf-8")
    with pytest.raises(UsageError, match="not a file that a broker writes"):
        list(dump(tmp_path / name))
    with pytest.raises(UsageError, match="is not a file"):
        list(dump(tmp_path / "missing.log"))


@pytest.mark.parametrize("mark", [".deleted", ".swap", ".cleaned"])
def test_files_that_are_swapped_or_deleted_are_read_by_their_final_names(tmp_path: Path, mark: str) -> None:
    path = broker_files(tmp_path)
    path.rename(path.with_name(path.name + mark))
    assert [row.kind for row in dump(path.with_name(path.name + mark), records=False)] == ["batch"] * 3
