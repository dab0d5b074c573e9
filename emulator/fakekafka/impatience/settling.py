"""Waiting until a group is at rest, while cutting short everything that the broker waits for on its own.

A rebalance takes as long as its slowest member: each learns of it from its next heartbeat, and has to join again. The
broker cannot shorten that; `quick_settings` can, in the client. The broker can end the initial delay at once
(`group.initial.rebalance.delay.ms`).
"""

from collections.abc import Callable
from typing import Protocol

from fakekafka.coordinators.groups.classic.group import Group
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.overview.groups import GroupOverview, group_of
from fakekafka.server.core import Core
from fakekafka.state.topics import CONSUMER_OFFSETS

AT_REST = ("Stable", "Empty")


class Loop(Protocol):
    """The thread that owns the broker."""

    @property
    def core(self) -> Core: ...

    def wait_until(self, is_so: Callable[[], bool], timeout_s: float) -> bool:
        """Block the caller until a condition is met. Returns whether it was met in time."""


def settle(loop: Loop, group_id: str, members: int | None, timeout_s: float) -> GroupOverview:
    """Wait until a group is at rest, with `members` members if a number is given; see `FakeKafka.settle`."""

    def is_settled() -> bool:
        hurry(loop.core, group_id)
        group = group_of(loop.core.cluster, group_id)
        return group is not None and is_at_rest(group, members)

    settled = loop.wait_until(is_settled, timeout_s)
    group = group_of(loop.core.cluster, group_id)
    if not settled or group is None:
        raise TimeoutError(f"group {group_id!r} is not settled after {timeout_s:g} s: {_why(group, members)}")
    return group


def is_at_rest(group: GroupOverview, members: int | None) -> bool:
    """Whether nothing is going on in a group that has as many members as expected; None: at least one."""
    right = len(group.members) == members if members is not None else bool(group.members)
    return right and group.state in AT_REST and not any(member.waits for member in group.members)


def _why(group: GroupOverview | None, members: int | None) -> str:
    if group is None:
        return "nobody has joined it"
    expected = "" if members in (None, len(group.members)) else f" of {members}"
    late = [f"{member.id} ({member.client_id})" for member in group.members if not member.waits]
    what = f"it is {group.state} with {len(group.members)}{expected} members"
    if group.state != "PreparingRebalance" or not late:
        return what
    return (
        f"{what}, and waits for {', '.join(late)} to join again: a member hears of that by its next heartbeat"
        " (see client_config(..., quick=True)), and most clients join only while they are polled"
    )


def hurry(core: Core, group_id: str) -> None:
    """End what a classic group waits for, as far as the broker decides it. On the thread that owns the state."""
    cluster = core.cluster
    for broker in cluster.brokers.values() if CONSUMER_OFFSETS in cluster.topics else ():
        group = coordinators_of(broker).groups.classic_groups.find(group_id)
        if group is not None:
            _end_initial_delay(group)


def _end_initial_delay(group: Group) -> None:
    timer = group.join_timer
    if group.join_is_initial and timer is not None and timer.action is not None and not group.pending_ids:
        action = timer.action
        group.new_member_added = False  # the flag would prolong the delay
        timer.cancel()
        action()
