"""Ending a member's session now, as if the member had been silent for its session timeout."""

from typing import Any

from fakekafka.cluster.cluster import Cluster
from fakekafka.coordinators.groups.classic.group import Group
from fakekafka.coordinators.groups.classic.rebalance import Rebalance
from fakekafka.coordinators.groups.coordinator import GroupCoordinator
from fakekafka.coordinators.groups.modern_group import ModernGroup
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.errors import UsageError
from fakekafka.state.topics import CONSUMER_OFFSETS

SESSION = "session"


def evict(cluster: Cluster, group_id: str, member: str) -> None:
    """Remove the member with this name: a member id, an instance id, or a client id. Raises `UsageError` with the
    members that exist, if none or several match.
    """
    for broker in cluster.brokers.values() if CONSUMER_OFFSETS in cluster.topics else ():
        groups = coordinators_of(broker).groups
        for kind in groups.modern:
            if (modern := kind.groups.get(group_id)) is not None:
                _end_session(modern, _named(modern.members, group_id, member))
                return
        if (group := groups.classic_groups.find(group_id)) is not None:
            remove(groups, group, _named(group.members, group_id, member))
            return
    raise UsageError(f"no group {group_id!r}")


def remove(groups: GroupCoordinator, group: Group, member_id: str) -> None:
    """Remove a member of a classic group; the others share its partitions."""
    Rebalance(groups.classic_groups, group).remove_member(group.members[member_id])


def _end_session(group: ModernGroup[Any, Any], member_id: str) -> None:
    timer = group.timers.get((SESSION, member_id))
    action = None if timer is None else timer.action
    if action is None:
        raise UsageError(f"member {member_id!r} of {group.id!r} has no session")
    group.stop_timer(SESSION, member_id)
    action()


def _named(members: dict[str, Any], group_id: str, name: str) -> str:
    """The id of the member called `name`."""
    if name in members:
        return name
    matching = [id for id, m in members.items() if name in (getattr(m, "instance_id", None), m.client_id)]
    if len(matching) != 1:
        there = ", ".join(f"{id} (client id {m.client_id!r})" for id, m in members.items()) or "none"
        what = "several members are" if matching else "no member is"
        raise UsageError(f"group {group_id!r}: {what} called {name!r}; there are: {there}")
    return matching[0]
