"""Groups of every kind as a test sees them: their state and their members."""

from typing import Final, NamedTuple

from fakekafka.cluster.cluster import Cluster
from fakekafka.coordinators.groups.administration import state_name
from fakekafka.coordinators.groups.classic.group import State
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.errors import UsageError
from fakekafka.state.topics import CONSUMER_OFFSETS
from fakekafka.watching.conditions import GetCluster

OTHER_STATES: Final = ("AwaitingSync", "Assigning", "Reconciling", "NotReady")
"""The names of states in old releases and in groups of other protocols."""
STATES: Final = {name.lower(): name for name in (*(state.value for state in State), *OTHER_STATES)}


class GroupState(NamedTuple):
    """A group. An unknown one is "Dead", without members."""

    id: str
    """The group's id."""
    state: str
    """The release's name for the state: "Stable", "Empty", "PreparingRebalance" …"""
    members: tuple[str, ...]
    """Member ids."""
    kind: str
    """ "classic", "consumer", "share" or "streams"."""


def group_state(cluster: Cluster, group_id: str) -> GroupState:
    """A group as its coordinator knows it."""
    for broker in cluster.brokers.values() if CONSUMER_OFFSETS in cluster.topics else ():
        groups = coordinators_of(broker).groups
        for kind in groups.modern:
            if (modern := kind.groups.get(group_id)) is not None:
                return GroupState(group_id, modern.state, tuple(modern.members), kind.KIND)
        group = groups.classic_groups.find(group_id)
        if group is not None:
            return GroupState(group_id, state_name(groups, group.state), tuple(group.members), "classic")
    return GroupState(group_id, State.DEAD.value, (), "classic")


class GroupThere:
    """A group in a state, with a number of members. Raises `UsageError` for a state that no group has."""

    def __init__(self, cluster: GetCluster, group: str, state: str | None, members: int | None) -> None:
        if state is not None and state.lower() not in STATES:
            raise UsageError(f"there is no group state {state!r}: one of {', '.join(STATES.values())}")
        self._cluster = cluster
        self._group = group
        self._state = state
        self._members = members

    def ask(self) -> GroupState | None:
        group = group_state(self._cluster(), self._group)
        right = self._state is None or group.state.lower() == self._state.lower()
        return group if right and self._members in (None, len(group.members)) else None

    def instead(self) -> str:
        group = group_state(self._cluster(), self._group)
        return f"group {self._group!r} is {group.state}, with {len(group.members)} members"
