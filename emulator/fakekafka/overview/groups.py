"""Groups of every kind: members with their partitions, and commits with their lag."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from fakekafka.cluster.broker import Broker
from fakekafka.cluster.cluster import Cluster
from fakekafka.coordinators.groups.administration import CLASSIC, state_name
from fakekafka.coordinators.groups.classic.group import CONSUMER, Group
from fakekafka.coordinators.groups.classic.member import Member
from fakekafka.coordinators.groups.coordinator import GroupCoordinator
from fakekafka.coordinators.groups.modern_group import ModernGroup
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.errors import MalformedBytes
from fakekafka.ids import BrokerId, Offset, PartitionIndex, TimestampMs, TopicName, Uuid
from fakekafka.overview.topics import end_offset
from fakekafka.state.topics import CONSUMER_OFFSETS
from fakekafka.wire.codec import decode
from fakekafka.wire.internal.consumer_protocol import ConsumerProtocolAssignment

NO_STATE = "Empty"
"""The state of a group that exists only through its offsets."""
VERSION_BYTES = 2


class MemberOverview(NamedTuple):
    """One member of a group."""

    id: str
    client_id: str
    host: str
    instance_id: str | None
    """The instance id of a static member (KIP-345)."""
    partitions: list[str]
    """The member's partitions, such as "orders-0"; empty for streams groups."""
    waits: bool
    """Whether the member has joined, and waits for the others."""


class OffsetOverview(NamedTuple):
    """What a group has committed for a partition."""

    topic: TopicName
    partition: PartitionIndex
    offset: Offset
    lag: int | None
    """Records that are still to be read; None if the partition is gone, or has no leader."""
    committed_at_ms: TimestampMs


class GroupOverview(NamedTuple):
    """One group."""

    id: str
    kind: str
    """ "classic", "consumer", "share" or "streams"."""
    state: str
    """The release's name for the state: "Stable", "PreparingRebalance" …"""
    generation: int
    """The epoch, in groups that have epochs."""
    assignor: str | None
    """The protocol that the members of a classic group have agreed on."""
    coordinator: BrokerId
    members: list[MemberOverview]
    offsets: list[OffsetOverview]


def groups_of(cluster: Cluster) -> list[GroupOverview]:
    """Every group, by id. Empty for a cluster without the offsets topic."""
    if CONSUMER_OFFSETS not in cluster.topics:
        return []
    return sorted(group for broker in cluster.brokers.values() for group in _coordinated(broker))


def group_of(cluster: Cluster, group_id: str) -> GroupOverview | None:
    """One group; None if it is unknown."""
    return next((group for group in groups_of(cluster) if group.id == group_id), None)


def _coordinated(broker: Broker) -> Iterator[GroupOverview]:
    groups = coordinators_of(broker).groups
    known: dict[str, None] = dict.fromkeys(groups.offsets.groups())
    for kind in groups.modern:
        for modern in kind.groups.values():
            known.pop(modern.id, None)
            yield _modern(groups, kind.KIND, modern)
    for group in groups.classic_groups.everyone():
        known.pop(group.id, None)
        yield _classic(groups, group)
    for group_id in known:
        yield GroupOverview(
            id=group_id,
            kind=CLASSIC,
            state=NO_STATE,
            generation=0,
            assignor=None,
            coordinator=broker.node_id,
            members=[],
            offsets=_offsets(groups, group_id),
        )


def _classic(groups: GroupCoordinator, group: Group) -> GroupOverview:
    return GroupOverview(
        id=group.id,
        kind=CLASSIC,
        state=state_name(groups, group.state),
        generation=group.generation,
        assignor=group.protocol_name,
        coordinator=groups.broker.node_id,
        members=[_classic_member(group, member) for member in group.members.values()],
        offsets=_offsets(groups, group.id),
    )


def _classic_member(group: Group, member: Member) -> MemberOverview:
    waits = member.join_reply is not None or member.sync_reply is not None
    partitions = sorted(_assigned(member.assignment)) if group.protocol_type == CONSUMER else []
    return MemberOverview(member.id, member.client_id, _host(member.client_host), member.instance_id, partitions, waits)


def _assigned(assignment: bytes) -> Iterator[str]:
    try:
        decoded, _ = decode(ConsumerProtocolAssignment, 0, assignment, VERSION_BYTES)
    except MalformedBytes:
        return
    yield from (f"{part.topic}-{index}" for part in decoded.assigned_partitions for index in part.partitions)


def _modern(groups: GroupCoordinator, kind: str, group: ModernGroup[Any, Any]) -> GroupOverview:
    members = [_modern_member(groups.cluster, member) for member in group.members.values()]
    state = str(getattr(group, "state", NO_STATE))
    offsets = _offsets(groups, group.id)
    return GroupOverview(
        id=group.id,
        kind=kind,
        state=state,
        generation=group.epoch,
        assignor=None,
        coordinator=groups.broker.node_id,
        members=members,
        offsets=offsets,
    )


def _modern_member(cluster: Cluster, member: Any) -> MemberOverview:
    owned = getattr(member, "assigned", None)
    partitions = sorted(_owned(cluster, owned)) if isinstance(owned, Mapping) else []
    instance_id = getattr(member, "instance_id", None)
    return MemberOverview(member.id, member.client_id, _host(member.client_host), instance_id, partitions, False)


def _owned(cluster: Cluster, owned: Mapping[Uuid, Iterable[PartitionIndex]]) -> Iterator[str]:
    for topic_id, partitions in owned.items():
        topic = cluster.topics_by_id.get(topic_id)
        if topic is not None:
            yield from (f"{topic.name}-{index}" for index in partitions)


def _offsets(groups: GroupCoordinator, group_id: str) -> list[OffsetOverview]:
    offsets = []
    for topic, index, committed in groups.offsets.of_group(group_id):
        end = end_offset(groups.cluster, topic, index)
        lag = None if end is None else max(0, end - committed.offset)
        offsets.append(OffsetOverview(topic, index, committed.offset, lag, committed.commit_timestamp))
    return sorted(offsets)


def _host(text: str) -> str:
    """The address without the slash that Java writes in front."""
    return text.removeprefix("/")
