from fakekafka.log import names
from fakekafka.log.check_root import check_root, compacted, is_marked, is_root
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


def test_the_cleaners_checkpoint_says_up_to_where_logs_were_compacted() -> None:
    directory = root()
    assert compacted(directory) == {}
    directory.replace(names.CLEANER_OFFSETS, b"0\n1\nt 0 9\n")
    assert compacted(directory) == {("t", 0): 9}
    directory.replace(names.CLEANER_OFFSETS, b"?")
    assert compacted(directory) == {}


def test_directories_on_their_way_out_have_marks() -> None:
    assert is_marked(DELETED)
    assert not is_marked("up-to-delete")
