"""ShareGroupDescribe, key 77: state and members of share groups (KIP-932).

Behaviour: error 69 for a group of another kind; error 35 while share groups are off.
Versions: 1; version 0 was the early access of 3.9 and 4.0.
"""

from typing import Final

from fakekafka.coordinators.groups.consumer.group import Assignment as Assigned
from fakekafka.coordinators.groups.share.group import ShareGroup, ShareMember
from fakekafka.coordinators.hash_order import named_partitions
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.handlers.delete_share_group_offsets import words_for
from fakekafka.pieces import Stepwise, in_turn
from fakekafka.wire.apis.share_group_describe import (
    Assignment,
    DescribedGroup,
    Member,
    ShareGroupDescribeRequest,
    ShareGroupDescribeResponse,
    TopicPartitions,
)

ASSIGNOR: Final = "simple"


@stepwise
def handle(request: ShareGroupDescribeRequest, call: Call) -> Stepwise[Result]:
    """Describe each group."""
    asked = dict.fromkeys(request.group_ids)
    groups = dict(zip(asked, (yield from in_turn(lambda group_id: _described(call, group_id), asked))))
    if request.include_authorized_operations:
        for group in groups.values():
            if group.error_code == ErrorCode.NONE:
                group.authorized_operations = call.profile.groups.group_operations
    return ShareGroupDescribeResponse(groups=[groups[group_id] for group_id in request.group_ids])


def _described(call: Call, group_id: str) -> DescribedGroup:
    coordinator = call.groups
    if not coordinator.share_groups.is_on:
        return DescribedGroup(error_code=ErrorCode.UNSUPPORTED_VERSION, group_id=group_id)
    status = coordinator.status(group_id) if group_id else ErrorCode.INVALID_GROUP_ID
    if status is not ErrorCode.NONE:
        return DescribedGroup(error_code=status, error_message=words_for(status), group_id=group_id)
    try:
        return _present(call, coordinator.share_groups.require(group_id))
    except ApiError as refused:
        return DescribedGroup(error_code=refused.code, error_message=refused.message, group_id=group_id)


def _present(call: Call, group: ShareGroup) -> DescribedGroup:
    return DescribedGroup(
        error_code=ErrorCode.NONE,
        group_id=group.id,
        group_state=group.state,
        group_epoch=group.epoch,
        assignment_epoch=group.assignment_epoch,
        assignor_name=ASSIGNOR,
        members=[_member(call, member) for member in group.ordered_members()],
    )


def _member(call: Call, member: ShareMember) -> Member:
    return Member(
        member_id=member.id,
        rack_id=member.rack,
        member_epoch=member.epoch,
        client_id=member.client_id,
        client_host=member.client_host,
        subscribed_topic_names=sorted(member.topics),
        assignment=_assignment(call, member.assigned),
    )


def _assignment(call: Call, assigned: Assigned) -> Assignment:
    rows = named_partitions(assigned, call.broker.cluster.topics_by_id)
    return Assignment(
        topic_partitions=[
            TopicPartitions(topic_id=id, topic_name=name, partitions=indexes) for id, name, indexes in rows
        ]
    )
