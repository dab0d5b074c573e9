"""The uniform assignor for members that subscribe to different topics (UniformHeterogeneousAssignmentBuilder of 4.0).

Free partitions go to the subscribers that have the fewest, topic by topic; then partitions move from those that have
the most to those that have the fewest, until no topic improves. It is the algorithm of 4.0; 3.7 to 3.9 have
an older one, whose results may differ.
"""

from collections.abc import Sequence
from typing import Final

from fakekafka.coordinators.groups.consumer.assignors import Answer, Question
from fakekafka.coordinators.hash_order import SizedSet
from fakekafka.ids import PartitionIndex, Uuid

ROUNDS: Final = 16


def balanced(question: Question) -> Answer:
    """The assignment."""
    building = _Building(question)
    if not building.subscribers:
        return {}
    building.assign_free()
    building.balance()
    return building.answer()


class _Building:
    """An assignment under construction. Members are numbers, in the order in which they came."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.subscribers: dict[Uuid, list[int]] = {}
        self.owners: dict[Uuid, list[int]] = {}
        """The owner by topic and partition; -1 if there is none."""
        self.sizes = [0] * len(question.members)
        for n, member in enumerate(question.members):
            for topic in member.topics:
                self.subscribers.setdefault(topic, []).append(n)
        for topic in self.subscribers:
            self.owners[topic] = [-1] * question.partitions[topic]
        for n, member in enumerate(question.members):
            for topic, partitions in member.had.items():
                if topic in member.topics:
                    for partition in partitions:
                        self._give(topic, partition, n)

    def answer(self) -> Answer:
        members = self.question.members
        shares: list[dict[Uuid, set[PartitionIndex]]] = [{} for _ in members]
        for topic, owners in self.owners.items():
            for partition, n in enumerate(owners):
                if n >= 0:
                    shares[n].setdefault(topic, set()).add(partition)
        return {
            member.id: {topic: self._set(topic, p, topic in member.had) for topic, p in share.items()}
            for member, share in zip(members, shares, strict=True)
        }

    def _set(self, topic: Uuid, partitions: set[PartitionIndex], had_some: bool) -> frozenset[PartitionIndex]:
        """The set of a member's partitions: a copy of what it had, or one that is made for an even share."""
        if had_some:
            return frozenset(partitions)
        share = -(-self.question.partitions[topic] // len(self.subscribers[topic]))
        return SizedSet.made_for(share * 4 // 3 + 1, partitions)

    def _give(self, topic: Uuid, partition: PartitionIndex, n: int) -> None:
        old = self.owners[topic][partition]
        if old >= 0:
            self.sizes[old] -= 1
        self.owners[topic][partition] = n
        self.sizes[n] += 1

    def _topics(self) -> list[Uuid]:
        """The topics, beginning with the one that has the most partitions per subscriber."""

        def rank(topic: Uuid) -> tuple[float, int, tuple[int, int]]:
            count = len(self.subscribers[topic])
            halves = int.from_bytes(topic[:8], "big", signed=True), int.from_bytes(topic[8:], "big", signed=True)
            return -self.question.partitions[topic] / count, count, halves

        return sorted(self.subscribers, key=rank)

    def assign_free(self) -> None:
        """Assign the partitions without an owner."""
        for topic in self._topics():
            ranges = _Ranges(self.sizes, self.subscribers[topic])
            for partition, owner in enumerate(self.owners[topic]):
                if owner < 0:
                    self._give(topic, partition, ranges.least_loaded())

    def balance(self) -> None:
        """Move partitions until a whole round moves none."""
        topics = [topic for topic in self._topics() if len(self.subscribers[topic]) > 1]
        last_moved = -1
        for _ in range(ROUNDS):
            for n, topic in enumerate(topics):
                if n == last_moved:
                    return
                if self._balance_topic(topic) or last_moved < 0:
                    last_moved = n

    def _balance_topic(self, topic: Uuid) -> bool:
        """Move partitions of one topic. Returns whether any has moved."""
        subscribers = self.subscribers[topic]
        sizes = [self.sizes[n] for n in subscribers]
        if max(sizes) - min(sizes) <= 1:
            return False
        owned: dict[int, list[PartitionIndex]] = {}
        for partition, owner in enumerate(self.owners[topic]):
            owned.setdefault(owner, []).append(partition)
        ranges = _Ranges(self.sizes, subscribers)
        moved = False
        while not ranges.is_balanced:
            giver = ranges.most_loaded()
            while giver >= 0 and not owned.get(giver):
                ranges.exclude_most_loaded()
                giver = ranges.most_loaded()
            if giver < 0:
                break
            partition = owned[giver].pop()
            taker = ranges.least_loaded()
            if ranges.is_balanced:
                break
            self._give(topic, partition, taker)
            moved = True
        return moved


class _Ranges:
    """Subscribers of a topic by load: from the left those with the fewest partitions, from the right those with the
    most. Each range is traversed once before its level changes and it grows.
    """

    def __init__(self, sizes: Sequence[int], subscribers: Sequence[int]) -> None:
        self._sizes = sizes
        self._sorted = sorted(subscribers, key=lambda n: (sizes[n], n))
        self._low_end = 0
        self._low_count = sizes[self._sorted[0]] - 1
        self._next_low = 0
        self._high_start = self._high_end = len(self._sorted)
        self._high_count = sizes[self._sorted[-1]] + 1
        self._next_high = len(self._sorted) - 1

    @property
    def is_balanced(self) -> bool:
        return self._high_count - self._low_count <= 1

    def least_loaded(self) -> int:
        """The next member to get a partition."""
        if self._next_low >= self._low_end:
            self._low_count += 1
            while self._low_end < len(self._sorted) and self._size(self._low_end) == self._low_count:
                self._low_end += 1
            self._next_low = 0
        self._next_low += 1
        return self._sorted[self._next_low - 1]

    def most_loaded(self) -> int:
        """The next member to give away a partition; -1 if none can."""
        if self._next_high < self._high_start:
            if self._high_end <= self._high_start and self._high_start > 0:
                self._high_count = self._size(self._high_start - 1)
            else:
                self._high_count -= 1
            while self._high_start > 0 and self._size(self._high_start - 1) == self._high_count:
                self._high_start -= 1
            self._next_high = self._high_end - 1
        if self._next_high < 0:
            return -1
        self._next_high -= 1
        return self._sorted[self._next_high + 1]

    def exclude_most_loaded(self) -> None:
        """Note that the last most-loaded member has no partition of this topic to give away."""
        at, end = self._next_high + 1, self._high_end - 1
        self._sorted[at], self._sorted[end] = self._sorted[end], self._sorted[at]
        self._high_end -= 1

    def _size(self, at: int) -> int:
        return self._sizes[self._sorted[at]]
