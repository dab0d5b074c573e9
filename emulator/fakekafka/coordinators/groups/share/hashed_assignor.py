"""The assignor "simple" as it was at first (SimpleAssignor before SimpleHomogeneousAssignmentBuilder): every member is
hashed onto one partition, and partitions without a member are dealt out in turn.

What members have they keep while there is room, but for partitions onto which somebody is hashed.
"""

from collections.abc import Iterable, Mapping, Sequence

from fakekafka.coordinators.groups.consumer.hash_order import topic_order
from fakekafka.coordinators.groups.consumer.member import Assignment
from fakekafka.coordinators.groups.share.assignor import Spot, by_topic, spot_hash, table_order
from fakekafka.ids import PartitionIndex, Uuid
from fakekafka.jvm.hashes import java_hash


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
    """Who has each partition, in the order of a HashMap."""
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
    """To one member after the other; those who have more than their fair share drop out."""
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
