"""The faulty directory: it behaves as the one behind it until something goes wrong."""

import errno

import pytest
from fakekafka.log.faulty_files import DiskFaults, FaultyDirectory, Stopped
from fakekafka.log.files import Directory
from fakekafka.log.memory_files import MemoryDirectory

NOW = 1000


def faulty(root: Directory, **how: int) -> FaultyDirectory:
    return FaultyDirectory(root, DiskFaults(**how))


def test_a_directory_without_faults_behaves_like_the_one_behind_it(root: Directory) -> None:
    directory = faulty(root)
    file = directory.open("a.log", NOW)
    file.append(b"abc", NOW)
    file.sync()
    directory.map("a.index", lambda: b"12", 4).close()
    directory.replace("b", b"xyz")
    directory.rename("b", "c")
    directory.directory("below").replace("d", b"1")
    directory.rename_directory("below", "under")
    assert root.names() == directory.names() == ["a.index", "a.log", "c"]
    assert [root.read_all(name) for name in root.names()] == [b"12\0\0", b"abc", b"xyz"]
    assert (directory.size_of("a.log"), directory.last_modified_ms("a.log")) == (3, NOW)
    assert root.directory("under").read_all("d") == b"1"
    directory.delete("c")
    directory.delete_directory("under")
    assert (root.names(), root.directories()) == (["a.index", "a.log"], [])
    file.close()


def test_a_process_stops_at_the_write_that_was_asked_for_and_stays_down() -> None:
    behind = MemoryDirectory()
    directory = faulty(behind, stop_at=2)
    file = directory.open("a", NOW)
    file.append(b"abc", NOW)
    with pytest.raises(Stopped):
        file.append(b"def", NOW)
    assert directory.faults.has_stopped
    with pytest.raises(Stopped):
        file.truncate(0, NOW)
    with pytest.raises(Stopped):
        directory.delete("a")
    assert behind.read_all("a") == b"abc"


def test_a_torn_append_leaves_its_first_bytes() -> None:
    directory = faulty(MemoryDirectory(), stop_at=1, torn=2)
    file = directory.open("a", NOW)
    for _ in range(2):
        with pytest.raises(Stopped):
            file.append(b"abc", NOW)
    assert directory.survivors().read_all("a") == b"ab"


def test_a_full_disk_takes_what_fits() -> None:
    directory = faulty(MemoryDirectory(), space=5)
    file = directory.open("a", NOW)
    file.append(b"abc", NOW)
    with pytest.raises(OSError, match="No space left") as full:
        file.append(b"def", NOW)
    assert full.value.errno == errno.ENOSPC
    assert directory.read_all("a") == b"abcde"
    with pytest.raises(OSError, match="No space left"):
        directory.replace("b", b"1")
    assert not directory.exists("b")


def test_a_file_may_be_unreadable() -> None:
    directory = faulty(MemoryDirectory())
    file = directory.open("a", NOW)
    file.append(b"abc", NOW)
    directory.faults.unreadable.add("a")
    with pytest.raises(OSError, match="Input/output error"):
        file.read(0, 3)
    with pytest.raises(OSError, match="Input/output error"):
        directory.read_all("a")


def test_unsynced_bytes_may_be_lost_when_the_machine_goes_down() -> None:
    directory = faulty(MemoryDirectory())
    file = directory.open("a", NOW)
    file.append(b"abc", NOW)
    file.sync()
    file.append(b"defg", NOW)
    assert directory.survivors().read_all("a") == b"abcdefg"
    assert directory.survivors(lambda _: 0).read_all("a") == b"abc"
    assert directory.survivors(lambda size: size - 2).read_all("a") == b"abcdef"
    directory.rename("a", "b")
    assert directory.survivors(lambda _: 0).read_all("b") == b"abc"


def test_a_mapped_file_may_be_as_it_was_last_flushed() -> None:
    directory, content = faulty(MemoryDirectory()), [b"old"]
    mapped = directory.map("i", lambda: content[0], 6)
    content[0] = b"newer"
    assert directory.survivors().read_all("i") == b"newer\0"
    assert directory.survivors(lambda _: 0).read_all("i") == b"old\0\0\0"
    mapped.close()
    assert directory.survivors(lambda _: 0).read_all("i") == b"newer\0"


def test_directories_below_survive_as_well() -> None:
    directory = faulty(MemoryDirectory())
    directory.directory("p").replace("f", b"1")
    directory.directory("p").set_last_modified("f", 77)
    found = directory.survivors().directory("p")
    assert (found.read_all("f"), found.last_modified_ms("f")) == (b"1", 77)
