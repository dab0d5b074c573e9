"""Is it the member that it says it is?"""

from fakekafka.coordinators.groups.consumer.group import ConsumerGroup
from fakekafka.coordinators.groups.consumer.member import Member
from fakekafka.errors import ApiError, ErrorCode


def known_member(group: ConsumerGroup, member_id: str) -> Member:
    """The member of this id. Raises `ApiError` 25."""
    member = group.members.get(member_id)
    if member is None:
        raise ApiError(ErrorCode.UNKNOWN_MEMBER_ID, f"Member {member_id} is not a member of group {group.id}.")
    return member


def check_static(holder: Member | None, member_id: str, instance_id: str) -> Member:
    """The static member, if it is who asks. Raises `ApiError` 25 or 82."""
    if holder is None:
        raise ApiError(ErrorCode.UNKNOWN_MEMBER_ID, f"Instance id {instance_id} is unknown.")
    if holder.id != member_id:
        words = f"Static member {member_id} with instance id {instance_id} was fenced by member {holder.id}."
        raise ApiError(ErrorCode.FENCED_INSTANCE_ID, words)
    return holder
