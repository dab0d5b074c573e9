"""Where the copies of a partition differ within a range of offsets, record by record, and what is wrong with each.

diverged    a record of another leader's line: its epoch is not the one that the right line has at this offset
damaged     a record of a unit that cannot be read, or whose checksum is wrong
altered     epochs and checksums are right, but contents differ; reported for the copies that are in the minority, and
            for all of them if there is no majority
missing     no record, where another copy has a sound one; a record that a log cleaner removed is not a difference
repacked    the same records in other batches, or with another codec
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, Self, TypeAlias

from fakekafka.ids import NO_EPOCH, LeaderEpoch, Offset, Position, TimestampMs

from fakekafka_spark import columns
from fakekafka_spark.copies.copies import Copy, Suspect
from fakekafka_spark.copies.digest import RANGE, Piece
from fakekafka_spark.copies.lineage import Lineage, leading
from fakekafka_spark.files.storage import Storage
from fakekafka_spark.query import Query
from fakekafka_spark.views import CORRUPT
from fakekafka_spark.wanted import Bounds

KINDS = ("diverged", "damaged", "altered", "missing", "repacked")
"""The kinds of difference, the worst first."""
CONTENT = ("key", "value", "timestamp_ms", "timestampType", "headers", "producer_id", "producer_epoch", "sequence",
           "is_transactional", "is_control")  # fmt: skip
PLACE = ("offset", "leader_epoch", "timestamp_ms", "segment", "position", CORRUPT)


class Seen(NamedTuple):
    """What a copy has at an offset."""

    content: bytes
    """A hash."""
    epoch: LeaderEpoch
    timestamp: TimestampMs
    segment: Offset
    position: Position
    is_damaged: bool


class First(NamedTuple):
    """The first difference of a copy: where, and since when."""

    offset: Offset | None
    """None: there is no difference."""
    timestamp: TimestampMs | None
    """The timestamp of the right record, or otherwise of the copy's own."""
    segment: Offset | None
    """Where it is in this copy; None if it is missing."""
    position: Position | None


class Differences(NamedTuple):
    """What is wrong with one copy."""

    counts: tuple[int, ...] = (0,) * len(KINDS)
    """How many records differ, by kind."""
    first: First | None = None
    last: Offset | None = None

    def count(self, kind: str) -> int:
        """How many records are of that kind."""
        return self.counts[KINDS.index(kind)]

    def noted(self, kind: str, first: First) -> Self:
        """These differences, and one more."""
        return self + type(self)(tuple(int(kind == one) for one in KINDS), first, first.offset)

    def __add__(self, other: "Differences") -> Self:  # type: ignore[override]
        firsts = [one.first for one in (self, other) if one.first is not None]
        lasts = [one.last for one in (self, other) if one.last is not None]
        return type(self)(
            tuple(map(sum, zip(self.counts, other.counts))),
            min(firsts, default=None, key=lambda first: first.offset or 0),
            max(lasts, default=None),
        )


Contents: TypeAlias = Mapping[Offset, Seen]
"""What a copy holds in a range."""


def differences(copies: Sequence[Copy], storages: Sequence[Storage], suspect: Suspect) -> list[Differences]:
    """What is wrong with each copy in a range of offsets."""
    contents = [_contents(place, pieces, suspect.number) for place, pieces in zip(storages, suspect.pieces)]
    leader = copies[leading([copy.lineage for copy in copies])].lineage
    by_copy = [Differences() for _ in copies]
    for offset in sorted(set().union(*contents)):
        seen = [held.get(offset) for held in contents]
        if not _is_same(copies, seen, leader, offset):
            _judge(copies, seen, leader, offset, by_copy)
    if not any(map(any, (one.counts for one in by_copy))):
        _note_repacked(copies, suspect, by_copy)
    return by_copy


def _is_same(copies: Sequence[Copy], seen: Sequence[Seen | None], leader: Lineage, offset: Offset) -> bool:
    """Whether all copies have the same at an offset, as far as their logs reach."""
    there = {(one.content, one.epoch, one.is_damaged) for one in seen if one is not None}
    absent = any(one is None and copy.start <= offset < copy.end for copy, one in zip(copies, seen))
    return len(there) == 1 and not absent and offset < leader.end and not next(iter(there))[2]


def _judge(
    copies: Sequence[Copy], seen: Sequence[Seen | None], leader: Lineage, offset: Offset, by_copy: list[Differences]
) -> None:
    """Note what is wrong with each copy at one offset."""
    on_line = [one for one in seen if one and not one.is_damaged and _is_on_line(one, leader, offset)]
    votes = Counter(one.content for one in on_line)
    right = _majority(votes)
    example = next((one for one in on_line if right in (None, one.content)), None)
    for number, (copy, one) in enumerate(zip(copies, seen)):
        kind = _kind(copy, one, leader, offset, votes, right)
        if kind is not None:
            segment, position = (copy.unreadable_at(offset) or (None, None)) if one is None else one[3:5]
            dated = example or one
            first = First(offset, None if dated is None else dated.timestamp, segment, position)
            by_copy[number] = by_copy[number].noted(kind, first)


def _kind(
    copy: Copy, one: Seen | None, leader: Lineage, offset: Offset, votes: Counter[bytes], right: bytes | None
) -> str | None:
    """What is wrong with what a copy has at an offset, or lacks; None if nothing is."""
    if one is None:
        if not max(copy.start, copy.compacted_to) <= offset < copy.end or not votes:
            return None
        return "missing" if copy.unreadable_at(offset) is None else "damaged"
    if one.is_damaged:
        return "damaged"
    if not _is_on_line(one, leader, offset):
        return "altered" if one.content in votes else "diverged"
    return "altered" if len(votes) > 1 and one.content != right else None


def _is_on_line(one: Seen, leader: Lineage, offset: Offset) -> bool:
    return NO_EPOCH in (one.epoch, leader.last_epoch) or one.epoch == leader.at(offset)


def _majority(votes: Counter[bytes]) -> bytes | None:
    """What more than half of the copies have."""
    (best, number), *_ = [*votes.most_common(1), (None, 0)]
    return best if number * 2 > votes.total() else None


def _note_repacked(copies: Sequence[Copy], suspect: Suspect, by_copy: list[Differences]) -> None:
    """Note the copies whose units are not those of the leading one, though all records are equal."""
    leader = leading([copy.lineage for copy in copies])
    sums = [_sum(pieces, suspect.number) for pieces in suspect.pieces]
    for number, copy in enumerate(copies):
        both = copy.covers(suspect.number) and copies[leader].covers(suspect.number)
        if both and sums[number] != sums[leader]:
            piece = next((piece for piece in suspect.pieces[number]), None)
            at = (None, None) if piece is None else (piece.split.segment.base_offset, piece.split.start)
            by_copy[number] = by_copy[number].noted("repacked", First(suspect.number * RANGE, None, *at))


def _sum(pieces: Sequence[Piece], number: int) -> int:
    return sum(piece.digest for piece in pieces if piece.first // RANGE == number) % (1 << 64)


def _contents(place: Storage, pieces: Sequence[Piece], number: int) -> Contents:
    """The records of a copy in a range, as hashes."""
    names = tuple(dict.fromkeys((*PLACE, *CONTENT)))
    query = Query.of({"columns": ",".join(names), "mode": "PERMISSIVE", "control": "true"})
    bounds = Bounds(number * RANGE, (number + 1) * RANGE)
    return {
        row["offset"]: _seen(row)
        for piece in pieces
        for rows in columns.of_split(place, piece.split._replace(bounds=bounds), query.wanted())
        for row in rows.to_pylist()
        if row["offset"] is not None
    }


def _seen(row: Mapping[str, Any]) -> Seen:
    content = blake2b(repr([row[name] for name in CONTENT]).encode(), digest_size=12).digest()
    epoch, timestamp = (NO_EPOCH if row[name] is None else row[name] for name in ("leader_epoch", "timestamp_ms"))
    return Seen(content, epoch, timestamp, row["segment"], row["position"], row[CORRUPT] is not None)
