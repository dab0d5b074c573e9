"""A member says that it leaves, for good or, if it is static, for a while (GroupMetadataManager.consumerGroupLeave)."""

from typing import TYPE_CHECKING

from fakekafka.coordinators.groups.consumer.fencing import fence
from fakekafka.coordinators.groups.consumer.identity import check_static, known_member
from fakekafka.coordinators.groups.consumer.member import AWAY
from fakekafka.coordinators.groups.consumer.records import current_record

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.consumer.coordinator import ConsumerGroups


def leave(on: "ConsumerGroups", group_id: str, member_id: str, instance_id: str | None, epoch: int) -> None:
    """Let a member go. Raises `ApiError`."""
    group = on.require(group_id)
    if instance_id is None:
        member = known_member(group, member_id)
    else:
        member = check_static(group.static_member(instance_id), member_id, instance_id)
    if instance_id is not None and epoch == AWAY:
        away = member.since_epoch_0()._replace(epoch=AWAY)
        on.write(group_id, [current_record(group_id, away, with_epochs=on.rules.assignment_epochs)])
    else:
        fence(on, group, [member])
