"""The copies of one partition, and in which ranges of offsets they have to be examined more closely."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from fakekafka.ids import Offset, Position

from fakekafka_spark.copies.digest import RANGE, PartDigest, Piece
from fakekafka_spark.copies.lineage import Lineage, leading
from fakekafka_spark.files.epochs import read_epochs
from fakekafka_spark.files.layout import Partition
from fakekafka_spark.files.storage import Storage


class Copy(NamedTuple):
    """One broker's copy of a partition."""

    url: str
    directory: str
    start: Offset
    """Where its log begins."""
    compacted_to: Offset
    """Below it the copy's own log cleaner may have taken records away."""
    lineage: Lineage
    unreadable: tuple[tuple[Offset, Position | None], ...]
    """The base offset of each segment, and the position of its first bytes that are not a sound unit."""

    def unreadable_at(self, offset: Offset) -> tuple[Offset, Position] | None:
        """The segment in which `offset` should be and a position in it, if not all of it can be read."""
        number = bisect_right([base for base, _ in self.unreadable], offset)
        base, position = self.unreadable[number - 1] if number else (0, None)
        return None if position is None else (base, position)

    @property
    def end(self) -> Offset:
        """The offset after its last record."""
        return self.lineage.end

    def has_range(self, number: int) -> bool:
        """Whether some of the range's offsets lie in the log."""
        return self.start < (number + 1) * RANGE and number * RANGE < self.end

    def covers(self, number: int) -> bool:
        """Whether all of the range's offsets lie in the log, and none was compacted away."""
        return max(self.start, self.compacted_to) <= number * RANGE and (number + 1) * RANGE <= self.end


class Suspect(NamedTuple):
    """A range of offsets in which copies are not equal byte for byte."""

    number: int
    pieces: tuple[tuple[Piece, ...], ...]
    """For each copy, the pieces that may hold offsets of the range."""


def copy_of(url: str, storage: Storage, partition: Partition, parts: Iterable[PartDigest]) -> Copy:
    """The copy in a directory, from what its parts say.

    Its epochs are those of its batches and those of its checkpoint, which knows more where batches were deleted, and
    less if the backup was not taken at once.
    """
    digests = list(parts)
    ends = [segment.base_offset for segment in partition.segments]
    ends += (piece.last + 1 for part in digests for piece in part.pieces)
    starts = [*read_epochs(storage, partition).entries, *(epoch for part in digests for epoch in part.epochs)]
    starts.sort(key=lambda entry: (entry.start_offset, entry.epoch))
    first = partition.segments[0].base_offset if partition.segments else 0
    start = max(first, partition.log_start_offset)
    lineage = Lineage.of(starts, max(ends, default=start))
    unreadable = {segment.base_offset: None for segment in partition.segments} | {
        part.split.segment.base_offset: part.unreadable for part in reversed(digests) if part.unreadable is not None
    }
    return Copy(url, partition.path, start, partition.compacted_to, lineage, tuple(sorted(unreadable.items())))


def suspects(copies: Sequence[Copy], parts: Sequence[Sequence[PartDigest]]) -> Iterator[Suspect]:
    """The ranges in which copies differ. `parts`: of each copy."""
    if len(copies) < 2:
        return
    held = [_by_range(some) for some in parts]
    end = copies[leading([copy.lineage for copy in copies])].end
    wanted = {
        number
        for number in set().union(*held)
        if number * RANGE >= end or len({_sum(held[at], number) for at in _with_range(copies, number)}) > 1
    }
    for pieces in held:  # a unit that reaches into the next range has its records there as well
        for number in [*wanted]:
            wanted |= {
                reached for piece in pieces.get(number, ()) for reached in range(number, piece.last // RANGE + 1)
            }
    for number in sorted(wanted):
        yield Suspect(number, tuple(_reaching(pieces, number) for pieces in held))


def _by_range(parts: Iterable[PartDigest]) -> dict[int, tuple[Piece, ...]]:
    """The pieces by the range in which their units begin."""
    pieces = sorted((piece for part in parts for piece in part.pieces), key=lambda piece: piece.first // RANGE)
    return {number: tuple(some) for number, some in groupby(pieces, key=lambda piece: piece.first // RANGE)}


def _with_range(copies: Sequence[Copy], number: int) -> Iterator[int]:
    return (at for at, copy in enumerate(copies) if copy.has_range(number))


def _sum(pieces: dict[int, tuple[Piece, ...]], number: int) -> tuple[int, int]:
    """How many units begin in a range, and the sum of their hashes."""
    some = pieces.get(number, ())
    return sum(piece.units for piece in some), sum(piece.digest for piece in some) % (1 << 64)


def _reaching(pieces: dict[int, tuple[Piece, ...]], number: int) -> tuple[Piece, ...]:
    """The pieces that may hold offsets of a range: its own, and those before it that reach into it."""
    before = (piece for at in sorted(pieces) if at < number for piece in pieces[at] if piece.last >= number * RANGE)
    return (*before, *pieces.get(number, ()))
