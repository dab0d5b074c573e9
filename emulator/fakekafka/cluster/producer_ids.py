"""Handing out producer ids (ProducerIdManager).

A broker takes a block of ids at a time from the cluster, where ZooKeeper or the controller counts them, and hands them
out one by one. A block dies with its broker: after a restart ids go on at the next block. So ids of several brokers
are not in order, and ids are skipped.
"""

from typing import TYPE_CHECKING, Final

from fakekafka.ids import ProducerId

if TYPE_CHECKING:
    from fakekafka.cluster.cluster import Cluster

BLOCK: Final = 1000


class ProducerIds:
    """The ids that one broker has to give away."""

    __slots__ = ("_cluster", "_end", "_next")

    def __init__(self, cluster: "Cluster") -> None:
        self._cluster = cluster
        self._next: ProducerId = 0
        self._end: ProducerId = 0  # of the block; it is empty at first

    def next(self) -> ProducerId:
        """An id that nobody had."""
        if self._next == self._end:
            self._next = self._cluster.next_producer_id_block(BLOCK)
            self._end = self._next + BLOCK
        self._next += 1
        return self._next - 1
