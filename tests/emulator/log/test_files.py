"""Files in memory and on disk behave alike, and like a plain string of bytes."""

import os
from pathlib import Path

import pytest
from fakekafka.log import files
from fakekafka.log.files import CHUNK_BYTES, Directory, DiskDirectory
from fakekafka.log.names import TEMPORARY
from fakekafka.pieces import BreaksOff, Chunks, joined
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("append"), st.binary(max_size=40)),
        st.tuples(st.just("truncate"), st.integers(0, 120)),
        st.tuples(st.just("read"), st.tuples(st.integers(0, 130), st.integers(0, 130))),
    ),
    max_size=25,
)


@given(steps=STEPS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_a_file_is_a_string_of_bytes(root: Directory, steps: list[tuple[str, object]]) -> None:
    root.delete("f")
    file, model = root.open("f", 0), b""
    for kind, value in steps:
        if isinstance(value, bytes):
            assert file.append(value, 1) == len(model)
            model += value
        elif isinstance(value, int):
            file.truncate(value, 2)
            model = model[:value]
        elif isinstance(value, tuple):
            position, size = value
            assert b"".join(file.read(position, size)) == model[position : position + size]
            assert joined(file.pieces(position, size)) == model[position : position + size]
        assert (file.size, kind) == (len(model), kind)
    file.close()
    assert root.read_all("f") == model
    assert root.size_of("f") == len(model)


def test_reserved_bytes_are_zeros_after_the_end(root: Directory) -> None:
    file = root.open("f", 0)
    file.append(b"abc", 0)
    file.reserve(10)
    assert root.read_all("f") == b"abc" + bytes(7)
    assert (root.size_of("f"), file.size) == (10, 3)
    file.append(b"d", 0)
    assert root.read_all("f") == b"abcd" + bytes(6)
    file.truncate(4, 0)
    file.close()
    assert root.read_all("f") == b"abcd"


def test_reserved_bytes_that_nobody_cut_are_content_when_the_file_is_opened_again(root: Directory) -> None:
    file = root.open("f", 0)
    file.append(b"abc", 0)
    file.reserve(5)
    file.close()
    assert root.open("f", 9).size == 5


def test_times_are_the_callers_and_survive_a_close(root: Directory) -> None:
    file = root.open("f", 1_500_000_000_123)
    assert file.last_modified_ms == 1_500_000_000_123
    file.append(b"x", 1_600_000_000_456)
    file.close()
    assert root.open("f", 7).last_modified_ms == 1_600_000_000_456
    root.set_last_modified("f", 1_400_000_000_000)
    assert root.last_modified_ms("f") == 1_400_000_000_000
    assert root.open("f", 7).last_modified_ms == 1_400_000_000_000


def test_a_mapped_file_shows_its_owners_bytes(root: Directory) -> None:
    content = [b"one"]
    mapped = root.map("m", lambda: content[0], 8)
    assert root.read_all("m") == b"one" + bytes(5)
    content[0] = b"three"
    mapped.flush()
    assert root.read_all("m") == b"three" + bytes(3)
    mapped.resize(0)
    assert root.read_all("m") == b"three"
    assert root.size_of("m") == 5
    mapped.close()
    content[0] = b"nobody looks any more"
    assert root.read_all("m") == b"three"


def test_a_mapped_file_takes_the_place_of_another(root: Directory) -> None:
    root.replace("m", b"a long content")
    root.map("m", lambda: b"ab")
    assert root.read_all("m") == b"ab"


def test_open_files_follow_a_rename(root: Directory) -> None:
    file = root.open("old", 0)
    file.append(b"a", 0)
    mapped = root.map("old.index", lambda: b"i")
    root.rename("old", "new")
    root.rename("old.index", "new.index")
    file.append(b"b", 0)
    mapped.flush()
    assert root.names() == ["new", "new.index"]
    assert root.read_all("new") == b"ab"
    root.rename("new", "new")
    assert root.read_all("new") == b"ab"


def test_open_files_follow_their_directory(root: Directory) -> None:
    partition = root.directory("orders-0")
    file = partition.open("f", 0)
    file.append(b"a", 0)
    root.rename_directory("orders-0", "orders-0.gone-delete")
    file.append(b"b", 0)
    assert root.directories() == ["orders-0.gone-delete"]
    assert root.directory("orders-0.gone-delete").read_all("f") == b"ab"
    root.delete_directory("orders-0.gone-delete")
    root.delete_directory("orders-0.gone-delete")
    assert root.directories() == []


def test_a_directory_goes_with_all_that_is_in_it(root: Directory) -> None:
    inner = root.directory("a").directory("b")
    inner.open("f", 0).append(b"x", 0)
    root.delete_directory("a")
    assert root.directories() == []
    assert root.directory("a").names() == []


def test_names_are_sorted_and_hold_files_only(root: Directory) -> None:
    for name in ("b", "a", "c"):
        root.replace(name, b"")
    root.directory("d")
    assert root.names() == ["a", "b", "c"]
    assert root.exists("a")
    assert not root.exists("d")
    root.delete("b")
    root.delete("b")
    assert root.names() == ["a", "c"]


def test_a_missing_file_raises(root: Directory) -> None:
    calls = (
        lambda: root.read_all("no"),
        lambda: root.size_of("no"),
        lambda: root.rename("no", "yes"),
        lambda: root.last_modified_ms("no"),
        lambda: root.rename_directory("no", "yes"),
    )
    for call in calls:
        with pytest.raises(FileNotFoundError):
            call()


def test_the_disk_makes_files_for_later_at_once(tmp_path: Path) -> None:
    directory = DiskDirectory(tmp_path)
    directory.later(lambda: directory.replace("f", b"x"))
    assert (tmp_path / "f").read_bytes() == b"x"


def test_replacing_leaves_no_other_file(tmp_path: Path) -> None:
    directory = DiskDirectory(tmp_path / "new" / "tree")
    directory.replace("f", b"one")
    directory.replace("f", b"two")
    assert os.listdir(tmp_path / "new" / "tree") == ["f"]
    assert directory.read_all("f") == b"two"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
def test_a_private_file_is_private_although_another_one_was_left_behind(tmp_path: Path) -> None:
    left = tmp_path / f"f{TEMPORARY}"
    left.write_bytes(b"half")
    left.chmod(0o644)
    DiskDirectory(tmp_path).replace("f", b"whole", private=True)
    assert os.listdir(tmp_path) == ["f"]
    assert (tmp_path / "f").stat().st_mode & 0o777 == 0o600


def test_few_descriptors_serve_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_OPEN_FILES", 3)
    directory = DiskDirectory(tmp_path)
    opened = [directory.directory(f"t-{n}").open("f", 0) for n in range(10)]
    for turn in range(3):
        for n, file in enumerate(opened):
            file.append(b"%d" % n, turn)
    assert len(directory.descriptors._open) == 3
    assert [b"".join(file.read(0, 9)) for file in opened] == [b"%d" % n * 3 for n in range(10)]
    directory.close()
    assert directory.descriptors._open == {}


def test_a_write_that_the_system_takes_in_parts_is_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda fd, data, at: real(fd, bytes(data[:3]), at))
    directory = DiskDirectory(tmp_path)
    directory.open("f", 0).append(b"0123456789", 0)
    assert directory.read_all("f") == b"0123456789"
    directory.close()


def large_piece(directory: DiskDirectory) -> Chunks:
    """Two and a half chunks of a file, all but its first byte."""
    file = directory.open("f", 0)
    file.append(b"x" + bytes(CHUNK_BYTES) + b"y" * CHUNK_BYTES + b"z" * (CHUNK_BYTES // 2), 0)
    (piece,) = file.pieces(1, file.size)
    assert isinstance(piece, Chunks)
    return piece


def test_a_large_part_of_a_file_is_read_when_it_is_sent(tmp_path: Path) -> None:
    directory = DiskDirectory(tmp_path)
    piece = large_piece(directory)
    assert list(piece) == [bytes(CHUNK_BYTES), b"y" * CHUNK_BYTES, b"z" * (CHUNK_BYTES // 2)]
    assert len(piece) == CHUNK_BYTES * 5 // 2
    directory.close()


def test_a_file_that_is_deleted_or_grows_is_sent_as_it_was(tmp_path: Path) -> None:
    directory = DiskDirectory(tmp_path)
    piece = large_piece(directory)
    directory.open("f", 0).append(b"more", 0)
    chunks = iter(piece)
    assert next(chunks) == bytes(CHUNK_BYTES)
    directory.rename("f", "f.deleted")
    directory.delete("f.deleted")
    directory.close()
    assert b"".join(chunks) == b"y" * CHUNK_BYTES + b"z" * (CHUNK_BYTES // 2)


def test_sending_a_file_breaks_off_where_it_was_truncated(tmp_path: Path) -> None:
    directory = DiskDirectory(tmp_path)
    chunks = iter(large_piece(directory))
    next(chunks)
    directory.open("f", 0).truncate(CHUNK_BYTES + 3, 0)
    assert next(chunks) == b"yy"
    with pytest.raises(BreaksOff):
        next(chunks)
    directory.close()


def test_a_file_that_was_sent_leaves_no_descriptor(tmp_path: Path) -> None:
    directory = DiskDirectory(tmp_path)
    before = set(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else set()
    piece = large_piece(directory)
    next(iter(piece))
    directory.close()
    del piece
    if before:
        assert set(os.listdir("/proc/self/fd")) <= before
