"""The order of Scala's AnyRefMap and LongMap, which keep their entries in one table: where an entry's place is taken,
it goes to another one. They give entries back from the first place to the last.

As in `maps`, it is assumed that nothing was ever removed.
"""

from collections.abc import Sequence
from typing import Final, Generic, TypeAlias, TypeVar

from fakekafka.ids import MAX_INT32

K = TypeVar("K")
Mixed: TypeAlias = tuple[int, K]
"""A key, preceded by its hash code as the map mixes it."""

SMALLEST_MASK: Final = 7
_MASK: Final = 0xFFFFFFFF
_FACTOR: Final = 0x85EBCA6B
_NO_HASH: Final = 0x41081989
"""What AnyRefMap takes for a hash code that is 0 when it is mixed."""


def any_ref_map(hashed: "Sequence[Mixed[K]]") -> list[K]:
    """AnyRefMap, copied from another one. The keys have their own hash codes."""
    return _filled([(_mixed(code) & MAX_INT32 or _NO_HASH, key) for code, key in hashed], len(hashed))


def long_map(hashed: "Sequence[Mixed[K]]", planned: int) -> list[K]:
    """LongMap made for `planned` entries. The key 0 has a place of its own, which comes first. Keys have 32 bits."""
    first = [key for code, key in hashed if code == 0]
    return first + _filled([(_mixed(code), key) for code, key in hashed if code != 0], planned)


def _filled(entries: "Sequence[Mixed[K]]", planned: int) -> list[K]:
    table: _Table[K] = _Table((1 << max(0, planned - 1).bit_length()) - 1 | SMALLEST_MASK)
    for entry in entries:
        table.put(entry)
    return table.keys()


class _Table(Generic[K]):
    def __init__(self, mask: int) -> None:
        self._mask = mask
        self._places: list[Mixed[K] | None] = [None] * (mask + 1)
        self._size = 0

    def put(self, entry: "Mixed[K]") -> None:
        self._place(entry)
        self._size += 1
        if 2 * self._size > self._mask:
            self._grow()

    def keys(self) -> list[K]:
        return [entry[1] for entry in self._places if entry is not None]

    def _place(self, entry: "Mixed[K]") -> None:
        at, tried = entry[0] & self._mask, 0
        while self._places[at] is not None:
            tried += 1
            at = at + 2 * (tried + 1) * tried - 3 & self._mask
        self._places[at] = entry

    def _grow(self) -> None:
        before = self._places
        self._mask = 2 * self._mask + 1
        self._places = [None] * (self._mask + 1)
        for entry in before:
            if entry is not None:
                self._place(entry)


def _mixed(code: int) -> int:
    """The first steps of MurmurHash3's finalizer."""
    mixed = (code ^ code >> 16) * _FACTOR & _MASK
    return mixed ^ mixed >> 13
