"""Payloads that are inflated piece by piece: as a whole, some that are small on disk would fill a process's memory."""

from collections.abc import Iterator
from io import BytesIO
from typing import Final

from fakekafka.ids import Position
from fakekafka.records.compression import ALWAYS_ALLOWED
from fakekafka.records.malformed import UndecodablePayload

PART_BYTES: Final = 4 << 20
"""How much of a large payload is looked at together."""


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
        room = max(needed, PART_BYTES, len(self.data) - used + 1)
        # The system provides only the part of a large buffer that is written to.
        out = BytesIO() if room <= PART_BYTES else BytesIO(bytes(min(room, ALWAYS_ALLOWED)))
        before = out.write(memoryview(self.data)[used:])
        self.data = b""  # not both
        try:
            while out.tell() < room and (piece := next(self._pieces, None)) is not None:
                out.write(piece)
        except UndecodablePayload as failure:
            self._failure = type(failure)(str(failure))  # without the frames that keep what was read alive
        out.truncate()
        self.data = out.getvalue()  # without a copy
        if len(self.data) == before and self._failure is not None:
            raise self._failure
        return len(self.data) > before
