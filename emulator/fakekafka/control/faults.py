"""Operations on fault rules."""

from collections.abc import Mapping
from typing import Any

from fakekafka.control.desk import Desk
from fakekafka.control.fault_switches import FaultRule
from fakekafka.watching import TIMEOUT_S
from fakekafka.wire.plain import to_plain


def faults(desk: Desk) -> list[FaultRule]:
    """The fault rules, in the order in which they are asked, and those that are switched off."""
    return desk.faults.shown()


def unused_faults(desk: Desk) -> list[str]:
    """The rules that have never acted, though they were expected to, as lines."""
    return list(map(str, desk.kafka.unused_faults()))


def add_fault(desk: Desk, rule: Mapping[str, object]) -> FaultRule:
    """Add a rule, written as in a plan: `{"fail": "NOT_LEADER_OR_FOLLOWER", "api": "Produce", "times": 2}`.

    The actions are the methods of `FakeKafka.faults`, except those that take functions; `{"hold": true, "api":
    "JoinGroup"}` keeps requests back until the rule is removed.
    """
    return desk.faults.add(rule)


def load_faults(desk: Desk, plan: str) -> list[FaultRule]:
    """Add the rules of a plan in TOML."""
    return desk.faults.load(plan)


def fault_plan(desk: Desk) -> str:
    """The rules in force as a plan in TOML; barriers are left out."""
    return desk.faults.plan()


def switch_fault(desk: Desk, id: int, on: bool) -> FaultRule:
    """Switch a rule off, or on again; then it comes after the others."""
    return desk.faults.switch(id, on)


def remove_fault(desk: Desk, id: int) -> None:
    """Remove a rule; the requests that it holds continue."""
    desk.faults.remove(id)


def wait_for_held(desk: Desk, id: int, count: int = 1, timeout: float = TIMEOUT_S) -> list[dict[str, Any]]:
    """Wait until the barrier with this number holds `count` requests; returns them decoded, oldest first."""
    held = desk.faults.barrier(id)
    return [to_plain(request, version) for request, version in zip(held.wait(count, timeout), held.versions)]


def clear_faults(desk: Desk) -> None:
    """Remove every rule."""
    desk.faults.clear()
