"""Directories of deleted partitions, as a start leaves them."""

from fakekafka.log import names
from fakekafka.log.doomed import open_doomed
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release

RULES = profile(Release.parse("2.3")).log


def test_epochs_and_snapshots_of_a_deleted_partition_go_and_segments_stay() -> None:
    directory = MemoryDirectory()
    directory.replace(names.LEADER_EPOCHS, b"0\n2\n0 0\n1 4\n")
    for suffix in (names.LOG, names.OFFSET_INDEX, names.SNAPSHOT):
        directory.replace(names.of_offset(4, suffix), b"content")
    open_doomed(directory, RULES)
    assert directory.read_all(names.LEADER_EPOCHS) == b"0\n0\n"
    assert directory.names() == [
        names.of_offset(4, names.OFFSET_INDEX),
        names.of_offset(4, names.LOG),
        names.LEADER_EPOCHS,
    ]


def test_a_missing_epoch_file_is_not_made() -> None:
    directory = MemoryDirectory()
    open_doomed(directory, RULES)
    assert directory.names() == []
