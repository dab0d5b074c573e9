"""The assignor "simple": every partition has at least one member, every member about as many partitions as the others
(SimpleAssignor, SimpleHomogeneousAssignmentBuilder). Members may share partitions; no member has to give up a partition
before another gets it. Members keep what they have, as far as that is fair. The rest is assigned in the order of hash
maps.

At first (SimpleAssignor before SimpleHomogeneousAssignmentBuilder) every member was hashed onto one partition, and
partitions without a member were assigned in turn; members kept what they had while there was room, except partitions
onto which a member was hashed.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from math import ceil

from fakekafka.coordinators.groups.consumer.group import Assignment
from fakekafka.coordinators.hash_order import topic_order
from fakekafka.ids import PartitionIndex, TopicIdPartition, Uuid
from fakekafka.jvm.hashes import java_hash, uuid_hash

_MASK = 0xFFFFFFFF
_FIRST_TABLE = 16


def simple(
    subscribers: Mapping[str, frozenset[Uuid]],
    before: Mapping[str, Assignment],
    partitions: Mapping[Uuid, Iterable[PartitionIndex]],
    *,
    alike: bool,
) -> dict[str, Assignment]:
    """The target of each member. `alike`: all subscribe to the same topics, which are shared out together."""
    members = list(subscribers)
    shares: dict[str, set[TopicIdPartition]] = {member: set() for member in members}
    for topics in [list(partitions)] if alike else [[topic] for topic in partitions]:
        wanting = [member for member in members if subscribers[member].intersection(topics)]
        tps = [(topic, p) for topic in topics for p in sorted(partitions[topic])]
        had = [{(t, p) for t in topics for p in before.get(member, {}).get(t, ())} for member in wanting]
        for member, share in zip(wanting, _Sharing(had, tps, by_topic=not alike).shares()):
            shares[member] |= share
    return {member: by_topic(share) for member, share in shares.items()}


class _Sharing:
    """Sharing out some partitions among members, which are numbers here."""

    def __init__(
        self, had: Sequence[set[TopicIdPartition]], tps: Sequence[TopicIdPartition], *, by_topic: bool
    ) -> None:
        self._hash = _partition_hash if by_topic else tp_hash
        count = len(had)
        self._sharing = ceil(count / len(tps)) if tps else 0
        mean = self._sharing * len(tps) / count if count else 0.0
        self._quotas = [ceil(mean * (n + 1)) - ceil(mean * n) for n in range(count)]
        self._had = had
        self._spots = tps
        self._shares: list[set[TopicIdPartition]] = [set(held) for held in had]

    def shares(self) -> list[set[TopicIdPartition]]:
        """What each member gets."""
        self._unfilled = {n for n, share in enumerate(self._shares) if len(share) < self._quotas[n]}
        for n, share in enumerate(self._shares):
            surplus = len(share) - self._quotas[n]
            share.difference_update(self._in_table(share, 0)[: max(0, surplus)])
        order = self._in_table(dict.fromkeys(chain(*map(self._in_set, self._had), self._spots)), len(self._spots))
        for tp in order:
            holders = self._holders(tp)
            for n in holders[: max(0, len(holders) - self._sharing)]:
                self._shares[n].discard(tp)
                self._unfilled.add(n)
        self._assign_rest(order)
        return self._shares

    def _holders(self, tp: TopicIdPartition) -> list[int]:
        return [n for n, share in enumerate(self._shares) if tp in share]

    def _assign_rest(self, order: Iterable[TopicIdPartition]) -> None:
        """Go through the partitions; the members take turns."""
        turns: list[int] = sorted(self._unfilled)
        given = False
        for tp in order:
            holders = set(self._holders(tp))
            free = self._sharing - len(holders)
            while free > 0:
                if not turns:
                    if not given:
                        break
                    turns, given = sorted(self._unfilled), False
                    if not turns:
                        break
                n = turns.pop(0)
                if n not in holders:
                    self._shares[n].add(tp)
                    free -= 1
                    given = True
                    if len(self._shares[n]) >= self._quotas[n]:
                        self._unfilled.discard(n)
            if not self._unfilled:
                return

    def _in_set(self, tps: Iterable[TopicIdPartition]) -> list[TopicIdPartition]:
        return sorted(tps, key=lambda tp: tp[1])

    def _in_table(self, tps: Iterable[TopicIdPartition], room: int) -> list[TopicIdPartition]:
        return table_order(tps, room, self._hash)


def table_order(
    tps: Iterable[TopicIdPartition], room: int, hash_of: Callable[[TopicIdPartition], int]
) -> list[TopicIdPartition]:
    """The order of a HashMap created for `room` entries; 0: with the default size."""
    ordered = list(tps)
    size = _FIRST_TABLE if room == 0 else 1 << (int((room + 1) / 0.75 + 1) - 1).bit_length()
    while len(ordered) > size * 3 // 4:
        size *= 2

    def bucket(tp: TopicIdPartition) -> int:
        value = hash_of(tp)
        return (value ^ value >> 16) & size - 1

    return sorted(ordered, key=bucket)


def tp_hash(tp: TopicIdPartition) -> int:
    """TopicIdPartition.hashCode, unsigned, 32 bits wide."""
    return (31 * uuid_hash(tp[0]) + tp[1]) & _MASK


def _partition_hash(tp: TopicIdPartition) -> int:
    return tp[1]


def by_topic(share: Iterable[TopicIdPartition]) -> Assignment:
    """Some partitions as an assignment."""
    partitions_of: dict[Uuid, set[PartitionIndex]] = {}
    for topic, partition in share:
        partitions_of.setdefault(topic, set()).add(partition)
    return {topic: frozenset(partitions) for topic, partitions in partitions_of.items()}


# ---- the first version


def hashed(
    subscribers: Mapping[str, frozenset[Uuid]],
    before: Mapping[str, Assignment],
    partitions: Mapping[Uuid, Iterable[PartitionIndex]],
    *,
    alike: bool,
) -> dict[str, Assignment]:
    """What each member is to have; members and topics in the order of the coordinator's maps. `alike`: all subscribe to
    the same topics.
    """
    wanted = {
        member: [(topic, p) for topic in partitions if topic in topics for p in sorted(partitions[topic])]
        for member, topics in subscribers.items()
    }
    had = _holders(subscribers, before)
    share_out = _to_alike if alike else _to_unlike
    return {member: by_topic(share) for member, share in share_out(wanted, had).items()}


def _holders(members: Iterable[str], before: Mapping[str, Assignment]) -> dict[TopicIdPartition, list[str]]:
    """The members that have each partition, in the order of a HashMap."""
    holders: dict[TopicIdPartition, list[str]] = {}
    for member in members:
        for topic, partitions in before.get(member, {}).items():
            for partition in sorted(partitions):
                holders.setdefault((topic, partition), []).append(member)
    return {tp: holders[tp] for tp in table_order(holders, 0, tp_hash)}


def _hashed_onto(member: str, tps: Sequence[TopicIdPartition]) -> TopicIdPartition:
    value = java_hash(member)
    return tps[abs(value) % len(tps)]


def _to_alike(
    wanted: Mapping[str, Sequence[TopicIdPartition]], had: Mapping[TopicIdPartition, Sequence[str]]
) -> dict[str, set[TopicIdPartition]]:
    shares: dict[str, set[TopicIdPartition]] = {member: set() for member in wanted}
    tps = next(iter(wanted.values()), ())
    if not tps:
        return shares
    fair = -(-len(tps) // len(wanted))
    fixed = {member: _hashed_onto(member, tps) for member in wanted}
    for member, tp in fixed.items():
        shares[member].add(tp)
    for tp, holders in had.items():
        for member in holders:
            if tp in tps and tp not in fixed.values() and len(shares[member]) < fair:
                shares[member].add(tp)
    taken = set().union(*shares.values())
    _deal_out([tp for tp in tps if tp not in taken], shares, fair)
    return shares


def _deal_out(tps: Iterable[TopicIdPartition], shares: dict[str, set[TopicIdPartition]], fair: int) -> None:
    """Assign partitions to one member after the other; members with more than their fair share drop out."""
    dealt_to = list(shares)
    turn = 0
    for tp in tps:
        while len(shares[dealt_to[turn % len(dealt_to)]]) > fair:
            turn %= len(dealt_to)
            del dealt_to[turn]
        turn %= len(dealt_to)
        shares[dealt_to[turn]].add(tp)
        turn += 1


def _to_unlike(
    wanted: Mapping[str, Sequence[TopicIdPartition]], had: Mapping[TopicIdPartition, Sequence[str]]
) -> dict[str, set[TopicIdPartition]]:
    given: dict[TopicIdPartition, list[str]] = {}
    for member, tps in wanted.items():
        if tps:
            given.setdefault(_hashed_onto(member, tps), []).append(member)
    free: dict[Uuid, list[TopicIdPartition]] = {}
    for tp in dict.fromkeys(tp for tps in wanted.values() for tp in tps):
        if tp not in given and tp not in had:
            free.setdefault(tp[0], []).append(tp)
    readers = {topic: [m for m, tps in wanted.items() if any(t == topic for t, _ in tps)] for topic in free}
    for topic in topic_order(free):
        for n, tp in enumerate(free[topic]):
            given.setdefault(tp, []).append(readers[topic][n % len(readers[topic])])
    shares: dict[str, set[TopicIdPartition]] = {member: set() for member in wanted}
    for tp, members in given.items():
        for member in members:
            shares[member].add(tp)
    for tp, holders in had.items():
        for member in holders:
            if tp not in given and tp in wanted[member]:
                shares[member].add(tp)
    return shares
