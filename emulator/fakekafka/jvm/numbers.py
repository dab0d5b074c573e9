"""How Java makes whole numbers of others: a cast stops at the ends of the type, and NaN becomes 0 (JLS 5.1.3)."""

import math
from typing import Final

MAX_INT: Final = 2**31 - 1
MAX_LONG: Final = 2**63 - 1


def whole(value: float, largest: int = MAX_INT) -> int:
    """`value` cast to the type whose largest number is `largest`."""
    if math.isnan(value):
        return 0
    return math.trunc(value) if abs(value) < largest else largest if value > 0 else -largest - 1


def rounded(value: float) -> int:
    """The long that is closest to `value` (Math.round)."""
    return whole(math.floor(value + 0.5) if abs(value) < MAX_LONG else value, MAX_LONG)


def low_int(number: int) -> int:
    """A long cast to an int: its lower half."""
    return (number + MAX_INT + 1) % (1 << 32) - MAX_INT - 1


def ratio(dividend: float, divisor: float) -> float:
    """`dividend` / `divisor`, where 0 divides, too."""
    if divisor:
        return dividend / divisor
    return math.copysign(math.inf, dividend) * math.copysign(1, divisor) if dividend else math.nan
