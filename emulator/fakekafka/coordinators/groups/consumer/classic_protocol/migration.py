"""Classic groups become consumer groups, and the other way round, while their members stay (KIP-848's migration).

A member of the consumer protocol that joins a classic group of consumers converts it; the last one that leaves converts
it back. group.consumer.migration.policy says which direction is allowed. Empty groups can always change their kind.

What classic consumers put into JoinGroup and SyncGroup (ConsumerProtocol) is read and written first.
"""

import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fakekafka.coordinators.groups.classic.group import CONSUMER, Group, State
from fakekafka.coordinators.groups.classic.member import JoinResult, SyncResult
from fakekafka.coordinators.groups.classic.member import Member as ClassicGroupMember
from fakekafka.coordinators.groups.classic.rebalance import Rebalance
from fakekafka.coordinators.groups.consumer.group import Assignment, ClassicMember, ConsumerGroup, Member, assignment
from fakekafka.coordinators.groups.consumer.groups import ConsumerGroups
from fakekafka.coordinators.groups.consumer.progress import Partitions
from fakekafka.coordinators.groups.consumer.records import group_records, group_tombstones
from fakekafka.coordinators.groups.runtime import Plan
from fakekafka.coordinators.groups.subscriptions import metadata_hash, subscribed_topics
from fakekafka.coordinators.hash_order import partition_order, topic_order
from fakekafka.errors import ApiError, ErrorCode, MalformedBytes
from fakekafka.wire.codec import decode, encode_bytes
from fakekafka.wire.internal.consumer_protocol import (
    ConsumerProtocolAssignment,
    ConsumerProtocolAssignmentTopicPartition,
    ConsumerProtocolSubscription,
)

if TYPE_CHECKING:
    from fakekafka.cluster.cluster import Cluster


NEWEST = 3
_VERSION = struct.Struct(">h")


def subscription(metadata: bytes) -> ConsumerProtocolSubscription:
    """What a member subscribes to. Raises `MalformedBytes`."""
    return decode(ConsumerProtocolSubscription, version_of(metadata), metadata, _VERSION.size)[0]


def version_of(data: bytes) -> int:
    """The version of a member's metadata, at most the newest known one. Raises `MalformedBytes`."""
    if len(data) < _VERSION.size:
        raise MalformedBytes("no version")
    version: int = _VERSION.unpack_from(data)[0]
    if version < 0:
        raise MalformedBytes(f"version {version}")
    return min(version, NEWEST)


def owned_partitions(cluster: "Cluster", assignment: bytes) -> Partitions:
    """The partitions of an assignment whose topics exist. Raises `MalformedBytes`."""
    if not assignment:
        return {}
    decoded = decode(ConsumerProtocolAssignment, version_of(assignment), assignment, _VERSION.size)[0]
    topics = cluster.topics
    return {topics[t.topic].id: frozenset(t.partitions) for t in decoded.assigned_partitions if t.topic in topics}


def reported_partitions(cluster: "Cluster", wanted: ConsumerProtocolSubscription) -> Partitions:
    """The partitions that a member claims to have."""
    topics = cluster.topics
    return {topics[t.topic].id: frozenset(t.partitions) for t in wanted.owned_partitions if t.topic in topics}


def packed_assignment(cluster: "Cluster", target: Assignment, metadata: bytes) -> bytes:
    """An assignment in the version of the member's own metadata. Raises `MalformedBytes`."""
    version = version_of(metadata)
    by_id = cluster.topics_by_id
    rows = [
        ConsumerProtocolAssignmentTopicPartition(topic=by_id[topic].name, partitions=partition_order(target[topic]))
        for topic in topic_order(target)
        if topic in by_id
    ]
    value = ConsumerProtocolAssignment(assigned_partitions=rows, user_data=None)
    return _VERSION.pack(version) + encode_bytes(value, version)


def plan_for_member(groups: ConsumerGroups, group_id: str, *, joins: bool) -> Plan[ConsumerGroup]:
    """A plan for the consumer group of a request; a member that joins may create the group, or convert a classic group
    of that name. Raises `ApiError` 69.
    """
    group = groups.groups.get(group_id)
    if group is not None:
        return Plan(group)
    if not groups.is_taken(group_id):
        if joins:
            return Plan(groups.new_group(group_id))
        raise ApiError(ErrorCode.GROUP_ID_NOT_FOUND, f"Consumer group {group_id} not found.")
    classic = groups.classic.find(group_id) if joins and groups.rules.migrates else None
    if classic is not None and classic.state is State.EMPTY:
        plan = Plan(groups.new_group(group_id))
        groups.classic.replace_by(plan)
        return plan
    if classic is not None and _upgrades(groups, classic):
        return _upgrade(groups, classic)
    raise ApiError(ErrorCode.GROUP_ID_NOT_FOUND, f"Group {group_id} is not a consumer group.")


# ---- classic to consumer


def _upgrades(groups: ConsumerGroups, classic: Group) -> bool:
    is_small = len(classic.members) <= groups.config.int("group.consumer.max.size")
    return groups.may_upgrade and classic.protocol_type == CONSUMER and is_small


def _upgrade(groups: ConsumerGroups, classic: Group) -> Plan[ConsumerGroup]:
    """The classic group as a consumer group. Its waiting members have to join again, whether or not the plan
    succeeds.
    """
    for member in classic.members.values():
        classic.answer_join(member, JoinResult(ErrorCode.REBALANCE_IN_PROGRESS, member.id))
        classic.answer_sync(member, SyncResult(ErrorCode.REBALANCE_IN_PROGRESS))
    group = groups.new_group(classic.id)
    group.epoch = group.assignment_epoch = classic.generation
    try:
        for old in classic.members.values():
            upgraded = _upgraded_member(groups, classic, old)
            group.put(upgraded)
            group.target[upgraded.id] = assignment(upgraded.assigned)
    except MalformedBytes:
        words = (
            f"Cannot upgrade the classic group {classic.id} to consumer group because the embedded consumer protocol is"
            " malformed."
        )
        raise ApiError(ErrorCode.GROUP_ID_NOT_FOUND, words) from None
    topics = subscribed_topics(groups.cluster, group.topics(group.members.values()))
    if groups.rules.topics_kept == "hash":
        group.metadata_hash = metadata_hash(topics.values())
    elif groups.rules.upgraded_with_topics:
        group.metadata = topics
    plan = Plan(group)
    groups.classic.replace_by(plan)
    plan.add(*group_records(group, with_epochs=groups.rules.assignment_epochs))
    return plan


def _upgraded_member(groups: ConsumerGroups, classic: Group, old: ClassicGroupMember) -> Member:
    wanted = subscription(old.metadata(classic.protocol_name or old.protocols[0][0]))
    owned = owned_partitions(groups.cluster, old.assignment)
    return Member(
        old.id,
        instance_id=old.instance_id,
        rack=wanted.rack_id,
        client_id=old.client_id,
        client_host=old.client_host,
        rebalance_timeout_ms=old.rebalance_timeout_ms,
        topics=frozenset(wanted.topics),
        classic=ClassicMember(old.session_timeout_ms, old.protocols),
        epoch=classic.generation,
        previous_epoch=classic.generation,
        assigned={topic: dict.fromkeys(partitions, classic.generation) for topic, partitions in owned.items()},
    )


# ---- consumer to classic


def downgrades_without(groups: ConsumerGroups, group: ConsumerGroup, gone: Sequence[Member]) -> bool:
    """Whether only members of the classic protocol remain once `gone`, some of the consumer protocol, have left."""
    left = len(group.members) - len(gone)
    return left > 0 and _only_classic_without(groups, group, gone) and left <= groups.config.int("group.max.size")


def downgrades_for_another(groups: ConsumerGroups, group: ConsumerGroup, holder: Member) -> bool:
    """Whether only members of the classic protocol remain once a classic process has a static member's place."""
    may = groups.rules.replaced_downgrades and len(group.members) <= groups.config.int("group.max.size")
    return may and _only_classic_without(groups, group, [holder])


def _only_classic_without(groups: ConsumerGroups, group: ConsumerGroup, gone: Sequence[Member]) -> bool:
    going = {member.id for member in gone}
    kinds = {member.classic is None for id, member in group.members.items() if id not in going}
    return groups.may_downgrade and True not in kinds and any(group.members[id].classic is None for id in going)


def downgrade(groups: ConsumerGroups, group: ConsumerGroup, gone: Sequence[Member]) -> None:
    """Turn the group into a classic group without `gone`; it rebalances at once. Raises `ApiError`."""
    left = [member for member in group.ordered_members() if member not in gone]
    _change_over(groups, Plan(group), classic_group(groups, group, left, {}), {}, rebalances=True)


def downgrade_for(
    groups: ConsumerGroups, plan: Plan[ConsumerGroup], joining: Member, holder: Member, *, rebalances: bool
) -> None:
    """A classic process has taken the place of the last static member of the consumer protocol: turn the group into a
    classic group. `plan`: the plan for its joining. Raises `ApiError`.
    """
    group = plan.group
    left = [member for member in group.ordered_members() if member.id != holder.id]
    classic = classic_group(groups, group, [*left, joining], {joining.id: holder.id})
    _change_over(groups, plan, classic, {holder.id: joining.id}, rebalances=rebalances)


def classic_group(
    groups: ConsumerGroups, group: ConsumerGroup, members: Sequence[Member], replaced: Mapping[str, str]
) -> Group:
    """The group as a classic one. `replaced`: the member whose target assignment is taken over."""
    classic = Group(group.id, State.STABLE, groups.now)
    classic.generation = group.epoch
    for member in members:
        assert member.classic is not None
        downgraded = ClassicGroupMember(
            member.id,
            instance_id=member.instance_id,
            client_id=member.client_id,
            client_host=member.client_host,
            rebalance_timeout_ms=member.rebalance_timeout_ms,
            session_timeout_ms=member.classic.session_timeout_ms,
            protocols=member.classic.protocols,
        )
        classic.add(downgraded, CONSUMER)
    classic.protocol_name = classic.select_protocol()
    classic.load_topics()
    for downgraded in classic.members.values():
        target = group.target.get(replaced.get(downgraded.id, downgraded.id), {})
        metadata = downgraded.metadata(classic.protocol_name)
        downgraded.assignment = packed_assignment(groups.cluster, target, metadata)
    return classic


def _change_over(
    groups: ConsumerGroups, plan: Plan[ConsumerGroup], classic: Group, renamed: Mapping[str, str], *, rebalances: bool
) -> None:
    """Write that the group is now a classic one. `renamed`: as `group_tombstones` takes it."""
    plan.add(*group_tombstones(plan.group, renamed))
    plan.add(groups.classic.record(classic, {member.id: member.assignment for member in classic.members.values()}))
    groups.commit(plan)
    groups.classic.keep(classic)
    rebalance = Rebalance(groups.classic, classic)
    for member in classic.members.values():
        rebalance.keep_alive(member)
    if rebalances:
        rebalance.prepare()
