"""The uniform assignor: every member gets as many partitions as the others, and keeps what it has if possible.

This one is for members that all subscribe to the same topics (UniformHomogeneousAssignmentBuilder); the one for other
members is in `uniform_balance`.
"""

from collections.abc import Iterable

from fakekafka.coordinators.groups.consumer.assignors import Answer, Candidate, Question
from fakekafka.coordinators.groups.consumer.assignors.uniform_balance import balanced
from fakekafka.coordinators.hash_order import partition_order, topic_order
from fakekafka.ids import PartitionIndex, TopicIdPartition, Uuid


def by_count(question: Question) -> Answer:
    """The assignment as 4.0.1 and later make it."""
    return _assigned(question, extra_for_who_has_it=True)


def by_count_of_4_0(question: Question) -> Answer:
    """The assignment up to 4.0.0: the first members get the extra partitions, whichever member had them before."""
    return _assigned(question, extra_for_who_has_it=False)


def _assigned(question: Question, *, extra_for_who_has_it: bool) -> Answer:
    if not question.homogeneous:
        return balanced(question)
    members = question.members
    topics = members[0].topics if members else frozenset()
    if not topics:
        return {}
    quota, extra = divmod(sum(question.partitions[t] for t in topics), len(members))
    free = list(_unassigned(question, topics))
    shares: dict[str, dict[Uuid, set[PartitionIndex]]] = {}
    rooms: list[tuple[str, int]] = []
    for n, member in enumerate(members):
        takes_extra = extra > 0
        kept, given_up, room = _kept(member, topics, quota + takes_extra)
        if takes_extra and room and extra_for_who_has_it and len(members) - n > extra:
            takes_extra = False
            room -= 1
        extra -= takes_extra
        shares[member.id] = kept
        free += given_up
        if room:
            rooms.append((member.id, room))
    for member_id, room in rooms:
        for topic, partition in free[:room]:
            shares[member_id].setdefault(topic, set()).add(partition)
        del free[:room]
    return {member_id: {t: frozenset(p) for t, p in share.items()} for member_id, share in shares.items()}


def _unassigned(question: Question, topics: Iterable[Uuid]) -> Iterable[TopicIdPartition]:
    """Partitions that are in no target."""
    had = {(topic, p) for member in question.members for topic, ps in member.had.items() for p in ps}
    for topic in topic_order(topics):
        yield from ((topic, p) for p in range(question.partitions[topic]) if (topic, p) not in had)


def _kept(
    member: Candidate, topics: frozenset[Uuid], quota: int
) -> tuple[dict[Uuid, set[PartitionIndex]], list[TopicIdPartition], int]:
    """What a member keeps of its target, what it gives up, and how many more it may get."""
    kept: dict[Uuid, set[PartitionIndex]] = {}
    given_up: list[TopicIdPartition] = []
    for topic in topic_order(member.had):
        if topic not in topics:
            continue
        partitions = partition_order(member.had[topic])
        if partitions[:quota]:
            kept[topic] = set(partitions[:quota])
        given_up += [(topic, partition) for partition in partitions[quota:]]
        quota -= min(quota, len(partitions))
    return kept, given_up, quota
