"""Snapshots as zip files: packed, unpacked, and refused if they are not zip files or have paths to elsewhere."""

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from fakekafka import FakeKafka, UsageError
from fakekafka.control import snapshots
from fakekafka.control.snapshots import packed, unpack


def test_a_folder_comes_back_as_it_was(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "orders-0").mkdir(parents=True)
    (source / "empty").mkdir()
    (source / "orders-0" / "log").write_bytes(b"\xff" * 100)
    target.mkdir()
    unpack(packed(source), target)
    found = {path.relative_to(target).as_posix() for path in target.rglob("*")}
    assert found == {"orders-0", "empty", "orders-0/log"}
    assert (target / "orders-0" / "log").read_bytes() == b"\xff" * 100


def zipped(name: str, data: bytes = b"1") -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        archive.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.parametrize("name", ["../evil", "a/../../evil", "/evil"])
def test_a_snapshot_with_paths_outside_its_folder_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="lies outside it"):
        unpack(zipped(name), tmp_path / "in")
    assert not (tmp_path / "evil").exists()


def test_a_snapshot_that_grows_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "MAX_UNPACKED", 10)
    with pytest.raises(UsageError, match="more than 10 bytes"):
        unpack(zipped("a", b"x" * 11), tmp_path)


def test_a_snapshot_that_is_not_a_zip_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not a zip file that can be read"):
        unpack(b"nonsense", tmp_path)


@pytest.mark.parametrize(
    ("local_at", "central_at", "value"),
    [(8, 10, b"\x63\x00"), (6, 8, b"\x01\x00")],
    ids=["a compression that nobody knows", "a password"],
)
def test_a_zip_file_that_python_cannot_read_is_refused(
    local_at: int, central_at: int, value: bytes, tmp_path: Path
) -> None:
    data = bytearray(zipped("a", b"x"))
    for header, at in ((b"PK\x03\x04", local_at), (b"PK\x01\x02", central_at)):
        position = data.index(header) + at
        data[position : position + 2] = value
    with pytest.raises(UsageError, match="not a zip file that can be read"):
        unpack(bytes(data), tmp_path)


def test_a_snapshot_of_a_cluster_of_another_shape_is_refused(tmp_path: Path) -> None:
    with FakeKafka("2.3", brokers=2) as two:
        two.save(tmp_path / "two")
    with FakeKafka("2.3", topics={"orders": 1}) as one:
        with pytest.raises(UsageError, match="2 brokers wrote that, and here are 1"):
            one.restore(tmp_path / "two")
        assert one.topics() == {"orders": 1}
        one.save(tmp_path / "one")
    with FakeKafka("4.3") as kraft, pytest.raises(UsageError, match="zk kept that metadata, and here kraft does"):
        kraft.restore(tmp_path / "one")


def test_a_cluster_on_disk_keeps_its_files(tmp_path: Path) -> None:
    with FakeKafka("2.3", log_dir=tmp_path) as kafka, pytest.raises(UsageError, match="with a log_dir cannot become"):
        kafka.restore(tmp_path)
