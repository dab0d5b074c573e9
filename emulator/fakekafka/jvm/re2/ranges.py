"""Sets of code points as ranges."""

from collections.abc import Iterable
from typing import Final, TypeAlias

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""Code points from the first to the last of each pair; in order, with gaps between them."""

LAST_CODE_POINT: Final = 0x10FFFF


def joined(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """The code points of `ranges`, in order and without overlaps."""
    joined_ranges: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if joined_ranges and first <= joined_ranges[-1][1] + 1:
            joined_ranges[-1] = (joined_ranges[-1][0], max(last, joined_ranges[-1][1]))
        else:
            joined_ranges.append((first, last))
    return tuple(joined_ranges)


def negated(ranges: Ranges) -> Ranges:
    """All other code points."""
    gaps, start = [], 0
    for first, last in ranges:
        if start < first:
            gaps.append((start, first - 1))
        start = last + 1
    if start <= LAST_CODE_POINT:
        gaps.append((start, LAST_CODE_POINT))
    return tuple(gaps)
