"""Fault rules as they are seen from outside: numbered, each with a switch, and written as in a plan.

A rule that is switched off is out of force and kept here, with its hits; switched on again, it comes last.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from fakekafka.emulator import FakeKafka
from fakekafka.errors import UsageError
from fakekafka.faults.interception import Held, Hold
from fakekafka.faults.plan import read_plan, write_plan
from fakekafka.faults.rule import Rule

HOLD: Final = "hold"


class FaultRule(NamedTuple):
    """One rule."""

    id: int
    text: str
    """The rule as one line."""
    hits: int
    """How often the rule has acted."""
    is_on: bool
    """Whether the rule is in force."""
    active: bool
    """Whether the rule can still act."""
    near_misses: list[str]
    """Requests that differed in only one field."""
    held: int | None
    """How many requests a barrier holds; None: the rule is not a barrier."""


class FaultSwitches:
    """The rules of one cluster, with their numbers."""

    def __init__(self, kafka: FakeKafka) -> None:
        self._kafka = kafka
        self._rules: dict[int, Rule] = {}
        self._last = 0

    def shown(self) -> list[FaultRule]:
        """Every rule in force, and those that are switched off."""
        in_force = self._number()
        return [self._shown(number, rule, in_force) for number, rule in self._rules.items()]

    def add(self, table: Mapping[str, Any]) -> FaultRule:
        """Add a rule that is written as in a plan, or `{"hold": true, …}`."""
        if HOLD in table:
            match = {name: value for name, value in table.items() if name != HOLD}
            api = match.pop("api", None)
            rule = self._kafka.faults.hold(tuple(api) if isinstance(api, list) else api, **match).rule
            assert isinstance(rule, Rule)
        else:
            (rule,) = (self._kafka.faults.add(planned) for planned in read_plan(_plan(table)))
        number = self._number_one(rule)  # a rule may be over already, such as a disconnection
        return self._shown(number, rule, self._number())

    def load(self, plan: str) -> list[FaultRule]:
        """Add the rules of a plan in TOML. Those that are over already, such as a disconnection, are shown, too."""
        self._number()
        added = self._kafka.faults.load(plan if "\n" in plan else plan + "\n")
        numbers = list(map(self._number_one, added))
        in_force = self._number()
        return [self._shown(number, rule, in_force) for number, rule in zip(numbers, added, strict=True)]

    def switch(self, id: int, on: bool) -> FaultRule:
        """Switch a rule on or off. Raises `UsageError` if there is none with this number."""
        rule, in_force = self._rule_of(id), self._number()
        if not on:
            rule.remove()
        elif rule not in in_force:
            self._kafka.faults.add(rule)
        return self._shown(id, rule, self._number())

    def remove(self, id: int) -> None:
        """Remove a rule; the requests that it holds continue."""
        self._rule_of(id).remove()
        del self._rules[id]

    def barrier(self, id: int) -> Held:
        """The barrier with this number. Raises `UsageError` for another rule."""
        action = self._rule_of(id).action
        if not isinstance(action, Hold):
            raise UsageError(f"fault rule {id} holds nothing: {action.NAME}")
        return action.held

    def clear(self) -> None:
        """Remove every rule."""
        self._kafka.faults.clear()
        self._rules.clear()

    def plan(self) -> str:
        """The rules in force as a plan in TOML; barriers and functions, which no plan can hold, are left out."""
        return write_plan(rule for rule in self._kafka.faults.rules if _can_be_written(rule))

    def _number(self) -> tuple[Rule, ...]:
        """Give a number to every rule in force that has none."""
        in_force = tuple(self._kafka.faults.rules)
        for rule in in_force:
            if not any(rule is known for known in self._rules.values()):
                self._number_one(rule)
        return in_force

    def _number_one(self, rule: Rule) -> int:
        self._last += 1
        self._rules[self._last] = rule
        return self._last

    def _rule_of(self, id: int) -> Rule:
        self._number()
        if id not in self._rules:
            raise UsageError(f"there is no fault rule {id}; there are: {', '.join(map(str, self._rules)) or 'none'}")
        return self._rules[id]

    @staticmethod
    def _shown(number: int, rule: Rule, in_force: tuple[Rule, ...]) -> FaultRule:
        held = len(rule.action.held.requests) if isinstance(rule.action, Hold) else None
        is_on = any(rule is other for other in in_force)
        return FaultRule(number, str(rule), rule.hits, is_on, rule.active, list(rule.near_misses), held)


def _can_be_written(rule: Rule) -> bool:
    try:
        write_plan((rule,))
    except UsageError:
        return False
    return True


def _plan(table: Mapping[str, Any]) -> str:
    """A plan that holds only this rule."""
    return "\n".join(["[[fault]]", *(f"{_key(name)} = {_toml(name, value)}" for name, value in table.items()), ""])


def _key(name: str) -> str:
    return name if name.replace("_", "").isalnum() and name.isascii() else _toml("", name)


def _toml(name: str, value: object) -> str:
    from json import dumps

    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, str):
        return dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_toml(name, each) for each in value)}]"
    raise UsageError(f"{name}: a fault rule holds words, numbers and lists of them, not {value!r}")
