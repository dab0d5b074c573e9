"""Members that go: by themselves, or because nothing was heard of them (GroupMetadataManager.streamsGroupFenceMember).

The group epoch grows; the next heartbeat of another member makes the next assignment.
"""

from contextlib import suppress
from typing import TYPE_CHECKING

from fakekafka.coordinators.groups.streams.group import StreamsGroup
from fakekafka.coordinators.groups.streams.member import MemberState, StreamsMember
from fakekafka.coordinators.groups.streams.records import epoch_record, member_tombstones
from fakekafka.errors import ApiError, ErrorCode

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.streams.coordinator import StreamsGroups


def known_member(group: StreamsGroup, member_id: str) -> StreamsMember:
    """The member of this id. Raises `ApiError` 25."""
    member = group.members.get(member_id)
    if member is None:
        raise ApiError(ErrorCode.UNKNOWN_MEMBER_ID, f"Member {member_id} is not a member of group {group.id}.")
    return member


def leave(on: "StreamsGroups", group_id: str, member_id: str, *, shutdown: bool) -> None:
    """A member says that it goes. `shutdown`: and that all others shall stop. Raises `ApiError`."""
    group = on.require(group_id)
    if shutdown:
        group.shutdown_by = group.shutdown_by or member_id
    fence(on, group, known_member(group, member_id))


def fence(on: "StreamsGroups", group: StreamsGroup, member: StreamsMember) -> None:
    """Let a member go. Raises `ApiError`."""
    validated, configs = group.validated_topology_epoch, group.configs
    next_epoch = epoch_record(group.id, group.epoch + 1, group.metadata_hash, validated, configs)
    on.write(group.id, [*member_tombstones(group.id, member.id), next_epoch])


# ---- deadlines


def keep_alive(on: "StreamsGroups", group: StreamsGroup, member_id: str) -> None:
    """A session begins anew."""

    def over() -> None:
        if member_id in group.members:
            with suppress(ApiError):  # nobody asked
                fence(on, group, group.members[member_id])

    group.set_timer("session", member_id, on.timers.after(on.setting(group.id, "session.timeout.ms"), over))


def watch_revocation(on: "StreamsGroups", group: StreamsGroup, member: StreamsMember) -> None:
    """A member must give up tasks within its rebalance timeout, or it has not to any more."""
    if member.state is not MemberState.UNREVOKED_TASKS:
        group.stop_timer("rebalance", member.id)
        return

    def over() -> None:
        now = group.members.get(member.id)
        if now is not None and now.epoch == member.epoch:
            with suppress(ApiError):  # the same
                fence(on, group, now)

    group.set_timer("rebalance", member.id, on.timers.after(member.rebalance_timeout_ms, over))


def take_over(on: "StreamsGroups", groups: dict[str, StreamsGroup]) -> None:
    """Groups were read from the log: every member has a session again."""
    on.groups.update(groups)
    for group in groups.values():
        for member in group.members.values():
            keep_alive(on, group, member.id)
            watch_revocation(on, group, member)
