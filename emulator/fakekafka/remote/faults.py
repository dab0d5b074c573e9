"""Fault rules of a cluster elsewhere."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from fakekafka.control import faults as operations
from fakekafka.control.fault_switches import HOLD, FaultRule
from fakekafka.errors import UsageError
from fakekafka.faults.plan import ACTIONS, FIRST
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

    @property
    def _now(self) -> FaultRule:
        """The rule as it is now, or as it last was if it is gone."""
        self._last = next((each for each in self._all() if each.id == self.id), self._last._replace(active=False))
        return self._last

    @property
    def hits(self) -> int:
        """How often it has acted."""
        return self._now.hits

    @property
    def active(self) -> bool:
        """Whether it can still act."""
        found = self._now
        return found.active and found.is_on

    @property
    def near_misses(self) -> list[str]:
        """Requests that differed in one thing only, in words."""
        return self._now.near_misses

    def switch(self, on: bool) -> None:
        """Switch it off, or on again."""
        self._switch(self.id, on)

    def remove(self) -> None:
        """Remove it; what it holds is let go."""
        self._now  # noqa: B018 - keeps the hits
        if any(each.id == self.id for each in self._all()):
            self._remove(self.id)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.remove()

    def __str__(self) -> str:
        return self._now.text


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
        if any(each.id == self.id for each in self._all()):
            self._taken = self.wait(0)
        return self._taken

    def wait(self, count: int = 1, timeout: float = 5.0) -> list[Fields]:
        """Wait until `count` requests are held, at most `timeout` seconds. Raises `TimeoutError`."""
        return list(map(Fields, self._wait(self.id, count, timeout)))

    def release(self) -> None:
        """Release all of them, and hold no more."""
        self.remove()

    def remove(self) -> None:
        self.requests  # noqa: B018 - keeps them
        super().remove()


class RemoteRules(list[RemoteRule]):
    """Rules in order; as text, the plan that `load` reads."""

    def __init__(self, rules: Iterable[RemoteRule], plan: Callable[[], str]) -> None:
        super().__init__(rules)
        self._plan = plan

    def __str__(self) -> str:
        return self._plan()


class RemoteFaults(Remote):
    """The faults of a cluster elsewhere; see `Faults`. Functions cannot be sent: there is no `intercept`."""

    _add = forwarded(operations.add_fault)
    _all = forwarded(operations.faults)
    _load = forwarded(operations.load_faults)
    plan = forwarded(operations.fault_plan)
    clear = forwarded(operations.clear_faults)

    def __getattr__(self, action: str) -> Callable[..., RemoteRule]:
        """The method of `Faults` with the name of an action: `fail`, `lose_answer`, `disconnect`, `hold` …"""
        if action not in (*ACTIONS, HOLD):
            raise AttributeError(f"there is no fault {action!r}: {', '.join((*ACTIONS, HOLD))}")
        return partial(self.add, action)

    def add(self, action: str, api: Any = None, *first: object, **given: Any) -> RemoteRule:
        """Add a rule: an action by name, what it is for, and its fields as a plan writes them."""
        if any(callable(each) for each in given.values()):
            raise UsageError("a function cannot be sent to another process")
        value = first[0] if first else given.pop(FIRST.get(action, action), True)
        fields = {"api": list(api) if isinstance(api, tuple) else api, **given}
        table = {action: value, **{name: each for name, each in fields.items() if each is not None}}
        kind = RemoteHeld if action == HOLD else RemoteRule
        return kind(self._client, self._add(table))

    def load(self, plan: str | Path) -> list[RemoteRule]:
        """Add the rules of a plan: the path of a TOML file, or its text."""
        text = plan if isinstance(plan, str) and "\n" in plan else Path(plan).read_text("utf-8")
        return [RemoteRule(self._client, rule) for rule in self._load(text)]

    @property
    def rules(self) -> RemoteRules:
        """The rules in force, in the order in which they are asked. `str()` of it is a plan."""
        return RemoteRules((RemoteRule(self._client, rule) for rule in self._all() if rule.is_on), self.plan)
