"""What the broker demands of a config value besides its type, with the broker's words for a refusal.

Each class corresponds to the validator named in its docstring, which is in ConfigDef.java unless another class is
named.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from fakekafka.releases.configs.values import ConfigValue, InvalidConfig, invalid, render


class Range(NamedTuple):
    """`Range.atLeast`, `Range.between`: both ends included, None for no end."""

    low: float
    high: float | None = None

    def check(self, name: str, value: ConfigValue) -> None:
        assert isinstance(value, int | float)
        if value < self.low:
            raise invalid(name, render(value), f"Value must be at least {self.low}")
        if self.high is not None and value > self.high:
            raise invalid(name, render(value), f"Value must be no more than {self.high}")


class OneOf(NamedTuple):
    """`ValidString`: one of these words."""

    words: tuple[str, ...]

    def check(self, name: str, value: ConfigValue) -> None:
        if value not in self.words:
            raise invalid(name, value, f"String must be one of: {', '.join(self.words)}")


class OneOfAnyCase(NamedTuple):
    """`CaseInsensitiveValidString`: one of these words, in upper or lower case."""

    words: tuple[str, ...]

    def check(self, name: str, value: ConfigValue) -> None:
        if str(value).upper() not in self.words:
            raise invalid(name, value, f"String must be one of (case insensitive): {', '.join(self.words)}")


class EachOf(NamedTuple):
    """`ValidList.in` up to 4.1: every element is one of these words."""

    words: tuple[str, ...]

    def check(self, name: str, value: ConfigValue) -> None:
        assert isinstance(value, tuple)
        for element in value:
            OneOf(self.words).check(name, element)


class Elements(NamedTuple):
    """`ValidList` as KIP-1161 made it in 4.2: no duplicates, no empty elements, and a rule for the empty list."""

    words: tuple[str, ...] = ()
    may_be_empty: bool = True

    def check(self, name: str, value: ConfigValue) -> None:
        assert isinstance(value, tuple)
        if not value and not self.may_be_empty:
            allowed = f"[{', '.join(self.words)}]" if self.words else "any non-empty value"
            raise InvalidConfig(f"Configuration '{name}' must not be empty. Valid values include: {allowed}")
        if len(set(value)) < len(value):
            raise InvalidConfig(f"Configuration '{name}' values must not be duplicated.")
        for element in value:
            if not element:
                raise InvalidConfig(f"Configuration '{name}' values must not be empty.")
            if self.words:
                OneOf(self.words).check(name, element)


class NonEmpty(NamedTuple):
    """`NonEmptyString`."""

    def check(self, name: str, value: ConfigValue) -> None:
        if value == "":
            raise invalid(name, value, "String must be non-empty")


class AutoOr(NamedTuple):
    """A lambda of the config's own class: -1 ("by itself") or a number in a range, with its own error message."""

    low: int
    high: int | None
    problem: str

    def check(self, name: str, value: ConfigValue) -> None:
        assert isinstance(value, int)
        if value != -1 and (value < self.low or (self.high is not None and value > self.high)):
            raise invalid(name, value, self.problem)


class OffsetReset(NamedTuple):
    """`ShareGroupAutoOffsetResetStrategy.Validator` (KIP-932): where a share group starts."""

    def check(self, name: str, value: ConfigValue) -> None:
        from re import IGNORECASE, fullmatch  # used by one config of 4.x

        duration = r"by_duration:\+?P(?=.)(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+([.,]\d{0,9})?S)?)?"
        if value not in ("earliest", "latest") and not fullmatch(duration, str(value), IGNORECASE):
            words = "'earliest', 'latest' or of the format 'by_duration:<PnDTnHnMn.nS>'."
            problem = f"Invalid value `{value}` for configuration {name}. The value must be either {words}"
            raise invalid(name, value, problem)


class ThrottledReplicas(NamedTuple):
    """`ThrottledReplicaListValidator` (KIP-73): `*`, or partition:broker pairs. The text changed with the releases.

    Empty elements are accepted (asked of 2.6.3 to 2.8.2, whose lists begin with one after an append).
    """

    problem: str
    star_first: bool = True
    """Whether anything may follow a star (KAFKA-10460)."""

    def check(self, name: str, value: ConfigValue) -> None:
        assert isinstance(value, tuple)
        if value[:1] == ("*",) if self.star_first else "".join(value) == "*":
            return
        for element in filter(None, value):
            pair = element.split(":")
            if len(pair) != 2 or not all(part.isascii() and part.isdigit() for part in pair):
                raise invalid(name, f"[{', '.join(value)}]", f"{name} {self.problem}")


class ProtocolVersion(NamedTuple):
    """`ApiVersionValidator`, from 3.3 `MetadataVersionValidator`: a version of the inter-broker protocol."""

    names: frozenset[str]
    """Full names ("0.10.0-IV1") and short ones ("0.10.0")."""
    quote: str

    def check(self, name: str, value: ConfigValue) -> None:
        if protocol_version_name(str(value)) not in self.names:
            raise invalid(name, value, f"Version {self.quote}{value}{self.quote} is not a valid version")


def protocol_version_name(text: str) -> str:
    """The part of a version that counts: "0.10.2.1" is "0.10.2", "2.8.1" is "2.8" (ApiVersion.scala)."""
    return ".".join(text.split(".")[: 3 if text.startswith("0.") else 2])


_PAIRS_BY_COLON: Final = "must be the literal '*' or a list of replicas in the following format: "

THROTTLED: Final[Mapping[str, ThrottledReplicas]] = {
    "0.10.1": ThrottledReplicas(
        " must match for format [partitionId],[brokerId]:[partitionId],[brokerId]:[partitionId],[brokerId] etc"
    ),
    "0.11.0": ThrottledReplicas(f"{_PAIRS_BY_COLON}[partitionId],[brokerId]:[partitionId],[brokerId]:..."),
    "2.3": ThrottledReplicas(f"{_PAIRS_BY_COLON}[partitionId]:[brokerId],[partitionId]:[brokerId],..."),
    "2.8": ThrottledReplicas(f"{_PAIRS_BY_COLON}[partitionId]:[brokerId],[partitionId]:[brokerId],...", False),
}
"""The formats that the first two texts name are wrong; all releases take pairs partition:broker with commas between."""


def at_least(low: float) -> Range:
    return Range(low)


def between(low: float, high: float) -> Range:
    return Range(low, high)


def one_of(*words: str) -> OneOf:
    return OneOf(words)


def any_case(*words: str) -> OneOfAnyCase:
    return OneOfAnyCase(words)


def each_of(*words: str) -> EachOf:
    return EachOf(words)


def elements(*words: str, empty: bool = True) -> Elements:
    return Elements(words, empty)
