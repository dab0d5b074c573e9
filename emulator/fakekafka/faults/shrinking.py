"""The smallest plan that still breaks something: rules are left out, then simplified, as long as it still breaks."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, Final, TypeAlias

from fakekafka.errors import UsageError
from fakekafka.faults.actions import Action
from fakekafka.faults.match import Match
from fakekafka.faults.rule import Rule

Breaks: TypeAlias = Callable[[Sequence[Rule]], bool]
"""Whether something breaks under these rules."""
LIMITS: Final = ("api", "seed", "nth", "times", "until_ms", "probability")
"""Fields without which a rule would do more than before."""
SMALLER_NUMBERS: Final = ("ms", "jitter_ms", "times", "nth", "after_ms", "until_ms", "gap_ms", "throttle_ms", "time_ms")


def smallest(rules: Sequence[Rule], breaks: Breaks) -> list[Rule]:
    """The smallest plan that can be reached from `rules` by steps under each of which it still breaks.

    Raises `UsageError` if nothing breaks under all the rules.
    """
    smallest_yet = list(rules)
    if not breaks(smallest_yet):
        raise UsageError("nothing breaks under the whole plan")
    while (smaller := next((each for each in _steps(smallest_yet) if breaks(each)), None)) is not None:
        smallest_yet = smaller
    return smallest_yet


def _steps(rules: list[Rule]) -> Iterator[list[Rule]]:
    """Plans that are a little smaller; those that leave out the most come first."""
    if len(rules) > 3:
        half = len(rules) // 2
        yield from (rules[half:], rules[:half])
    for n in range(len(rules)):
        yield rules[:n] + rules[n + 1 :]
    for n, rule in enumerate(rules):
        yield from ([*rules[:n], simpler, *rules[n + 1 :]] for simpler in _simpler(rule))


def _simpler(rule: Rule) -> Iterator[Rule]:
    """Rules that are a little simpler, or have smaller numbers. Those that could never act are left out."""
    for match, action in _variants(rule.match, rule.action):
        try:
            action.check(match)
        except UsageError:
            continue
        yield Rule(match, action, expected=rule.expected)


def _variants(match: Any, action: Any) -> Iterator[tuple[Match, Action]]:
    for field in fields(match):
        value = getattr(match, field.name)
        if field.name not in LIMITS and value != field.default:
            yield replace(match, **{field.name: field.default}), action
        for number in _smaller(field.name, value):
            yield replace(match, **{field.name: number}), action
    for field in fields(action):
        for number in _smaller(field.name, getattr(action, field.name)):
            yield match, replace(action, **{field.name: number})


def _smaller(name: str, value: object) -> list[int]:
    if name not in SMALLER_NUMBERS or not isinstance(value, int) or value <= 1:
        return []
    return [number for number in (1, value // 2, value - 1) if number < value]
