"""The range assignor: each member gets a range of each topic's partitions (RangeAssignor)."""

from fakekafka.coordinators.groups.consumer.assignors import Answer, Question
from fakekafka.ids import PartitionIndex, Uuid


def by_range(question: Question) -> Answer:
    """For each topic, the first partitions go to the first member, by instance id, then by member id (from 3.9 on)."""
    members = sorted(question.members, key=lambda m: (m.instance_id is None, m.instance_id or m.id))
    assignment: dict[str, dict[Uuid, frozenset[PartitionIndex]]] = {member.id: {} for member in members}
    for topic, count in question.partitions.items():
        subscribers = [member.id for member in members if topic in member.topics]
        quota, extra = divmod(count, len(subscribers)) if subscribers else (0, 0)
        start = 0
        for n, member_id in enumerate(subscribers):
            end = start + quota + (n < extra)
            if start < end:
                assignment[member_id][topic] = frozenset(range(start, end))
            start = end
    return dict(assignment)


def by_sticky_range(question: Question) -> Answer:
    """For each topic, members keep what they had, up to their share, and get the lowest free partitions (3.7, 3.8)."""
    assignment: dict[str, dict[Uuid, set[PartitionIndex]]] = {member.id: {} for member in question.members}
    for topic, count in question.partitions.items():
        for member_id, partitions in _kept_and_filled(question, topic, count).items():
            assignment[member_id][topic] = partitions
    return {member_id: {t: frozenset(p) for t, p in topics.items() if p} for member_id, topics in assignment.items()}


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
