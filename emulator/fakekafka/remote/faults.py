"""Fault rules of a cluster in another process."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from fakekafka.control import faults as operations
from fakekafka.control.fault_switches import FaultRule
from fakekafka.errors import UsageError
from fakekafka.faults.actions import Action
from fakekafka.faults.faults import Faults
from fakekafka.faults.match import Apis, matching
from fakekafka.faults.plan import FIRST, write_plan
from fakekafka.faults.rule import Rule
from fakekafka.remote.client import Client
from fakekafka.remote.forwarding import Remote, forwarded
from fakekafka.remote.requests import Fields


class RemoteRule(Remote):
    """One rule. A context manager that removes it at the end."""

    _all = forwarded(operations.faults)
    _remove = forwarded(operations.remove_fault)
    _switch = forwarded(operations.switch_fault)

    def __init__(self, client: Client, rule: FaultRule) -> None:
        super().__init__(client)
        self.id = rule.id
        self._last = rule

    def _looked_up(self) -> FaultRule:
        """The rule as it is now, or as it last was if it is gone."""
        self._last = next((each for each in self._all() if each.id == self.id), self._last._replace(active=False))
        return self._last

    @property
    def hits(self) -> int:
        """How often it has acted."""
        return self._looked_up().hits

    @property
    def active(self) -> bool:
        """Whether it can still act."""
        rule = self._looked_up()
        return rule.active and rule.is_on

    @property
    def near_misses(self) -> list[str]:
        """Descriptions of the requests that differed in only one field."""
        return self._looked_up().near_misses

    def switch(self, on: bool) -> None:
        """Switch the rule off, or on again."""
        self._switch(self.id, on)

    def remove(self) -> None:
        """Remove the rule; the requests that it holds continue."""
        self._looked_up()  # keeps the hits
        if any(each.id == self.id for each in self._all()):
            self._remove(self.id)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.remove()

    def __str__(self) -> str:
        return self._looked_up().text

    def __repr__(self) -> str:
        return f"<Rule {self}>"


class RemoteHeld(RemoteRule):
    """A barrier, see `Held`."""

    _wait = forwarded(operations.wait_for_held)

    def __init__(self, client: Client, rule: FaultRule) -> None:
        super().__init__(client, rule)
        self._taken: list[Fields] = []

    @property
    def rule(self) -> RemoteRule:
        """The rule that holds requests back."""
        return self

    @property
    def requests(self) -> list[Fields]:
        """The requests that have come so far, oldest first."""
        self._note_taken()
        return self._taken

    def _note_taken(self) -> None:
        """Keep the requests that are held now: they disappear with the rule."""
        if any(each.id == self.id for each in self._all()):
            self._taken = self.wait(0)

    def wait(self, count: int = 1, timeout: float = 5.0) -> list[Fields]:
        """Wait until `count` requests are held, at most `timeout` seconds. Raises `TimeoutError`."""
        return list(map(Fields, self._wait(self.id, count, timeout)))

    def release(self) -> None:
        """Release all of them, and hold no more."""
        self.remove()

    def remove(self) -> None:
        self._note_taken()
        super().remove()


class RemoteRules(list[RemoteRule]):
    """Rules in order; as text, the plan that `load` reads."""

    def __init__(self, rules: Iterable[RemoteRule], plan: Callable[[], str]) -> None:
        super().__init__(rules)
        self._plan = plan

    def __str__(self) -> str:
        return self._plan()


R = TypeVar("R", bound=RemoteRule)


def written_as_plan(method: Callable[..., Any], arguments: dict[str, Any]) -> dict[str, Any]:
    """A rule as a plan writes it, made from a call of a method of `Faults`. Raises `UsageError` for functions."""
    usual = {name: each.default for name, each in inspect.signature(method).parameters.items()}
    match = arguments.pop("match", {})
    given = arguments | match
    chosen = {name: value for name, value in given.items() if value is not None and value != usual.get(name)}
    if any(map(callable, chosen.values())):
        raise UsageError("a function cannot be sent to another process")
    name = method.__name__
    first = chosen.pop(FIRST.get(name, name), True)
    return {name: first, **{each: list(v) if isinstance(v, tuple) else v for each, v in chosen.items()}}


def sent(kind: type[R], method: Callable[..., Any]) -> Callable[..., R]:
    """A method that sends a rule; it takes and raises the same as this method of `Faults`."""
    signature = inspect.signature(method)

    @wraps(method)
    def call(self: "RemoteFaults", *args: Any, **kwargs: Any) -> R:
        _, *given = signature.bind(self, *args, **kwargs).arguments.items()
        return self._new(kind, written_as_plan(method, dict(given)))

    return call


class RemoteFaults(Remote):
    """The faults of a cluster in another process; see `Faults`. Functions cannot be sent: there is no `intercept`."""

    _add = forwarded(operations.add_fault)
    _all = forwarded(operations.faults)
    _load = forwarded(operations.load_faults)
    _plan = forwarded(operations.fault_plan)
    clear = forwarded(operations.clear_faults)

    fail = sent(RemoteRule, Faults.fail)
    lose_answer = sent(RemoteRule, Faults.lose_answer)
    drop = sent(RemoteRule, Faults.drop)
    delay = sent(RemoteRule, Faults.delay)
    corrupt = sent(RemoteRule, Faults.corrupt)
    mislead = sent(RemoteRule, Faults.mislead)
    throttle = sent(RemoteRule, Faults.throttle)
    slice = sent(RemoteRule, Faults.slice)
    disconnect = sent(RemoteRule, Faults.disconnect)
    refuse_connections = sent(RemoteRule, Faults.refuse_connections)
    cut_off = sent(RemoteRule, Faults.cut_off)
    down = sent(RemoteRule, Faults.down)
    full_disk = sent(RemoteRule, Faults.full_disk)
    read_error = sent(RemoteRule, Faults.read_error)
    move_leader = sent(RemoteRule, Faults.move_leader)
    move_coordinator = sent(RemoteRule, Faults.move_coordinator)
    move_controller = sent(RemoteRule, Faults.move_controller)
    hold = sent(RemoteHeld, Faults.hold)

    def _new(self, kind: type[R], table: dict[str, Any]) -> R:
        return kind(self._client, self._add(table))

    def add(
        self, action: Action | Rule | Mapping[str, Any], api: Apis = None, *, expected: bool = True, **match: Any
    ) -> RemoteRule:
        """Add a rule after the others; see `Faults.add`. Raises `UsageError` for functions and barriers."""
        if isinstance(action, Mapping):
            return self._new(RemoteRule, dict(action))
        rule = action if isinstance(action, Rule) else Rule(matching(api, match), action, expected=expected)
        (added,) = self.load(write_plan([rule]) + "\n")
        return added

    def load(self, plan: str | Path) -> list[RemoteRule]:
        """Add the rules of a plan: the path of a TOML file, or its text."""
        text = plan if isinstance(plan, str) and "\n" in plan else Path(plan).read_text("utf-8")
        return [RemoteRule(self._client, rule) for rule in self._load(text)]

    @property
    def rules(self) -> RemoteRules:
        """The rules in force, in the order in which they are asked. `str()` of it is a plan."""
        return RemoteRules((RemoteRule(self._client, rule) for rule in self._all() if rule.is_on), self._plan)
