"""ConsumerGroupDescribe, key 69: state and members of consumer groups (KIP-848).

Behaviour: error 69 for a group of another kind; error 35 while the protocol is off.
Versions: 0 - 1; the protocol that each member speaks from 1 on.
Not done: the other layout of 3.7, an early access.
"""

from typing import Final

from fakekafka.coordinators.groups.consumer.group import Assignment as Assigned
from fakekafka.coordinators.groups.consumer.group import ConsumerGroup, assignment
from fakekafka.coordinators.groups.consumer.group import Member as GroupMember
from fakekafka.coordinators.hash_order import Filled, named_partitions
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.pieces import Stepwise, in_turn
from fakekafka.wire.apis.consumer_group_describe import (
    Assignment,
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
    DescribedGroup,
    Member,
    TopicPartitions,
)

CLASSIC: Final = 0
CONSUMER: Final = 1
"""Types of members."""


@stepwise
def handle(request: ConsumerGroupDescribeRequest, call: Call) -> Stepwise[Result]:
    """Describe each group."""
    ids = request.group_ids
    if "" in ids and call.profile.consumer_groups.empty_id_spoils_describe:
        spoilt = [DescribedGroup(error_code=ErrorCode.UNKNOWN_SERVER_ERROR, group_id=group_id) for group_id in ids]
        return ConsumerGroupDescribeResponse(groups=spoilt)
    asked = dict.fromkeys(ids)
    groups = dict(zip(asked, (yield from in_turn(lambda group_id: _described(call, group_id), asked))))
    if request.include_authorized_operations:
        for group in groups.values():
            if group.error_code == ErrorCode.NONE:
                group.authorized_operations = call.profile.groups.group_operations
    return ConsumerGroupDescribeResponse(groups=[groups[group_id] for group_id in ids])


def _described(call: Call, group_id: str) -> DescribedGroup:
    coordinator = call.groups
    groups = coordinator.consumer_groups
    if not groups.is_on:
        return DescribedGroup(error_code=ErrorCode.UNSUPPORTED_VERSION, group_id=group_id)
    status = coordinator.status(group_id) if group_id else ErrorCode.INVALID_GROUP_ID
    if status is not ErrorCode.NONE:
        return DescribedGroup(error_code=status, group_id=group_id)
    try:
        return _present(call, groups.require(group_id))
    except ApiError as refused:
        words = refused.message if groups.rules.not_found_words else None
        return DescribedGroup(error_code=refused.code, error_message=words, group_id=group_id)


def _present(call: Call, group: ConsumerGroup) -> DescribedGroup:
    default, *_ = call.groups.consumer_groups.assignors
    return DescribedGroup(
        error_code=ErrorCode.NONE,
        group_id=group.id,
        group_state=group.state,
        group_epoch=group.epoch,
        assignment_epoch=group.assignment_epoch,
        assignor_name=group.assignor(group.members.values(), default, counted_in_hash_map=False),
        members=[_member(call, group, member) for member in group.ordered_members()],
    )


def _member(call: Call, group: ConsumerGroup, member: GroupMember) -> Member:
    return Member(
        member_id=member.id,
        instance_id=member.instance_id,
        rack_id=member.rack,
        member_epoch=member.epoch,
        client_id=member.client_id,
        client_host=member.client_host,
        subscribed_topic_names=sorted(member.topics),
        subscribed_topic_regex=member.regex,
        assignment=_assignment(call, _shown(call, member), _filled(call)),
        target_assignment=_assignment(call, group.target.get(member.id, {}), Filled.PUT),
        member_type=CONSUMER if member.classic is None else CLASSIC,
    )


def _shown(call: Call, member: GroupMember) -> Assigned:
    assigned, revoking = assignment(member.assigned), assignment(member.revoking)
    if call.profile.consumer_groups.described_assignment == "assigned":
        return assigned
    return {t: assigned.get(t, frozenset()) | revoking.get(t, frozenset()) for t in {**assigned, **revoking}}


def _filled(call: Call) -> Filled:
    """How the map of a member's partitions is filled."""
    return Filled.COMPUTED if call.profile.consumer_groups.assignment_epochs else Filled.PUT


def _assignment(call: Call, assigned: Assigned, filled: Filled) -> Assignment:
    rows = named_partitions(assigned, call.broker.cluster.topics_by_id, filled)
    return Assignment(
        topic_partitions=[
            TopicPartitions(topic_id=id, topic_name=name, partitions=indexes) for id, name, indexes in rows
        ]
    )
