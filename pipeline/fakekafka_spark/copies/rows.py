"""The rows of the comparison of replicas: one for each copy of each partition."""

from collections.abc import Sequence
from typing import NamedTuple

from fakekafka.ids import NO_EPOCH, LeaderEpoch, Offset, PartitionIndex, Position, TimestampMs, TopicName

from fakekafka_spark.copies.copies import Copy
from fakekafka_spark.copies.differences import KINDS, Differences, First
from fakekafka_spark.copies.lineage import leading

ONLY, EQUAL, BEHIND = "only copy", "equal", "behind"
REASONS = {
    "diverged": "its records are not those of the leader with the highest epoch, {leader}",
    "damaged": "it cannot be read where another copy can",
    "altered": "epochs and checksums are right, but other copies have other contents",
    "missing": "other copies have records that it does not have, and no log cleaner took them",
    "repacked": "its batches are others, with the same records",
    BEHIND: "it is equal as far as it goes",
}


class CopyRow(NamedTuple):
    """What the comparison says about one copy."""

    topic: TopicName
    partition: PartitionIndex
    directory: str
    verdict: str
    """The worst of `differences.KINDS`, or "behind", "equal", "only copy"."""
    is_right: bool | None
    """Whether all that it holds is right, by epochs and checksums; None where those do not tell."""
    log_start_offset: Offset
    log_end_offset: Offset
    last_epoch: LeaderEpoch
    """-1: the log knows no epochs."""
    diverged: int
    damaged: int
    altered: int
    missing: int
    repacked: int
    first_offset: Offset | None
    """The first offset that differs."""
    last_offset: Offset | None
    since_ms: TimestampMs | None
    """The timestamp of the first of them."""
    segment: Offset | None
    position: Position | None
    truncates_to: Offset | None
    """Where its broker truncates it to follow the leader with the highest epoch; None if it keeps everything."""
    reason: str


def rows_of(
    named: tuple[TopicName, PartitionIndex], copies: Sequence[Copy], by_copy: Sequence[Differences]
) -> list[CopyRow]:
    """The rows of a partition, by directory."""
    leader = copies[leading([copy.lineage for copy in copies])]
    rows = [_row(named, copy, one, leader, len(copies)) for copy, one in zip(copies, by_copy)]
    return sorted(rows, key=lambda row: row.directory)


def _row(
    named: tuple[TopicName, PartitionIndex], copy: Copy, counted: Differences, leader: Copy, number: int
) -> CopyRow:
    verdict = _verdict(copy, counted, leader, number)
    first = counted.first or First(None, None, None, None)
    return CopyRow(
        *named, copy.directory, verdict, _is_right(verdict), copy.start, copy.end, copy.lineage.last_epoch,
        counted.count("diverged"), counted.count("damaged"), counted.count("altered"), counted.count("missing"),
        counted.count("repacked"), first.offset, counted.last, first.timestamp, first.segment, first.position,
        copy.lineage.truncated_by(leader.lineage), _reason(verdict, leader),
    )  # fmt: skip


def _verdict(copy: Copy, counted: Differences, leader: Copy, number: int) -> str:
    if number == 1:
        return ONLY
    worst = next((kind for kind, count in zip(KINDS, counted.counts) if count), None)
    return worst or (BEHIND if copy.end < leader.end else EQUAL)


def _is_right(verdict: str) -> bool | None:
    if verdict in (EQUAL, BEHIND, "repacked"):
        return True
    return None if verdict in (ONLY, "altered") else False


def _reason(verdict: str, leader: Copy) -> str:
    epoch = leader.lineage.last_epoch
    said = REASONS.get(verdict, "").format(leader=epoch)
    return f"{said}; the log knows no epochs" if said and epoch == NO_EPOCH else said
