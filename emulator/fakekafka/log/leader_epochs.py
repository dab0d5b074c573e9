"""Which leader epoch began at which offset: `leader-epoch-checkpoint`, since 0.11 (KIP-101; LeaderEpochFileCache).

A checkpoint whose lines are `<epoch> <start offset>`, both ascending. Followers and consumers ask it where an epoch
ended, which is where the next one began. The file is written whenever an entry changes.
"""

from typing import Final, NamedTuple

from fakekafka.errors import MalformedBytes
from fakekafka.ids import NO_EPOCH, NO_OFFSET, LeaderEpoch, Offset
from fakekafka.log.checkpoints import checkpoint_bytes, epoch_rows
from fakekafka.log.files import Directory
from fakekafka.log.names import LEADER_EPOCHS
from fakekafka.releases.behaviours.log import LogBehaviour


class EpochEntry(NamedTuple):
    """An epoch and the offset of its first record."""

    epoch: LeaderEpoch
    start_offset: Offset


class EpochEnd(NamedTuple):
    """Where an epoch ended. `epoch`: the one the offset belongs to, -1 if that is not known or not reported."""

    epoch: LeaderEpoch
    end_offset: Offset


UNDEFINED: Final = EpochEnd(NO_EPOCH, NO_OFFSET)


class LeaderEpochs:
    """The epochs of one log. Its file exists from the beginning, empty."""

    __slots__ = ("_directory", "_rules", "_written", "entries")

    def __init__(self, directory: Directory, rules: LogBehaviour) -> None:
        self._directory = directory
        self._rules = rules
        self._written = False
        self.entries: list[EpochEntry] = []  # epochs ascend; starts too, though 0.11 to 2.0.0 may repeat one

    def make_file(self) -> None:
        """Create the empty file of a new log."""
        self._directory.later(self._write_now)

    def load(self) -> None:
        """Read the file, or create it. Raises `MalformedBytes`.

        Entries that contradict each other are sorted out as they would be on assignment (2.4 and later do).
        """
        if not self._directory.exists(LEADER_EPOCHS):
            self.make_file()
            return
        self._written = True
        try:
            rows = epoch_rows(self._directory.read_all(LEADER_EPOCHS))
        except MalformedBytes as wrong:
            raise MalformedBytes(f"{LEADER_EPOCHS}: {wrong}") from wrong
        for epoch, start in rows:
            self._take(EpochEntry(epoch, start))

    @property
    def latest(self) -> LeaderEpoch:
        """The newest epoch; -1 if none is known."""
        return self.entries[-1].epoch if self.entries else NO_EPOCH

    @property
    def earliest(self) -> EpochEntry | None:
        return self.entries[0] if self.entries else None

    def assign(self, epoch: LeaderEpoch, start_offset: Offset) -> None:
        """`epoch` begins at `start_offset`, unless it is known already."""
        if self._take(EpochEntry(epoch, start_offset)):
            self._write()

    def end_of(self, epoch: LeaderEpoch, log_end: Offset) -> EpochEnd:
        """Where `epoch` ended: OffsetForLeaderEpoch. The newest one ends at the log's end."""
        if epoch == NO_EPOCH and (self.entries or not self._rules.no_epoch_ends):
            return UNDEFINED
        names_epoch = self._rules.epoch_lookup == "with epoch"
        if epoch == self.latest:
            return EpochEnd(epoch if names_epoch else NO_EPOCH, log_end)
        later = next((e for e in self.entries if e.epoch > epoch), None)
        if later is None:
            return UNDEFINED
        earlier = [e for e in self.entries if e.epoch <= epoch]
        if not names_epoch:
            return EpochEnd(NO_EPOCH, later.start_offset) if earlier else UNDEFINED
        return EpochEnd(earlier[-1].epoch if earlier else epoch, later.start_offset)

    def truncate_from_end(self, end_offset: Offset) -> None:
        """The log ends at `end_offset` now: forget epochs that began there or later."""
        if self.entries and self.entries[-1].start_offset >= end_offset:
            self.entries = [e for e in self.entries if e.start_offset < end_offset]
            self._write()

    def truncate_from_start(self, start_offset: Offset) -> None:
        """The log begins at `start_offset` now: the last of the earlier epochs begins there."""
        shared = self._rules.epochs_share_start
        before = [e for e in self.entries if e.start_offset < start_offset + (not shared)]
        if before:
            rest = self.entries[len(before) :]
            if not (shared and rest and rest[0].start_offset == start_offset):
                rest = [EpochEntry(before[-1].epoch, start_offset), *rest]
            self.entries = rest
            self._write()

    def clear(self) -> None:
        """Forget everything, and write the file."""
        self.entries = []
        self._write()

    def _take(self, entry: EpochEntry) -> bool:
        """Append an entry if it says something new, and return whether it does."""
        if not self.entries:
            self.entries.append(entry)
            return True
        last = self.entries[-1]
        if self._rules.epoch_assignment == "newer only":
            news = entry.epoch > last.epoch and entry.start_offset >= last.start_offset
        else:
            news = entry.epoch != last.epoch or entry.start_offset < last.start_offset
            if news:
                self.entries = [
                    e for e in self.entries if e.epoch < entry.epoch and e.start_offset < entry.start_offset
                ]
        if news:
            self.entries.append(entry)
        return news

    def _write(self) -> None:
        self._written = True
        self._directory.later(self._write_now)

    def _write_now(self) -> None:
        rows = [f"{epoch} {start}" for epoch, start in self.entries]
        self._directory.replace(LEADER_EPOCHS, checkpoint_bytes(rows) if self._written else b"")
