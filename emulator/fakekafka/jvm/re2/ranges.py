"""Sets of code points as ranges."""

from collections.abc import Iterable
from typing import Final, TypeAlias

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""Code points from the first to the last of each pair; in order, with gaps between them."""

LAST_CODE_POINT: Final = 0x10FFFF


def joined(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """The code points of `ranges`, in order and without overlaps."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return tuple(found)


def negated(ranges: Ranges) -> Ranges:
    """All other code points."""
    found, start = [], 0
    for first, last in ranges:
        if start < first:
            found.append((start, first - 1))
        start = last + 1
    if start <= LAST_CODE_POINT:
        found.append((start, LAST_CODE_POINT))
    return tuple(found)
