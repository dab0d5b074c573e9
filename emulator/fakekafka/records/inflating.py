"""Payloads that are inflated piece by piece: as a whole, some that are small on disk would fill a process's memory."""

from collections.abc import Iterator
from io import BytesIO
from typing import Final

from fakekafka.ids import Position
from fakekafka.records.compression import ALWAYS_ALLOWED
from fakekafka.records.malformed import UndecodablePayload

PART_BYTES: Final = 1 << 16
"""How much of a large payload is looked at together: a block of most codecs, which fits into a processor's cache."""
JOINED_BYTES: Final = 1 << 22
"""Up to this size, a part is put together from pieces that are in memory beside it."""


class Inflating:
    """A payload of which only a part is in memory: `data`, which moves on."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._failure: UndecodablePayload | None = None
        self.data = b""

    def move(self, used: Position, needed: int = 0) -> bool:
        """Drop the first `used` bytes, and inflate until there are `needed`, and a part, and more than before; return
        whether any came.

        Raises `UndecodablePayload` if none came because the payload is broken there.
        """
        kept = self.data[used:]
        self.data = b""  # not both
        before = len(kept)
        room = max(needed, PART_BYTES, before + 1)
        if room <= JOINED_BYTES:
            self.data = b"".join([kept, *self._next(room - before)] if kept else list(self._next(room)))
        else:
            self.data = self._written(kept, room)
        if len(self.data) > before:
            return True
        if self._failure is not None:
            raise self._failure
        return False

    def _next(self, room: int) -> Iterator[bytes]:
        """The pieces that come next, until there are `room` bytes or the payload is broken."""
        size = 0
        try:
            while size < room and (piece := next(self._pieces, None)) is not None:
                size += len(piece)
                yield piece
        except UndecodablePayload as failure:
            self._failure = type(failure)(str(failure))  # without the frames that keep what was read alive

    def _written(self, kept: bytes, room: int) -> bytes:
        """What was kept and what comes next, with no piece in memory twice."""
        out = BytesIO(bytes(min(room, ALWAYS_ALLOWED)))  # the system provides only the part that is written to
        out.write(kept)
        for piece in self._next(room - len(kept)):
            out.write(piece)
        out.truncate()
        return out.getvalue()  # without a copy
