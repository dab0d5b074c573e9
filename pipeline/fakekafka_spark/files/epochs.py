"""Leader epochs of a log, to notice that it was truncated behind a reader's back (KIP-101, KIP-320).

A log loses records that were there only when another leader's log was longer or different, and every leader has its own
epoch. So if an epoch that began after the last one we read starts *below* what we have read, our last records were
replaced. Logs of formats 0 and 1, and of brokers before 0.11, have no epochs: there only a log that became shorter is
noticed.
"""

from typing import NamedTuple

from fakekafka.errors import MalformedBytes
from fakekafka.ids import NO_EPOCH, LeaderEpoch, Offset
from fakekafka.log.checkpoints import epoch_rows
from fakekafka.log.leader_epochs import EpochEntry
from fakekafka.log.names import LEADER_EPOCHS

from fakekafka_spark.files.layout import Partition
from fakekafka_spark.files.storage import Storage


class Epochs(NamedTuple):
    """The epochs of a log, oldest first."""

    entries: tuple[EpochEntry, ...]

    def of_last_before(self, offset: Offset) -> LeaderEpoch:
        """The epoch of the last record before `offset`; -1 if that is not known."""
        earlier = [entry.epoch for entry in self.entries if entry.start_offset < offset]
        return earlier[-1] if earlier else NO_EPOCH

    def diverged_at(self, offset: Offset, epoch: LeaderEpoch) -> Offset:
        """Up to where what was read is still in the log, if it was read up to `offset` and ended with `epoch`."""
        if epoch == NO_EPOCH:
            return offset
        return min((e.start_offset for e in self.entries if e.epoch > epoch), default=offset)


def read_epochs(storage: Storage, partition: Partition) -> Epochs:
    """What the partition's checkpoint says; nothing if there is none, or one that cannot be read."""
    if LEADER_EPOCHS not in partition.files:
        return Epochs(())
    try:
        rows = epoch_rows(storage.read(f"{partition.path}/{LEADER_EPOCHS}"))
        return Epochs(tuple(EpochEntry(epoch, start) for epoch, start in rows))
    except MalformedBytes:
        return Epochs(())
