"""A rule: when it acts (`Match`), what it does (`Action`), and how often it has acted."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from types import TracebackType
from typing import Final, Self, TypeAlias

from fakekafka.faults.actions import Action
from fakekafka.faults.match import Check, Match, Seen, api_name
from fakekafka.ids import ApiKey, DurationMs

NEAR_MISSES: Final = 5
"""How many near misses are remembered: requests that differed in only one field."""
NearMiss: TypeAlias = tuple[Seen, Check] | str
"""A request and the check that it did not pass, described when somebody asks; or a text about something else."""


class Rule:
    """One fault. It prints as one line; leaving it as a context manager removes it.

    `expected`: whether a test fails if the rule never acts in it (see the pytest plug-in).
    """

    def __init__(self, match: Match, action: Action, *, expected: bool = True) -> None:
        self.match = match
        self.action = action
        self.expected = expected
        self.hits = 0
        """How often it has acted."""
        self.matches = 0
        """How many requests matched, whether it acted or not."""
        self._near_misses: deque[NearMiss] = deque(maxlen=NEAR_MISSES)
        self._for_others: Callable[[], Iterable[Seen]] = tuple
        self.added_ms: DurationMs = 0
        self._dice = match.dice()
        self._remove: Callable[[Rule], None] | None = None

    def join(
        self,
        remove: "Callable[[Rule], None]",
        elapsed_ms: DurationMs,
        for_others: Callable[[], Iterable[Seen]] = tuple,
    ) -> None:
        """Put the rule in force; `remove` ends that. `for_others`: the last requests about which the rule was not
        asked, because they have another API.
        """
        self._remove = remove
        self.added_ms = elapsed_ms
        self._for_others = for_others

    @property
    def near_misses(self) -> list[str]:
        """Descriptions of the last few requests that differed in only one field."""
        return [
            each if isinstance(each, str) else f"{each[0]}: {each[1].words(each[0])}"
            for each in self._all_near_misses()
        ]

    def _all_near_misses(self) -> "list[NearMiss]":
        near_misses: list[NearMiss] = []
        for request in self._for_others():
            differing = [] if self.is_for(request.api) else self.match.differing(request)
            if len(differing) == 1:
                near_misses.append((request, differing[0]))
        return [*near_misses, *self._near_misses][-NEAR_MISSES:]

    @property
    def active(self) -> bool:
        """Whether it can still act."""
        return self._remove is not None and not self.is_spent

    @property
    def is_spent(self) -> bool:
        """Whether it has acted as often as it may."""
        match = self.match
        if match.nth is not None and self.matches >= match.nth:
            return True
        return match.times is not None and self.hits >= match.times

    def hit(self) -> None:
        """Count one more action."""
        self.hits += 1

    def miss(self, text: str) -> None:
        """Note something that nearly matched."""
        self._near_misses.append(text)

    def remove(self) -> None:
        """End the rule, and release what it holds."""
        if self._remove is not None:
            remove, self._remove = self._remove, None
            self._near_misses = deque(self._all_near_misses(), NEAR_MISSES)
            self._for_others = tuple
            remove(self)

    def is_for(self, api: ApiKey) -> bool:
        """Whether the rule is asked about requests of an API."""
        return self.action.ON_REQUESTS and (self.match.api is None or api in self.match.api)

    def acts_on(self, seen: Seen) -> bool:
        """Whether the rule acts on this request, which is counted."""
        if self.is_spent:
            return False
        age_ms = seen.elapsed_ms - self.added_ms
        match = self.match
        if age_ms < (match.after_ms or 0) or (match.until_ms is not None and age_ms >= match.until_ms):
            return False
        differing = match.differing(seen)
        if differing:
            if len(differing) == 1:
                self._near_misses.append((seen, differing[0]))
            return False
        self.matches += 1
        if match.nth is not None and self.matches != match.nth:
            return False
        if self._dice is not None and self._dice.random() >= (match.probability or 0.0):
            return False
        self.hits += 1
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.remove()

    def __str__(self) -> str:
        of_match = (text for text in shown_fields(self.match) if not text.startswith("api="))
        shown = [*shown_fields(self.action), *of_match]
        of_any = " any request" if self.action.ON_REQUESTS else ""
        names = of_any if self.match.api is None else f" {', '.join(map(api_name, self.match.api))}"
        return f"{self.action.NAME}{names}{': ' if shown else ''}{', '.join(shown)} ({_count(self.hits)})"

    def __repr__(self) -> str:
        return f"<Rule {self}>"


def shown_fields(part: Match | Action) -> list[str]:
    """The fields with values other than the default, as `name=value`."""
    assert is_dataclass(part)
    return [
        f"{field.name}={_shown(getattr(part, field.name))}"
        for field in fields(part)
        if field.repr
        if field.default is MISSING or getattr(part, field.name) != field.default
    ]


def _shown(value: object) -> str:
    if isinstance(value, Enum):
        return value.name
    return getattr(value, "__name__", "") if callable(value) else repr(value)


def _count(hits: int) -> str:
    return "never acted" if not hits else "acted once" if hits == 1 else f"acted {hits} times"
