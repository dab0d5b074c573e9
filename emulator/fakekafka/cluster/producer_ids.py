"""Handing out producer ids (ProducerIdManager).

A broker takes a block of ids at a time from the cluster, where ZooKeeper or the controller counts them, and hands them
out one by one. A block dies with its broker: after a restart ids go on at the next block. So ids of several brokers
are not in order, and ids are skipped.
"""

from collections.abc import Callable
from typing import Final

from fakekafka.ids import ProducerId

BLOCK: Final = 1000


class ProducerIds:
    """The ids that one broker can hand out. `next_block`: returns the first of a block of unused ids."""

    __slots__ = ("_end", "_next", "_next_block")

    def __init__(self, next_block: Callable[[int], ProducerId]) -> None:
        self._next_block = next_block
        self._next: ProducerId = 0
        self._end: ProducerId = 0  # the block is empty at first

    def next(self) -> ProducerId:
        """An unused id."""
        if self._next == self._end:
            self._next = self._next_block(BLOCK)
            self._end = self._next + BLOCK
        self._next += 1
        return self._next - 1
