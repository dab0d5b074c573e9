"""Config values: text to value and back, and the broker's words about values that it refuses (ConfigDef.java).

A value is what a broker computes with: bool, int, float, str, or a tuple of strings for a LIST. None is "not set".
Parsing and the error messages have not changed from 0.9 to 4.3 (asked of each release's own ConfigDef), so nothing here
depends on a release; what is allowed for one config is its validator, and that comes with the release's table.
"""

import math
import re
from enum import IntEnum
from typing import Final, Protocol, TypeAlias

from fakekafka.errors import UsageError

ConfigValue: TypeAlias = bool | int | float | str | tuple[str, ...] | None


class ConfigType(IntEnum):
    """The type of a config, with the number that DescribeConfigs gives it from version 3 on (KIP-569)."""

    BOOLEAN = 1
    STRING = 2
    INT = 3
    SHORT = 4
    LONG = 5
    DOUBLE = 6
    LIST = 7
    CLASS = 8
    PASSWORD = 9


JAVA_DOUBLE: Final = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[fFdD]?")
"""A number without its sign as Double.parseDouble takes it, which also knows "NaN" and "Infinity"."""
JAVA_HEX_DOUBLE: Final = re.compile(r"0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+[fFdD]?")
"""A number with hexadecimal digits as that takes it."""
_BITS: Final = {ConfigType.SHORT: 15, ConfigType.INT: 31, ConfigType.LONG: 63}


class InvalidConfig(UsageError):
    """A value that the broker refuses. The message is the broker's own (ConfigException)."""


class Validator(Protocol):
    """What a broker demands of a value besides its type. Values are never None here: null has its own errors."""

    def check(self, name: str, value: ConfigValue) -> None:
        """Check a value. Raises `InvalidConfig` with the broker's words."""


def parse(name: str, kind: ConfigType, text: str) -> ConfigValue:
    """The value that `text` means for a config of type `kind`. Raises `InvalidConfig`.

    A CLASS stays a name: which classes a broker can load is not known here, but that it needs a name.
    """
    trimmed = text.strip()
    if kind is ConfigType.BOOLEAN:
        if trimmed.lower() not in ("true", "false"):
            raise invalid(name, text, "Expected value to be either true or false")
        return trimmed.lower() == "true"
    if kind is ConfigType.LIST:
        return tuple(element.strip() for element in trimmed.split(",")) if trimmed else ()
    if kind is ConfigType.DOUBLE or kind in _BITS:
        number = _number(kind, trimmed)
        if number is None:
            raise invalid(name, text, f"Not a number of type {kind.name}")
        return number
    if kind is ConfigType.CLASS and not trimmed:
        raise invalid(name, text, f"Class {text} could not be found.")
    return trimmed


def render(value: ConfigValue) -> str | None:
    """The text that DescribeConfigs shows for a value that is not a secret."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(value)
    return java_double(value) if isinstance(value, float) else str(value)


def java_double(value: float) -> str:
    """A number as Java's Double.toString writes it: 0.5, 1000.0, 1.0E7, 1.7976931348623157E308."""
    if value == 0 or 1e-3 <= abs(value) < 1e7 or value != value or value in (float("inf"), float("-inf")):
        return repr(value).replace("inf", "Infinity").replace("nan", "NaN")
    from decimal import Decimal  # imported only here: few values are this large or this small

    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    first, *rest = map(str, digits)
    return f"{'-' * sign}{first}.{''.join(rest) or '0'}E{len(rest) + int(exponent)}"


def invalid(name: str, value: object, problem: str) -> InvalidConfig:
    """ConfigException with a value and a reason."""
    return InvalidConfig(f"Invalid value {value} for configuration {name}: {problem}")


def _number(kind: ConfigType, text: str) -> int | float | None:
    digits = text[1:] if text[:1] in ("+", "-") else text
    if kind is not ConfigType.DOUBLE:
        number = int(text) if digits.isascii() and digits.isdigit() else None
        return number if number is not None and -(1 << _BITS[kind]) <= number < 1 << _BITS[kind] else None
    if JAVA_DOUBLE.fullmatch(digits):
        return float(text.rstrip("dDfF"))
    if JAVA_HEX_DOUBLE.fullmatch(digits):
        return _hexadecimal(text.rstrip("dDfF"))
    return float(text) if digits in ("NaN", "Infinity") else None


def _hexadecimal(text: str) -> float:
    try:
        return float.fromhex(text)
    except OverflowError:
        return -math.inf if text.startswith("-") else math.inf
