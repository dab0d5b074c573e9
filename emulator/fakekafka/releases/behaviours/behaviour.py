"""How a named behaviour is defined, and how it becomes one release's value.

An area is a class whose fields say what a release does in one respect and since when:

    class ConnectionBehaviour(Behaviours):
        unknown_key: Literal["close", "silent"] = history({"0.8.0": "close", "0.9.0": "silent", "0.10.0": "close"})
        \"\"\"What happens to a request whose API key the broker does not know. Recorded from 0.8.2.2 to 4.3.1.\"\"\"

To a type checker the field holds the value, so code that asks `profile.connection.unknown_key` is checked against the
closed set. At run time the class holds the history, and `resolve` makes an instance that holds the values.

A question about one of three words or more is a `cached_property` below the field. It matches all of them, so that mypy
finds the questions that a new word leaves unanswered.
"""

from collections.abc import Iterator, Mapping
from typing import Self, TypeVar, cast

from fakekafka.errors import UsageError
from fakekafka.releases.dated import at, check
from fakekafka.releases.release import FIRST_KRAFT_LINE, Mode, Release

T = TypeVar("T")
Area = TypeVar("Area", bound="Behaviours")


class History:
    """The values of one field by release. `kraft`, if given, is its whole history under KRaft."""

    __slots__ = ("kraft", "values")

    def __init__(self, values: Mapping[str, object], kraft: Mapping[str, object] | None) -> None:
        self.values = values
        self.kraft = kraft

    def at(self, release: Release, mode: Mode) -> object:
        values = self.kraft if self.kraft is not None and mode == "kraft" else self.values
        return at(values, release, before=None)

    def check(self) -> None:
        """Check the dates. Raises `UsageError` if they do not begin with the first release, do not ascend or say
        nothing new.
        """
        check(self.values, first="0.8.0")
        if self.kraft is not None:
            check(self.kraft, first=FIRST_KRAFT_LINE)


def history(values: Mapping[str, T], *, kraft: Mapping[str, T] | None = None) -> T:
    """A field's value by release: `{"0.8.0": first value, "2.5.1": value from then on}`.

    `kraft`: the values under KRaft where they differ, all of them, from 2.8 on.
    """
    return cast("T", History(values, kraft))


class Behaviours:
    """Base of the areas. An instance is one release's values; it cannot be changed."""

    def __setattr__(self, name: str, value: object) -> None:
        raise UsageError(f"{type(self).__name__}.{name} is what the release does: it cannot be changed")

    def values(self) -> dict[str, object]:
        """The value of each field, without the answers to questions about them that were asked already."""
        return {name: vars(self)[name] for name, _ in fields(type(self))}

    def with_value(self, name: str, value: object) -> Self:
        """A copy with another value in one field. Only quirks ask for it."""
        other = object.__new__(type(self))
        other.__dict__.update({**self.values(), name: value})
        return other


def resolve(area: type[Area], release: Release, mode: Mode) -> Area:
    """What `release` does in this area."""
    instance = object.__new__(area)
    instance.__dict__.update({name: field.at(release, mode) for name, field in fields(area)})
    return instance


def fields(area: type[Behaviours]) -> Iterator[tuple[str, History]]:
    """The fields of an area, in the order in which they are written."""
    return ((name, field) for name, field in vars(area).items() if isinstance(field, History))
