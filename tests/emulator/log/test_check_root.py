from fakekafka.log import names
from fakekafka.log.check_root import Noted, check_root, is_marked, is_root, noted
from fakekafka.log.memory_files import MemoryDirectory

DELETED = f"t-1.{'0' * 32}-delete"


def root() -> MemoryDirectory:
    """A root with a partition that begins at 5."""
    directory = MemoryDirectory()
    directory.directory("t-0").replace(names.of_offset(5, names.LOG), b"")
    return directory


def test_a_directory_with_checkpoints_is_a_brokers() -> None:
    directory = root()
    assert not is_root(directory)
    directory.replace(names.HIGH_WATERMARKS, b"0\n1\nt 0 7\n")
    assert is_root(directory)
    assert list(check_root(directory)) == []


def test_each_kind_of_damage_is_found() -> None:
    directory = root()
    directory.replace(names.HIGH_WATERMARKS, b"0\n1\nt 0 4\n")
    directory.replace(names.RECOVERY_POINTS, b"0\n1\nt 0\n")
    directory.directory("notes")
    directory.directory(DELETED)
    assert [(finding.file, finding.kind) for finding in check_root(directory)] == [
        (names.RECOVERY_POINTS, "checkpoint"),
        (names.HIGH_WATERMARKS, "checkpoint"),
        ("notes", "unknown directory"),
        (DELETED, "leftover -delete"),
    ]


def test_checkpoints_say_how_far_logs_reached_and_were_compacted() -> None:
    directory = root()
    assert noted(directory) == {}
    directory.replace(names.CLEANER_OFFSETS, b"0\n1\nt 0 9\n")
    assert noted(directory) == {("t", 0): Noted(compacted_to=9, reached=9)}
    directory.replace(names.HIGH_WATERMARKS, b"0\n2\nt 0 12\nt 1 3\n")
    assert noted(directory) == {("t", 0): Noted(9, 12), ("t", 1): Noted(0, 3)}
    directory.replace(names.CLEANER_OFFSETS, b"?")
    assert noted(directory) == {("t", 0): Noted(0, 12), ("t", 1): Noted(0, 3)}


def test_a_missing_log_is_found_unless_it_is_being_deleted() -> None:
    directory = root()
    directory.directory("t-2")
    directory.replace(names.CLEANER_OFFSETS, b"0\n1\nold 0 7\n")  # an entry of a topic that was deleted
    directory.replace(names.HIGH_WATERMARKS, b"0\n3\nt 1 7\nt 2 8\nt 3 0\n")
    assert [finding.what for finding in check_root(directory)] == [
        "t-1 has no log here, but had one up to 7",
        "t-2 has no log here, but had one up to 8",
    ]
    directory.directory(DELETED)
    assert [finding.file for finding in check_root(directory)] == [names.HIGH_WATERMARKS, DELETED]


def test_directories_to_be_deleted_have_marks() -> None:
    assert is_marked(DELETED)
    assert not is_marked("up-to-delete")
