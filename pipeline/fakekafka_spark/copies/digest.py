"""What a part of one copy of a log says about itself, so that copies can be compared without moving their bytes.

Replicas hold the same units, byte for byte (followers append what their leader sends), in segments that may begin
elsewhere. So units are summed up by ranges of offsets that are the same for every copy: the sum of the hashes of the
units that begin in a range does not depend on how a log is cut into segments and parts.
"""

from hashlib import blake2b
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from fakekafka.ids import Offset, Position
from fakekafka.log.leader_epochs import EpochEntry

from fakekafka_spark.files.plan import exact
from fakekafka_spark.files.split import Split
from fakekafka_spark.files.storage import Storage
from fakekafka_spark.files.walk import walk
from fakekafka_spark.parse.chunks import Fault, Longs
from fakekafka_spark.parse.units import Units, crcs_ok

RANGE: Final = 1 << 16
"""Offsets that are summed up together."""
_WRAPS: Final = (1 << 64) - 1


class Piece(NamedTuple):
    """Neighbouring units of one segment that begin in the same range of offsets."""

    split: Split
    """Their place in the log, with any unreadable bytes after them."""
    first: Offset
    last: Offset
    units: int
    digest: int
    """The sum of the units' hashes, modulo 2^64."""


class PartDigest(NamedTuple):
    """What a part says about itself."""

    split: Split
    pieces: tuple[Piece, ...]
    epochs: tuple[EpochEntry, ...]
    """Each change of the leader epoch in batches of format 2."""
    unreadable: Position | None
    """The position of the first bytes that are not a sound unit."""


def digest_of(storage: Storage, rough: Split) -> PartDigest:
    """Sum up the units of a split."""
    split = exact(storage, rough)
    if split is None:
        return PartDigest(rough, (), (), None)
    digests = _Digests(split)
    for piece in walk(storage, split.segment, split.start, split.end):
        if isinstance(piece, Fault):
            digests.note_unreadable(piece.position)
        else:
            digests.add(piece)
    return digests.result()


class _Digests:
    """The walk through a part."""

    def __init__(self, split: Split) -> None:
        self.split = split
        self.pieces: list[Piece] = []
        self.epochs: list[EpochEntry] = []
        self.unreadable: Position | None = None

    def add(self, units: Units) -> None:
        """The next units."""
        firsts = units.base_offsets if units.magic == 2 else units.last_offsets  # a wrapper says only where it ends
        ranges = firsts // RANGE
        edges = [0, *(np.flatnonzero(np.diff(ranges)) + 1).tolist(), units.number]
        hashes = _hashes(units)
        for start, end in pairwise(edges):
            first, last = int(firsts[start:end].min()), int(units.last_offsets[start:end].max())
            digest = int(hashes[start:end].sum(dtype=np.uint64))
            self._append(int(ranges[start]), int(units.positions[start]), first, last, end - start, digest)
        if units.magic == 2:
            self._note_epochs(units)
        for number in np.flatnonzero(~crcs_ok(units)).tolist():
            self.note_unreadable(int(units.positions[number]))

    def note_unreadable(self, position: Position) -> None:
        """Note bytes that are not a sound unit; the first ones are remembered."""
        self.unreadable = position if self.unreadable is None else self.unreadable

    def _append(self, range_: int, at: Position, first: Offset, last: Offset, units: int, digest: int) -> None:
        before = self.pieces[-1] if self.pieces else None
        if before is not None and before.first // RANGE == range_:
            self.pieces[-1] = before._replace(
                first=min(before.first, first), last=max(before.last, last), units=before.units + units,
                digest=(before.digest + digest) & _WRAPS,
            )  # fmt: skip
            return
        if before is not None:
            self.pieces[-1] = before._replace(split=before.split._replace(end=at))
        start = self.split.start if before is None else at
        self.pieces.append(Piece(self.split._replace(start=start), first, last, units, digest))

    def _note_epochs(self, units: Units) -> None:
        epochs: Longs = units.leader_epochs
        changed = np.flatnonzero(np.diff(epochs, prepend=self.epochs[-1].epoch if self.epochs else -2))
        self.epochs += (EpochEntry(int(epochs[at]), int(units.base_offsets[at])) for at in changed.tolist())

    def result(self) -> PartDigest:
        return PartDigest(self.split, tuple(self.pieces), tuple(self.epochs), self.unreadable)


def _hashes(units: Units) -> npt.NDArray[np.uint64]:
    data = memoryview(units.chunk.data)
    starts, ends = units.chunk.starts.tolist(), (units.chunk.starts + units.chunk.sizes).tolist()
    joined = b"".join(blake2b(data[start:end], digest_size=8).digest() for start, end in zip(starts, ends))
    return np.frombuffer(joined, np.uint64)
