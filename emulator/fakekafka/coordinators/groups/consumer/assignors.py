"""The server-side assignors, which decide who gets which partitions (RangeAssignor, UniformAssignor).

They see the members in the order of the coordinator's map, and each member's previous target; the same input gives the
same result in every broker of a release. `uniform` is in `uniform`, and for members that subscribe to different topics
in `uniform_balance`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from fakekafka.coordinators.groups.consumer.member import Assignment
from fakekafka.ids import PartitionIndex, Uuid

UNIFORM: Final = "uniform"
RANGE: Final = "range"


class Candidate(NamedTuple):
    """A member as an assignor sees it."""

    id: str
    instance_id: str | None
    topics: frozenset[Uuid]
    had: Assignment
    """Its previous target assignment."""


class Question(NamedTuple):
    """The input of an assignor."""

    members: Sequence[Candidate]
    homogeneous: bool
    """Whether all of them subscribe to the same topics."""
    partitions: Mapping[Uuid, int]
    """The number of partitions of each subscribed topic."""


Answer: TypeAlias = dict[str, Assignment]
Assignor: TypeAlias = Callable[[Question], Answer]


def by_range(question: Question) -> Answer:
    """For each topic, the first partitions go to the first member, by instance id, then by member id (3.9 on)."""
    members = sorted(question.members, key=lambda m: (m.instance_id is None, m.instance_id or m.id))
    found: dict[str, dict[Uuid, frozenset[PartitionIndex]]] = {member.id: {} for member in members}
    for topic, count in question.partitions.items():
        subscribers = [member.id for member in members if topic in member.topics]
        quota, extra = divmod(count, len(subscribers)) if subscribers else (0, 0)
        start = 0
        for n, member_id in enumerate(subscribers):
            end = start + quota + (n < extra)
            if start < end:
                found[member_id][topic] = frozenset(range(start, end))
            start = end
    return dict(found)


def by_sticky_range(question: Question) -> Answer:
    """For each topic, members keep what they had, up to their share, and get the lowest free partitions (3.7, 3.8)."""
    found: dict[str, dict[Uuid, set[PartitionIndex]]] = {member.id: {} for member in question.members}
    for topic, count in question.partitions.items():
        for member_id, partitions in _kept_and_filled(question, topic, count).items():
            found[member_id][topic] = partitions
    return {member_id: {t: frozenset(p) for t, p in topics.items() if p} for member_id, topics in found.items()}


def _kept_and_filled(question: Question, topic: Uuid, count: int) -> dict[str, set[PartitionIndex]]:
    subscribers = [member for member in question.members if topic in member.topics]
    if not subscribers:
        return {}
    quota, extra = divmod(count, len(subscribers))
    shares: dict[str, set[PartitionIndex]] = {}
    wanting: list[tuple[str, int]] = []
    for member in subscribers:
        had = sorted(member.had.get(topic, ()))
        shares[member.id] = set(had[:quota])
        if len(had) > quota and extra:
            extra -= 1
            shares[member.id].add(had[quota])
        else:
            wanting.append((member.id, quota - len(had)))
    kept = set().union(*shares.values())
    free = [partition for partition in range(count) if partition not in kept]
    for member_id, missing in wanting:
        if extra:
            extra -= 1
            missing += 1
        if missing > 0:
            shares[member_id].update(free[:missing])
            del free[:missing]
    return shares
