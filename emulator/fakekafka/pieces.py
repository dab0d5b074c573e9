"""Bytes in pieces that follow each other: buffers, and `Chunks`, which are made or read while they are sent.

A piece has a length before its bytes exist. So the size of an answer can be announced while most of it is still a
file, or not converted yet, and no more than a chunk of it is in memory.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, TypeAlias, TypeVar

from fakekafka.ids import Buffer

A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")
Stepwise: TypeAlias = Generator[None, None, T]
"""Work that takes long: wherever it yields, something else may be done first. Its result is what it returns."""
PER_STEP: Final = 250
"""How many elements of a request are handled in one step: a few milliseconds for most APIs."""
FEW_PER_STEP: Final = 25
"""How many of those that cost more: topics that are created or deleted, with files for each partition, or are described
with all their configs.
"""


def finished(work: Stepwise[T]) -> T:
    """The result of all of the work, done at once."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result


def in_turn(do: Callable[[A], B], of: Iterable[A], per_step: int | None = None) -> Stepwise[list[B]]:
    """What `do` makes of each, `per_step` of them in a step (None: `PER_STEP`). Nothing may change `of` meanwhile."""
    made = []
    for one in of:
        made.append(do(one))
        if not len(made) % (per_step or PER_STEP):
            yield
    return made


def groups_in_turn(
    do: Callable[[A, B], T], groups: Sequence[tuple[A, Sequence[B]]]
) -> Stepwise[list[tuple[A, list[T]]]]:
    """What `do` makes of each group's key and each of its elements, by group: `in_turn` for groups of any size."""
    made = yield from in_turn(lambda both: do(*both), ((key, one) for key, elements in groups for one in elements))
    rest = iter(made)
    return [(key, list(islice(rest, len(elements)))) for key, elements in groups]


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
