"""The assignor "simple": every partition has at least one member, every member about as many partitions as the others
(SimpleAssignor). Members may share partitions; there is nothing to give up before others get it.
"""

from collections.abc import Iterable, Mapping
from math import ceil

from fakekafka.broker.consumer_groups.member import Assignment
from fakekafka.ids import PartitionIndex, Uuid

Spot = tuple[Uuid, PartitionIndex]


def simple(
    subscribers: Mapping[str, frozenset[Uuid]],
    before: Mapping[str, Assignment],
    partitions: Mapping[Uuid, Iterable[PartitionIndex]],
) -> dict[str, Assignment]:
    """What each member is to have. Members of one mind are treated together, others topic by topic."""
    shares: dict[str, set[Spot]] = {member: set() for member in subscribers}
    alike = len(set(subscribers.values())) < 2
    topics = sorted(partitions)
    for group in [topics] if alike else [[topic] for topic in topics]:
        members = [m for m, wanted in subscribers.items() if wanted.intersection(group)]
        spots = [(topic, p) for topic in group for p in sorted(partitions[topic])]
        had = {m: {(t, p) for t, ps in before.get(m, {}).items() for p in ps} for m in members}
        for member, share in _shared_out(members, had, spots).items():
            shares[member] |= share
    return {member: _by_topic(share) for member, share in shares.items()}


def _shared_out(members: list[str], had: Mapping[str, set[Spot]], spots: list[Spot]) -> dict[str, set[Spot]]:
    """Share out `spots`: each goes to as many members as it takes for all members to have one."""
    if not members or not spots:
        return {}
    sharing = ceil(len(members) / len(spots))
    mean = sharing * len(spots) / len(members)
    quotas = [ceil(mean * (n + 1)) - ceil(mean * n) for n in range(len(members))]
    holders = dict.fromkeys(spots, 0)
    shares: dict[str, set[Spot]] = {}
    for member, quota in zip(members, quotas):
        shares[member] = set()
        for spot in spots:
            if len(shares[member]) < quota and spot in had[member] and holders[spot] < sharing:
                shares[member].add(spot)
                holders[spot] += 1
    for member, quota in zip(members, quotas):
        for spot in sorted(spots, key=holders.__getitem__):
            if len(shares[member]) < quota and spot not in shares[member] and holders[spot] < sharing:
                shares[member].add(spot)
                holders[spot] += 1
    return shares


def _by_topic(share: Iterable[Spot]) -> Assignment:
    found: dict[Uuid, set[PartitionIndex]] = {}
    for topic, partition in share:
        found.setdefault(topic, set()).add(partition)
    return {topic: frozenset(partitions) for topic, partitions in found.items()}
