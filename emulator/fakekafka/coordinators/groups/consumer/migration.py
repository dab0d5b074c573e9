"""Classic groups become consumer groups, and the other way round, while their members stay (KIP-848's migration).

A member of the consumer protocol that joins a classic group of consumers converts it; the last one that leaves converts
it back. group.consumer.migration.policy says which way is open. Empty groups change their kind in any case.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fakekafka.coordinators.groups.classic.group import CONSUMER, Group
from fakekafka.coordinators.groups.classic.member import JoinResult, SyncResult
from fakekafka.coordinators.groups.classic.member import Member as OldMember
from fakekafka.coordinators.groups.classic.rebalance import keep_alive, prepare_rebalance
from fakekafka.coordinators.groups.classic.states import State
from fakekafka.coordinators.groups.consumer.embedded import owned_partitions, packed_assignment, subscription
from fakekafka.coordinators.groups.consumer.group import ConsumerGroup
from fakekafka.coordinators.groups.consumer.member import ClassicMember, Member, assignment
from fakekafka.coordinators.groups.consumer.records import CoordinatorRecord, encoded, group_records, group_tombstones
from fakekafka.coordinators.groups.consumer.subscriptions import metadata_hash, subscribed_topics
from fakekafka.coordinators.groups.records import group_key, group_value
from fakekafka.errors import ApiError, ErrorCode, MalformedBytes

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.consumer.coordinator import ConsumerGroups


def group_for_member(
    on: "ConsumerGroups", group_id: str, *, joins: bool, records: list[CoordinatorRecord]
) -> ConsumerGroup:
    """The consumer group that a member asks for; who joins may make it. Raises `ApiError` 69.

    What becomes of a classic group of that name is done at once; `records` get what the new group begins with.
    """
    group = on.groups.get(group_id)
    if group is not None:
        return group
    if not on.coordinator.knows(group_id):
        if joins:
            return ConsumerGroup(group_id, on.rules.first_epoch)
        raise ApiError(ErrorCode.GROUP_ID_NOT_FOUND, f"Consumer group {group_id} not found.")
    classic = on.coordinator.group(group_id)
    if joins and classic is not None and classic.state is State.EMPTY:
        return _instead_of_empty(on, classic, records)
    if joins and classic is not None and _upgrades(on, classic):
        return _upgraded(on, classic, records)
    raise ApiError(ErrorCode.GROUP_ID_NOT_FOUND, f"Group {group_id} is not a consumer group.")


def _instead_of_empty(on: "ConsumerGroups", classic: Group, records: list[CoordinatorRecord]) -> ConsumerGroup:
    """An empty classic group gives its name, and its offsets, to a consumer group."""
    records.append((group_key(classic.id), None))
    return ConsumerGroup(classic.id, on.rules.first_epoch)


# ---- classic to consumer


def _upgrades(on: "ConsumerGroups", classic: Group) -> bool:
    is_small = len(classic.members) <= on.config.int("group.consumer.max.size")
    return on.may_upgrade and classic.protocol_type == CONSUMER and is_small


def _upgraded(on: "ConsumerGroups", classic: Group, records: list[CoordinatorRecord]) -> ConsumerGroup:
    """The classic group as a consumer group, which is not kept yet. Whoever waits there has to join again."""
    for member in classic.members.values():
        classic.answer_join(member, JoinResult(ErrorCode.REBALANCE_IN_PROGRESS, member.id))
        classic.answer_sync(member, SyncResult(ErrorCode.REBALANCE_IN_PROGRESS))
    group = ConsumerGroup(classic.id, on.rules.first_epoch)
    group.epoch = group.assignment_epoch = classic.generation
    try:
        for old in classic.members.values():
            upgraded = _member_of_classic(on, classic, old)
            group.put(upgraded)
            group.target[upgraded.id] = assignment(upgraded.assigned)
    except MalformedBytes:
        words = (
            f"Cannot upgrade the classic group {classic.id} to consumer group because the embedded consumer protocol is"
            " malformed."
        )
        raise ApiError(ErrorCode.GROUP_ID_NOT_FOUND, words) from None
    if on.rules.topics_kept == "hash":
        topics = subscribed_topics(on.cluster, group.topics(group.members.values()))
        group.metadata_hash = metadata_hash(topics.values())
    records.append((group_key(classic.id), None))
    records += group_records(group, with_epochs=on.rules.assignment_epochs)
    return group


def _member_of_classic(on: "ConsumerGroups", classic: Group, old: OldMember) -> Member:
    protocol = classic.protocol_name or old.protocols[0][0]
    wanted = subscription(old.metadata(protocol))
    owned = owned_partitions(on.cluster, old.assignment)
    return Member(
        old.id,
        old.instance_id,
        wanted.rack_id,
        old.client_id,
        old.client_host,
        old.rebalance_timeout_ms,
        frozenset(wanted.topics),
        classic=ClassicMember(old.session_timeout_ms, old.protocols),
        epoch=classic.generation,
        previous_epoch=classic.generation,
        assigned={topic: dict.fromkeys(partitions, classic.generation) for topic, partitions in owned.items()},
    )


def forget_classic(on: "ConsumerGroups", group_id: str) -> None:
    """A consumer group of this name was written down: there is no classic one any more."""
    classic = on.coordinator.groups.pop(group_id, None)
    if classic is not None:
        classic.stop_timers()
        classic.become(State.DEAD, on.now)


# ---- consumer to classic


def downgrades_without(on: "ConsumerGroups", group: ConsumerGroup, gone: Sequence[Member]) -> bool:
    """Do only members of the classic protocol stay when some go, one of which speaks the consumer protocol?"""
    left = len(group.members) - len(gone)
    return left > 0 and _only_classic_without(on, group, gone) and left <= on.config.int("group.max.size")


def downgrades_for_another(on: "ConsumerGroups", group: ConsumerGroup, holder: Member) -> bool:
    """Do only members of the classic protocol stay when a classic process takes the place of a static member?"""
    may = on.rules.replaced_downgrades and len(group.members) <= on.config.int("group.max.size")
    return may and _only_classic_without(on, group, [holder])


def _only_classic_without(on: "ConsumerGroups", group: ConsumerGroup, gone: Sequence[Member]) -> bool:
    going = {member.id for member in gone}
    kinds = {member.classic is None for id, member in group.members.items() if id not in going}
    return on.may_downgrade and True not in kinds and any(group.members[id].classic is None for id in going)


def downgrade(on: "ConsumerGroups", group: ConsumerGroup, gone: Sequence[Member]) -> None:
    """Make it a classic group without `gone`, which rebalances at once. Raises `ApiError`."""
    left = [member for member in group.ordered_members() if member not in gone]
    classic = classic_group(on, group, left, {})
    on.append(group.id, [*group_tombstones(group, {}), _classic_record(on, classic)])
    _change_over(on, group, classic)
    prepare_rebalance(on.coordinator, classic)


def downgrade_for(
    on: "ConsumerGroups",
    group: ConsumerGroup,
    joining: Member,
    holder: Member,
    rebalances: bool,
    records: Sequence[CoordinatorRecord],
) -> None:
    """A classic process has taken the place of the last static member of the consumer protocol: the same with it.

    `records`: what its joining writes before. Raises `ApiError`.
    """
    left = [member for member in group.ordered_members() if member.id != holder.id]
    classic = classic_group(on, group, [*left, joining], {joining.id: holder.id})
    on.append(group.id, [*records, *group_tombstones(group, {holder.id: joining.id}), _classic_record(on, classic)])
    _change_over(on, group, classic)
    if rebalances:
        prepare_rebalance(on.coordinator, classic)


def classic_group(
    on: "ConsumerGroups", group: ConsumerGroup, members: Sequence[Member], places: Mapping[str, str]
) -> Group:
    """The group as a classic one. `places`: whose target assignment a member takes over."""
    classic = Group(group.id, State.STABLE, on.now)
    classic.generation = group.epoch
    for member in members:
        assert member.classic is not None
        session_ms, protocols = member.classic
        old = OldMember(
            member.id,
            member.instance_id,
            member.client_id,
            member.client_host,
            member.rebalance_timeout_ms,
            session_ms,
            protocols,
        )
        classic.add(old, CONSUMER)
    classic.protocol_name = classic.select_protocol()
    classic.load_topics()
    for old in classic.members.values():
        target = group.target.get(places.get(old.id, old.id), {})
        old.assignment = packed_assignment(on.cluster, target, old.metadata(classic.protocol_name))
    return classic


def _classic_record(on: "ConsumerGroups", classic: Group) -> CoordinatorRecord:
    assignments = {member.id: member.assignment for member in classic.members.values()}
    return group_key(classic.id), group_value(on.coordinator.values, classic, assignments)


def _change_over(on: "ConsumerGroups", group: ConsumerGroup, classic: Group) -> None:
    on.drop(group)
    on.coordinator.groups[classic.id] = classic
    for member in classic.members.values():
        keep_alive(on.coordinator, classic, member)


def delete_empty(on: "ConsumerGroups", group: ConsumerGroup) -> None:
    """An empty consumer group gives its name to a classic one."""
    on.coordinator.append(group.id, [encoded(record) for record in group_tombstones(group, {})])
    on.drop(group)


def deletion_records(group: ConsumerGroup) -> list[tuple[bytes, bytes | None]]:
    """What is written when a group is deleted."""
    return [encoded(record) for record in group_tombstones(group, {})]
