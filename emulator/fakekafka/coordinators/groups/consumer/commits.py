"""Who may commit into a consumer group, and who may read what was committed (ConsumerGroup.validateOffsetCommit and
validateOffsetFetch).
"""

from typing import TYPE_CHECKING, Final

from fakekafka.coordinators.groups.consumer.group import ConsumerGroup
from fakekafka.coordinators.groups.consumer.member import Member
from fakekafka.errors import ErrorCode
from fakekafka.ids import PartitionIndex, TopicName

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.consumer.coordinator import ConsumerGroups

FIRST_WITH_MEMBER_EPOCHS: Final = 9
"""Version of OffsetCommit."""


def refusal_of_commit(
    on: "ConsumerGroups", group: ConsumerGroup, epoch: int, member_id: str, version: int
) -> ErrorCode:
    """What is wrong with a commit whatever its partitions are. `version`: of OffsetCommit."""
    if epoch < 0 and not group.members:
        return ErrorCode.NONE
    member = group.members.get(member_id)
    if member is None:
        return ErrorCode.UNKNOWN_MEMBER_ID
    if member.classic is None and version < FIRST_WITH_MEMBER_EPOCHS:
        return ErrorCode.UNSUPPORTED_VERSION
    if epoch == member.epoch or (epoch < member.epoch and on.rules.assignment_epochs):
        return ErrorCode.NONE
    return _stale(member)


def refusal_of_partition(
    on: "ConsumerGroups", group: ConsumerGroup, epoch: int, member_id: str, topic: TopicName, partition: PartitionIndex
) -> ErrorCode:
    """May a member commit for a partition that it says it had in an epoch? It may if it had it by then (KIP-1251)."""
    member = group.members.get(member_id)
    if member is None or epoch == member.epoch:
        return ErrorCode.NONE
    known = on.cluster.topics.get(topic)
    topic_id = b"" if known is None else known.id
    since = member.assigned.get(topic_id, {}).get(partition)
    if since is None:
        since = member.revoking.get(topic_id, {}).get(partition)
    return _stale(member) if since is None or epoch < since else ErrorCode.NONE


def refusal_of_txn_commit(group: ConsumerGroup, epoch: int, member_id: str, instance_id: str | None) -> ErrorCode:
    """The same for a commit of a transaction; who does not say who it is may always commit."""
    if epoch < 0 and (not group.members or (not member_id and instance_id is None)):
        return ErrorCode.NONE
    member = group.members.get(member_id)
    if member is None:
        return ErrorCode.UNKNOWN_MEMBER_ID
    return ErrorCode.NONE if epoch == member.epoch else ErrorCode.ILLEGAL_GENERATION


def refusal_of_fetch(group: ConsumerGroup, epoch: int, member_id: str | None) -> ErrorCode:
    """What is wrong with a member that asks for committed offsets; who does not say who it is may always ask."""
    if member_id is None and epoch < 0:
        return ErrorCode.NONE
    member = group.members.get(member_id or "")
    if member is None:
        return ErrorCode.UNKNOWN_MEMBER_ID
    return ErrorCode.NONE if epoch == member.epoch else _stale(member)


def _stale(member: Member) -> ErrorCode:
    return ErrorCode.STALE_MEMBER_EPOCH if member.classic is None else ErrorCode.ILLEGAL_GENERATION
