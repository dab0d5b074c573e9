"""The files of one partition, read segment by segment."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from fakekafka.bugs.signs.units import batches
from fakekafka.errors import MalformedBytes
from fakekafka.ids import Offset
from fakekafka.log.checkpoints import checkpoint_rows
from fakekafka.log.producer_snapshot import SnapshotEntry, read_snapshot
from fakekafka.log.txn_index import AbortedTxn, TxnIndex
from fakekafka.records.batch import Batch

CLEANER_CHECKPOINT = "cleaner-offset-checkpoint"
EPOCHS = "leader-epoch-checkpoint"


class SegmentFile(NamedTuple):
    """One segment."""

    path: Path
    units: list[Batch]
    tail: bytes
    """What comes after the last complete unit."""
    is_old: bool
    """Whether there is a later segment."""


class PartitionFiles:
    """A folder with segments."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.topic, _, self.partition = folder.name.rpartition("-")

    @property
    def logs(self) -> list[Path]:
        """The segments' files, oldest first."""
        return self._files("*.log")

    def segments(self) -> Iterator[SegmentFile]:
        """The segments; one is in memory at a time."""
        logs = self.logs
        for path in logs:
            data = path.read_bytes()
            units = batches(data)
            yield SegmentFile(path, units, data[sum(unit.size for unit in units) :], path != logs[-1])

    @cached_property
    def cleaned_to(self) -> Offset:
        """Where the cleaner begins next; 0 if it has not cleaned this partition."""
        for words in _rows(self.folder.parent / CLEANER_CHECKPOINT):
            if words[:2] == [self.topic, self.partition] and len(words) == 3:
                return int(words[2])
        return 0

    @property
    def is_compacted(self) -> bool:
        """Whether the cleaner knows this partition."""
        rows = _rows(self.folder.parent / CLEANER_CHECKPOINT)
        return any(words[:2] == [self.topic, self.partition] for words in rows)

    @property
    def epochs(self) -> int:
        """How many leader epochs the checkpoint lists."""
        return len(_rows(self.folder / EPOCHS))

    @property
    def has_indexes(self) -> bool:
        """Whether the segments have come with the files beside them."""
        return bool(self._files("*.timeindex"))

    def aborted(self) -> set[tuple[int, Offset]]:
        """Producer id and marker's offset of the transactions that the indexes list."""
        entries: list[AbortedTxn] = []
        for path in self._files("*.txnindex"):
            index = TxnIndex()
            try:
                index.load(path.read_bytes())
            except MalformedBytes:
                continue
            entries += index.entries
        return {(entry.producer_id, entry.last_offset) for entry in entries}

    def producers(self) -> dict[int, SnapshotEntry]:
        """What the newest snapshot says about each producer; empty if there is none."""
        paths = self._files("*.snapshot")
        try:
            return {entry.producer_id: entry for entry in read_snapshot(paths[-1].read_bytes())} if paths else {}
        except MalformedBytes:
            return {}

    def _files(self, pattern: str) -> list[Path]:
        """The files of the folder whose names match, in order. Folders with matching names are left out."""
        return sorted(path for path in self.folder.glob(pattern) if path.is_file())


def partitions(directory: Path) -> Iterator[PartitionFiles]:
    """Every folder with segments: the directory itself, and those below it."""
    for folder in sorted({path.parent for path in directory.rglob("*.log") if path.is_file()}):
        yield PartitionFiles(folder)


def _rows(path: Path) -> list[list[str]]:
    try:
        return checkpoint_rows(path.read_bytes())
    except (OSError, MalformedBytes):
        return []
