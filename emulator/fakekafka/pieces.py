"""Bytes in pieces that follow each other: buffers, and `Chunks`, which are made or read while they are sent.

A piece has a length before its bytes exist. So the size of an answer can be announced while most of it is still a
file, or not converted yet, and no more than a chunk of it is in memory.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import TypeAlias, TypeVar

from fakekafka.ids import Buffer

T = TypeVar("T")
Stepwise: TypeAlias = Generator[None, None, T]
"""Work that takes long: wherever it yields, something else may be done first. Its result is what it returns."""


def finished(work: Stepwise[T]) -> T:
    """The result of all of the work, done at once."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result


class BreaksOff(Exception):
    """The announced bytes cannot all be delivered: the sender closes the connection."""


class Chunks:
    """`size` bytes, delivered one buffer at a time; each iteration starts from the beginning. Iterating raises
    `BreaksOff`.
    """

    __slots__ = ("_give", "_size")

    def __init__(self, size: int, give: Callable[[], Iterator[Buffer]]) -> None:
        self._size = size
        self._give = give

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Buffer]:
        return self._give()


Piece: TypeAlias = Buffer | Chunks


def buffers(pieces: Iterable[Piece]) -> Iterator[Buffer]:
    """The pieces as buffers, chunks one after the other. Raises `BreaksOff`."""
    for piece in pieces:
        if isinstance(piece, Chunks):
            yield from piece
        else:
            yield piece


def joined(pieces: Sequence[Piece]) -> Buffer:
    """All pieces as one buffer; a single piece is not copied. Raises `BreaksOff`."""
    if Chunks in map(type, pieces):
        return b"".join(buffers(pieces))
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)  # type: ignore[return-value, arg-type]  # all are buffers


def size_of(pieces: Iterable[Piece]) -> int:
    """How many bytes the pieces have together."""
    return sum(map(len, pieces))
