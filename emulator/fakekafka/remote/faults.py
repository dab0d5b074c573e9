"""Fault rules of a cluster elsewhere."""

from collections.abc import Callable
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
    def held(self) -> int:
        """How many requests a barrier holds."""
        return self._now.held or 0

    def switch(self, on: bool) -> None:
        """Switch it off, or on again."""
        self._switch(self.id, on)

    def remove(self) -> None:
        """Remove it; what it holds is let go."""
        self._now  # noqa: B018 - keeps the hits
        if any(each.id == self.id for each in self._all()):
            self._remove(self.id)

    release = remove

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.remove()

    def __str__(self) -> str:
        return self._now.text


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
        return RemoteRule(self._client, self._add(table))

    def load(self, plan: str | Path) -> list[RemoteRule]:
        """Add the rules of a plan: the path of a TOML file, or its text."""
        text = plan if isinstance(plan, str) and "\n" in plan else Path(plan).read_text("utf-8")
        return [RemoteRule(self._client, rule) for rule in self._load(text)]

    @property
    def rules(self) -> list[RemoteRule]:
        """The rules in force."""
        return [RemoteRule(self._client, rule) for rule in self._all() if rule.is_on]
