"""Whose log is right: what the epochs of leaders say about the copies of a partition (KIP-101, KIP-279).

Every leader has its own epoch, higher than all before, and stamps it on what it appends. When a broker comes
back, it truncates its log to where its last epoch ends in the log of the current leader. So the copy with the highest
epoch is on the right line; another copy is right as far as its records have the epochs that this one has at their
offsets, and what is there beyond that would be truncated.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

from fakekafka.ids import NO_EPOCH, LeaderEpoch, Offset
from fakekafka.log.leader_epochs import EpochEnd, EpochEntry


class Lineage(NamedTuple):
    """The epochs of a copy, oldest first, and where its log ends."""

    epochs: tuple[EpochEntry, ...]
    end: Offset

    @classmethod
    def of(cls, starts: Iterable[EpochEntry], end: Offset) -> Self:
        """`starts`: changes of the epoch, by offset. One that a lower epoch follows is impossible, and is left out."""
        kept: list[EpochEntry] = []
        for one in starts:
            while kept and kept[-1].epoch > one.epoch:
                kept.pop()
            if one.epoch >= 0 and (not kept or kept[-1].epoch < one.epoch):
                kept.append(one)
        return cls(tuple(kept), end)

    @property
    def last_epoch(self) -> LeaderEpoch:
        """-1 if the log knows no epochs, as in formats 0 and 1."""
        return self.epochs[-1].epoch if self.epochs else NO_EPOCH

    def at(self, offset: Offset) -> LeaderEpoch:
        """The epoch of the record at `offset`; -1 if that is not known, or nothing is there."""
        number = bisect_right([one.start_offset for one in self.epochs], offset)
        return self.epochs[number - 1].epoch if number and offset < self.end else NO_EPOCH

    def end_of(self, epoch: LeaderEpoch) -> EpochEnd:
        """The highest epoch up to this one, and where it ends: what a leader answers (OffsetForLeaderEpoch)."""
        upto = [one.epoch for one in self.epochs if one.epoch <= epoch]
        later = (one.start_offset for one in self.epochs if one.epoch > epoch)
        return EpochEnd(max(upto, default=NO_EPOCH), min(later, default=self.end))

    def truncated_by(self, leader: "Lineage") -> Offset | None:
        """Where a broker with this log truncates it to follow that leader; None if it keeps everything, or if epochs
        do not tell.

        The follower asks for the end of its last epoch. If the leader answers with an earlier epoch that the follower
        knows, both have it up to the earlier of its two ends; otherwise the follower asks again (KIP-279).
        """
        wanted = self.last_epoch
        while wanted != NO_EPOCH:
            answered = leader.end_of(wanted)
            if answered.epoch == NO_EPOCH:
                return None
            own = self.end_of(answered.epoch)
            if own.epoch == answered.epoch:
                end = min(answered.end_offset, own.end_offset)
                return end if end < self.end else None
            wanted = own.epoch
        return None


def leading(lineages: Sequence[Lineage]) -> int:
    """The number of the copy on the right line: the one with the highest epoch, and of several the longest."""
    return max(range(len(lineages)), key=lambda number: (lineages[number].last_epoch, lineages[number].end, -number))
