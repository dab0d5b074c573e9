"""Plans: rules as TOML, so that the same faults can be repeated.

    [[fault]]
    fail = "NOT_LEADER_OR_FOLLOWER"        # what it does: the name of an action, and its first value
    api = "Produce"                        # the rest: fields of the action and of the match
    topic = "orders"
    times = 2

    [[fault]]
    delay = 300
    api = ["Fetch", "Metadata"]
    client_id = "slow-*"

    [[fault]]
    refuse_connections = "reset"           # what happens at a time: from after_ms on, for_ms long
    after_ms = 1000
    for_ms = 500

Functions and barriers (`intercept`, `hold`, `where`) cannot be written as text.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any, Final

from fakekafka.errors import ErrorCode, FakeKafkaError, UsageError
from fakekafka.faults.actions import Action, Delay, Drop, Fail, LoseAnswer
from fakekafka.faults.corruption import Corrupt
from fakekafka.faults.events import EVENTS
from fakekafka.faults.match import Match, api_name, matching
from fakekafka.faults.misleading import Mislead
from fakekafka.faults.pacing import Slice, Throttle
from fakekafka.faults.possible import error_named
from fakekafka.faults.rule import Rule

ACTIONS: Final[dict[str, type[Any]]] = {
    action.NAME: action for action in (Fail, LoseAnswer, Drop, Delay, Corrupt, Mislead, Throttle, Slice, *EVENTS)
}
FIRST: Final = {
    "fail": "error",
    "lose_answer": "how",
    "drop": "how",
    "delay": "ms",
    "corrupt": "how",
    "throttle": "bytes_per_s",
    "slice": "bytes",
    "disconnect": "how",
    "refuse_connections": "how",
    "full_disk": "free_bytes",
    "read_error": "files",
    "move_leader": "to",
    "move_coordinator": "to",
    "move_controller": "to",
}
"""The field whose value follows the name of the action."""
TABLE: Final = "fault"


def read_plan(plan: str | Path) -> list[Rule]:
    """The rules of a plan: the path of a file, or text with a newline in it.

    Raises `UsageError`, which names the invalid rule and the valid choices.
    """
    text = plan if isinstance(plan, str) and "\n" in plan else Path(plan).read_text("utf-8")
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as e:
        raise UsageError(f"the plan is not TOML: {e}") from None
    unknown = tables.keys() - {TABLE}
    if unknown:
        raise UsageError(f"a plan holds [[{TABLE}]] tables only, not {', '.join(sorted(unknown))}")
    rules = tables.get(TABLE, [])
    if not isinstance(rules, list):
        raise UsageError(f"a plan holds [[{TABLE}]] tables: write double brackets")
    return [_rule(number, table) for number, table in enumerate(rules, 1)]


def write_plan(rules: Iterable[Rule]) -> str:
    """The plan that holds these rules. Raises `UsageError` for a rule that is a function or a barrier."""
    return "\n".join(map(_written, rules))


def _rule(number: int, table: dict[str, Any]) -> Rule:
    try:
        return rule_of(table)
    except FakeKafkaError as e:
        raise UsageError(f"rule {number} of the plan: {e}") from None


def rule_of(written: Mapping[str, Any]) -> Rule:
    """The rule that a plan writes as this table. Raises `UsageError` with the valid choices."""
    table = dict(written)
    named = [name for name in ACTIONS if name in table]
    if len(named) != 1:
        raise UsageError(f"name one action: {', '.join(ACTIONS)}")
    name, expected = named[0], table.pop("expected", True)
    cls, first = ACTIONS[name], table.pop(name)
    given = {FIRST[name]: first} if name in FIRST and first is not True else {}
    if given.keys() & table.keys():
        raise UsageError(f"{name}: {FIRST[name]} is given twice")
    given |= {each.name: table.pop(each.name) for each in _own(cls) if each.name in table and each.name != "seed"}
    if "error" in given:
        given["error"] = error_named(given["error"])
    if "seed" in {each.name for each in _own(cls)}:
        given["seed"] = table.get("seed", 0)
    for each in _own(cls):
        if each.default is MISSING and each.name not in given:
            raise UsageError(f"{name}: say {each.name}, as in {name} = …")
    rule = Rule(_match(table), cls(**given), expected=expected)
    rule.action.check(rule.match)
    return rule


def _match(table: dict[str, Any]) -> Match:
    api = table.pop("api", None)
    if "where" in table:
        raise UsageError("where= takes a function, which cannot be written down")
    return matching(tuple(api) if isinstance(api, list) else api, table)


def _own(cls: type[Any]) -> list[Field[Any]]:
    return [each for each in fields(cls) if each.init and not each.name.startswith("_")]


def _written(rule: Rule) -> str:
    action, name = rule.action, rule.action.NAME
    if name not in ACTIONS or rule.match.where is not None:
        raise UsageError(f"{rule}: a function or a barrier cannot be written as text")
    first = getattr(action, FIRST[name]) if name in FIRST else None
    lines = [f"[[{TABLE}]]", f"{name} = {_value(True if first is None else first)}"]
    if rule.match.api is not None:
        names = [api_name(key) for key in rule.match.api]
        lines.append(f"api = {_value(names[0] if len(names) == 1 else names)}")
    lines += _lines(action, FIRST.get(name))
    lines += [line for line in _lines(rule.match, "api") if line not in lines]
    if not rule.expected:
        lines.append("expected = false")
    return "\n".join(lines) + "\n"


def _lines(part: Action | Match, but: str | None) -> list[str]:
    return [
        f"{each.name} = {_value(getattr(part, each.name))}"
        for each in _own(type(part))
        if each.name != but
        if each.default is MISSING or getattr(part, each.name) != each.default
    ]


def _value(value: object) -> str:
    if isinstance(value, ErrorCode):
        return _value(value.name)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    return _text(value) if isinstance(value, str) else str(value)


def _text(value: str) -> str:
    """A TOML string: quoted, with special characters escaped."""
    from json import dumps

    return dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
