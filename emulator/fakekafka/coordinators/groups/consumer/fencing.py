"""Members that go: by themselves, or because nothing was heard of them (GroupMetadataManager)."""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from fakekafka.coordinators.groups.consumer.group import ConsumerGroup
from fakekafka.coordinators.groups.consumer.member import Member
from fakekafka.coordinators.groups.consumer.migration import downgrade, downgrades_without
from fakekafka.coordinators.groups.consumer.records import (
    CoordinatorRecord,
    epoch_record,
    member_tombstones,
    metadata_record,
    regex_tombstone,
)
from fakekafka.coordinators.groups.consumer.subscriptions import metadata_hash, subscribed_topics
from fakekafka.errors import ApiError

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.consumer.coordinator import ConsumerGroups


def fence(on: "ConsumerGroups", group: ConsumerGroup, gone: Sequence[Member]) -> None:
    """Let members go: the group epoch grows; what is left may become a classic group. Raises `ApiError`."""
    if not gone:
        return
    if downgrades_without(on, group, gone):
        downgrade(on, group, gone)
        return
    records = [record for member in gone for record in member_tombstones(group.id, member.id)]
    left = [member for member in group.members.values() if member not in gone]
    dropped = {member.regex for member in gone} & group.regexes.keys() - {member.regex for member in left}
    records += [regex_tombstone(group.id, regex) for regex in sorted(dropped)]
    records += _next_epoch(on, group, left)
    on.write(group.id, records)
    for member in gone:
        group.stop_timers(member.id)


def _next_epoch(on: "ConsumerGroups", group: ConsumerGroup, left: Sequence[Member]) -> list[CoordinatorRecord]:
    topics = subscribed_topics(on.cluster, group.topics(left))
    if on.rules.topics_kept == "hash":
        return [epoch_record(group.id, group.epoch + 1, metadata_hash(topics.values()))]
    changed = [metadata_record(group.id, topics)] if topics != group.metadata else []
    return [*changed, epoch_record(group.id, group.epoch + 1, 0)]


def fence_by_timer(on: "ConsumerGroups", group_id: str, member_id: str) -> None:
    """A member's time is over."""
    group = on.groups.get(group_id)
    member = None if group is None else group.members.get(member_id)
    if group is not None and member is not None:
        with suppress(ApiError):  # nobody asked
            fence(on, group, [member])
