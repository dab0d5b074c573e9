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
from fakekafka.ids import PartitionIndex, Uuid
from fakekafka.jvm.hashes import java_hash, uuid_hash

Spot = tuple[Uuid, PartitionIndex]
_MASK = 0xFFFFFFFF
_FIRST_TABLE = 16


def simple(
    subscribers: Mapping[str, frozenset[Uuid]],
    before: Mapping[str, Assignment],
    partitions: Mapping[Uuid, Iterable[PartitionIndex]],
    *,
    alike: bool,
) -> dict[str, Assignment]:
    """The target of each member. `alike`: all subscribe to the same, so all topics are shared out together."""
    members = list(subscribers)
    shares: dict[str, set[Spot]] = {member: set() for member in members}
    for topics in [list(partitions)] if alike else [[topic] for topic in partitions]:
        wanting = [member for member in members if subscribers[member].intersection(topics)]
        spots = [(topic, p) for topic in topics for p in sorted(partitions[topic])]
        had = [{(t, p) for t in topics for p in before.get(member, {}).get(t, ())} for member in wanting]
        for member, share in zip(wanting, _Sharing(had, spots, by_topic=not alike).shares()):
            shares[member] |= share
    return {member: by_topic(share) for member, share in shares.items()}


class _Sharing:
    """Sharing out some partitions among members, who are numbers here."""

    def __init__(self, had: Sequence[set[Spot]], spots: Sequence[Spot], *, by_topic: bool) -> None:
        self._hash = _partition_hash if by_topic else spot_hash
        count = len(had)
        self._sharing = ceil(count / len(spots)) if spots else 0
        mean = self._sharing * len(spots) / count if count else 0.0
        self._quotas = [ceil(mean * (n + 1)) - ceil(mean * n) for n in range(count)]
        self._had = had
        self._spots = spots
        self._shares: list[set[Spot]] = [set(spots_of) for spots_of in had]

    def shares(self) -> list[set[Spot]]:
        """What each member gets."""
        self._unfilled = {n for n, share in enumerate(self._shares) if len(share) < self._quotas[n]}
        for n, share in enumerate(self._shares):
            surplus = len(share) - self._quotas[n]
            share.difference_update(self._in_table(share, 0)[: max(0, surplus)])
        order = self._in_table(dict.fromkeys(chain(*map(self._in_set, self._had), self._spots)), len(self._spots))
        for spot in order:
            holders = self._holders(spot)
            for n in holders[: max(0, len(holders) - self._sharing)]:
                self._shares[n].discard(spot)
                self._unfilled.add(n)
        self._assign_rest(order)
        return self._shares

    def _holders(self, spot: Spot) -> list[int]:
        return [n for n, share in enumerate(self._shares) if spot in share]

    def _assign_rest(self, order: Iterable[Spot]) -> None:
        """Go through the partitions; the members take turns."""
        turns: list[int] = sorted(self._unfilled)
        given = False
        for spot in order:
            holders = set(self._holders(spot))
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
                    self._shares[n].add(spot)
                    free -= 1
                    given = True
                    if len(self._shares[n]) >= self._quotas[n]:
                        self._unfilled.discard(n)
            if not self._unfilled:
                return

    def _in_set(self, spots: Iterable[Spot]) -> list[Spot]:
        return sorted(spots, key=lambda spot: spot[1])

    def _in_table(self, spots: Iterable[Spot], room: int) -> list[Spot]:
        return table_order(spots, room, self._hash)


def table_order(spots: Iterable[Spot], room: int, hash_of: Callable[[Spot], int]) -> list[Spot]:
    """The order of a HashMap created for `room` entries; 0: with the default size."""
    found = list(spots)
    size = _FIRST_TABLE if room == 0 else 1 << (int((room + 1) / 0.75 + 1) - 1).bit_length()
    while len(found) > size * 3 // 4:
        size *= 2

    def bucket(spot: Spot) -> int:
        value = hash_of(spot)
        return (value ^ value >> 16) & size - 1

    return sorted(found, key=bucket)


def spot_hash(spot: Spot) -> int:
    """TopicIdPartition.hashCode, unsigned, 32 bits wide."""
    return (31 * uuid_hash(spot[0]) + spot[1]) & _MASK


def _partition_hash(spot: Spot) -> int:
    return spot[1]


def by_topic(share: Iterable[Spot]) -> Assignment:
    """Some partitions as an assignment."""
    found: dict[Uuid, set[PartitionIndex]] = {}
    for topic, partition in share:
        found.setdefault(topic, set()).add(partition)
    return {topic: frozenset(partitions) for topic, partitions in found.items()}


# ---- the first version


def hashed(
    subscribers: Mapping[str, frozenset[Uuid]],
    before: Mapping[str, Assignment],
    partitions: Mapping[Uuid, Iterable[PartitionIndex]],
    *,
    alike: bool,
) -> dict[str, Assignment]:
    """What each member is to have; members and topics in the order of the coordinator's maps. `alike`: all subscribe to
    the same.
    """
    wanted = {
        member: [(topic, p) for topic in partitions if topic in topics for p in sorted(partitions[topic])]
        for member, topics in subscribers.items()
    }
    had = _holders(subscribers, before)
    share_out = _to_alike if alike else _to_unlike
    return {member: by_topic(share) for member, share in share_out(wanted, had).items()}


def _holders(members: Iterable[str], before: Mapping[str, Assignment]) -> dict[Spot, list[str]]:
    """The members that have each partition, in the order of a HashMap."""
    found: dict[Spot, list[str]] = {}
    for member in members:
        for topic, partitions in before.get(member, {}).items():
            for partition in sorted(partitions):
                found.setdefault((topic, partition), []).append(member)
    return {spot: found[spot] for spot in table_order(found, 0, spot_hash)}


def _hashed_onto(member: str, spots: Sequence[Spot]) -> Spot:
    value = java_hash(member)
    return spots[abs(value) % len(spots)]


def _to_alike(wanted: Mapping[str, Sequence[Spot]], had: Mapping[Spot, Sequence[str]]) -> dict[str, set[Spot]]:
    shares: dict[str, set[Spot]] = {member: set() for member in wanted}
    spots = next(iter(wanted.values()), ())
    if not spots:
        return shares
    fair = -(-len(spots) // len(wanted))
    fixed = {member: _hashed_onto(member, spots) for member in wanted}
    for member, spot in fixed.items():
        shares[member].add(spot)
    for spot, holders in had.items():
        for member in holders:
            if spot in spots and spot not in fixed.values() and len(shares[member]) < fair:
                shares[member].add(spot)
    taken = set().union(*shares.values())
    _deal_out([spot for spot in spots if spot not in taken], shares, fair)
    return shares


def _deal_out(spots: Iterable[Spot], shares: dict[str, set[Spot]], fair: int) -> None:
    """Assign partitions to one member after the other; members with more than their fair share drop out."""
    dealt_to = list(shares)
    turn = 0
    for spot in spots:
        while len(shares[dealt_to[turn % len(dealt_to)]]) > fair:
            turn %= len(dealt_to)
            del dealt_to[turn]
        turn %= len(dealt_to)
        shares[dealt_to[turn]].add(spot)
        turn += 1


def _to_unlike(wanted: Mapping[str, Sequence[Spot]], had: Mapping[Spot, Sequence[str]]) -> dict[str, set[Spot]]:
    given: dict[Spot, list[str]] = {}
    for member, spots in wanted.items():
        if spots:
            given.setdefault(_hashed_onto(member, spots), []).append(member)
    free: dict[Uuid, list[Spot]] = {}
    for spot in dict.fromkeys(spot for spots in wanted.values() for spot in spots):
        if spot not in given and spot not in had:
            free.setdefault(spot[0], []).append(spot)
    readers = {topic: [m for m, spots in wanted.items() if any(t == topic for t, _ in spots)] for topic in free}
    for topic in topic_order(free):
        for n, spot in enumerate(free[topic]):
            given.setdefault(spot, []).append(readers[topic][n % len(readers[topic])])
    shares: dict[str, set[Spot]] = {member: set() for member in wanted}
    for spot, members in given.items():
        for member in members:
            shares[member].add(spot)
    for spot, holders in had.items():
        for member in holders:
            if spot not in given and spot in wanted[member]:
                shares[member].add(spot)
    return shares
