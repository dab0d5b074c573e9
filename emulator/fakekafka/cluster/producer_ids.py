"""Handing out producer ids (ProducerIdManager).

A broker takes a block of ids at a time from the cluster, where ZooKeeper or the controller counts them, and hands them
out one by one. A block dies with its broker: after a restart ids continue at the next block. So ids of several brokers
are not in order, and ids are skipped. Brokers that take blocks from ZooKeeper take the first one when they start,
whether they need it or not: the second broker's ids begin at 1000.
"""

from collections.abc import Callable
from typing import Final

from fakekafka.ids import ProducerId
from fakekafka.releases.profile import Profile
from fakekafka.releases.protocol_effects import PRODUCER_IDS
from fakekafka.state.configs import BrokerConfig

BLOCK: Final = 1000


class ProducerIds:
    """The ids that one broker can hand out. `next_block`: returns the first of a block of unused ids."""

    __slots__ = ("_end", "_next", "_next_block")

    def __init__(self, next_block: Callable[[int], ProducerId]) -> None:
        self._next_block = next_block
        self._next: ProducerId = 0
        self._end: ProducerId = 0  # the block is empty at first

    def take_block(self) -> None:
        """Continue with a new block."""
        self._next = self._next_block(BLOCK)
        self._end = self._next + BLOCK

    def next(self) -> ProducerId:
        """An unused id."""
        if self._next == self._end:
            self.take_block()
        self._next += 1
        return self._next - 1


def ids_of(profile: Profile, config: BrokerConfig, next_block: Callable[[int], ProducerId]) -> ProducerIds:
    """The ids of a broker that is about to start."""
    ids, protocol = ProducerIds(next_block), config.text("inter.broker.protocol.version")
    if profile.transactions.ids_taken_at_start and not profile.allows(PRODUCER_IDS, protocol):
        ids.take_block()
    return ids
