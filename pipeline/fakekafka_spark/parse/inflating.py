"""Payloads that are inflated piece by piece, since as a whole some of them would fill a worker's memory."""

from collections.abc import Iterator
from io import BytesIO
from typing import Final

from fakekafka.records.compression import ALWAYS_ALLOWED

PART_BYTES: Final = 4 << 20
"""How much of a large payload is looked at together."""


def at_most(most: int, pieces: Iterator[bytes]) -> bytes | None:
    """All pieces in one; None if they are more than `most` bytes. Raises what inflating raises."""
    kept, size = list[bytes](), 0
    for piece in pieces:
        kept.append(piece)
        size += len(piece)
        if size > most:
            return None
    return kept[0] if len(kept) == 1 else b"".join(kept)


class Inflating:
    """A payload of which only a part is in memory: `data`, which moves on."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self.data = b""

    def move(self, used: int, needed: int = 0) -> bool:
        """Drop the first `used` bytes, and inflate until there are `needed`, or a part; return whether any came. Raises
        what inflating raises.
        """
        room = max(needed, PART_BYTES)
        out = BytesIO(bytes(min(room, ALWAYS_ALLOWED)))  # the system provides only the part that is written to
        before = out.write(memoryview(self.data)[used:])
        self.data = b""  # not both
        while out.tell() < room and (piece := next(self._pieces, None)) is not None:
            out.write(piece)
        out.truncate()
        self.data = out.getvalue()  # without a copy
        return len(self.data) > before
