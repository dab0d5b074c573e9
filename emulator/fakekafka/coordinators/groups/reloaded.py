"""Groups other than classic that were read from the log: their members have deadlines again."""

from collections.abc import Mapping
from typing import Any

from fakekafka.coordinators.groups.consumer.membership import Membership
from fakekafka.coordinators.groups.registry import GroupRegistry
from fakekafka.coordinators.groups.runtime import ModernGroups
from fakekafka.coordinators.groups.share.heartbeat import keep_alive
from fakekafka.coordinators.groups.streams.groups import Membership as StreamsMembership


def start_timers(groups: GroupRegistry, loaded: Mapping[ModernGroups[Any], Mapping[str, Any]]) -> None:
    """Start the sessions of all members, and the other deadlines that they had. `loaded`: groups by kind and id."""
    for consumer_group in loaded.get(groups.consumer_groups, {}).values():
        Membership(groups.consumer_groups, consumer_group).start_timers()
    for share_group in loaded.get(groups.share_groups, {}).values():
        for member_id in share_group.members:
            keep_alive(groups.share_groups, share_group, member_id)
    for streams_group in loaded.get(groups.streams_groups, {}).values():
        StreamsMembership(groups.streams_groups, streams_group).start_timers()
