"""Who may commit into a streams group, and who may read what was committed (StreamsGroup.validateOffsetCommit and
validateOffsetFetch).
"""

from typing import Final

from fakekafka.coordinators.groups.streams.group import StreamsGroup
from fakekafka.coordinators.groups.streams.topology import parts, source_map
from fakekafka.errors import ErrorCode
from fakekafka.ids import PartitionIndex, TopicName

FIRST_WITH_MEMBER_EPOCHS: Final = 9
"""Version of OffsetCommit."""


def refusal_of_commit(group: StreamsGroup, epoch: int, member_id: str, version: int) -> ErrorCode:
    """What is wrong with a commit whatever its partitions are. `version`: of OffsetCommit."""
    if epoch < 0 and not group.members:
        return ErrorCode.NONE
    member = group.members.get(member_id)
    if member is None:
        return ErrorCode.UNKNOWN_MEMBER_ID
    if version < FIRST_WITH_MEMBER_EPOCHS:
        return ErrorCode.UNSUPPORTED_VERSION
    return ErrorCode.STALE_MEMBER_EPOCH if epoch > member.epoch else ErrorCode.NONE


def refusal_of_partition(
    group: StreamsGroup, epoch: int, member_id: str, topic: TopicName, partition: PartitionIndex
) -> ErrorCode:
    """May a member commit for a partition in an epoch that is over? It may if it had the task by then (KIP-1251)."""
    member = group.members.get(member_id)
    if member is None or epoch == member.epoch:
        return ErrorCode.NONE
    subtopology = None if group.topology is None else source_map(parts(group.topology)).get(topic)
    if subtopology is None:
        return ErrorCode.STALE_MEMBER_EPOCH
    task = (subtopology, partition)
    since = member.assigned.active.get(task, member.revoking.active.get(task))
    return ErrorCode.STALE_MEMBER_EPOCH if since is None or epoch < since else ErrorCode.NONE


def refusal_of_txn_commit(group: StreamsGroup, epoch: int, member_id: str, instance_id: str | None) -> ErrorCode:
    """The same as `refusal_of_commit` for a transaction; who does not say who it is may always commit."""
    if epoch < 0 and (not group.members or (not member_id and instance_id is None)):
        return ErrorCode.NONE
    member = group.members.get(member_id)
    if member is None:
        return ErrorCode.UNKNOWN_MEMBER_ID
    return ErrorCode.ILLEGAL_GENERATION if epoch > member.epoch else ErrorCode.NONE


def refusal_of_fetch(group: StreamsGroup, epoch: int, member_id: str | None) -> ErrorCode:
    """What is wrong with a member that asks for committed offsets; who does not say who it is may always ask."""
    if member_id is None and epoch < 0:
        return ErrorCode.NONE
    member = group.members.get(member_id or "")
    if member is None:
        return ErrorCode.UNKNOWN_MEMBER_ID
    return ErrorCode.NONE if epoch == member.epoch else ErrorCode.STALE_MEMBER_EPOCH
