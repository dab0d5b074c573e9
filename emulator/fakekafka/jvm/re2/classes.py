"""Sets of code points: classes by Perl's and POSIX's names, by Unicode's categories and scripts, and case folding."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from fakekafka.jvm.re2.ranges import LAST_CODE_POINT, Ranges, joined, negated

NEWLINE: Final[Ranges] = ((10, 10),)


def _of(text: str) -> Ranges:
    """The class with the ranges in `text`, two characters each."""
    return joined((ord(text[at]), ord(text[at + 1])) for at in range(0, len(text), 2))


ANY: Final[Ranges] = ((0, LAST_CODE_POINT),)
ANY_BUT_NEWLINE: Final = negated(NEWLINE)
DIGIT: Final = _of("09")
WORD: Final = _of("09AZ__az")
PERL: Final[Mapping[str, Ranges]] = {"d": DIGIT, "s": _of("\t\n\f\r  "), "w": WORD}
POSIX: Final[Mapping[str, Ranges]] = {
    "alnum": _of("09AZaz"), "alpha": _of("AZaz"), "ascii": _of("\0\x7f"), "blank": _of("\t\t  "),
    "cntrl": _of("\0\x1f\x7f\x7f"), "digit": DIGIT, "graph": _of("!~"), "lower": _of("az"), "print": _of(" ~"),
    "punct": _of("!/:@[`{~"), "space": _of("\t\r  "), "upper": _of("AZ"), "word": WORD, "xdigit": _of("09AFaf"),
}  # fmt: skip


def unicode_class(name: str) -> Ranges | None:
    """A general category, a script, or `Any`, as of Unicode 6.0. None for another name."""
    from fakekafka.jvm.re2.unicode_6_0 import ranges_of  # large, and rarely needed

    return ANY if name == "Any" else ranges_of(name)


# ---- case folding


def folded(ranges: Ranges) -> Ranges:
    """The code points, and all that differ from one of them only in case."""
    others = _folds()
    if sum(last - first for first, last in ranges) < len(others):
        more = [other for first, last in ranges for n in range(first, last + 1) for other in others.get(n, ())]
    else:
        more = [other for n, variants in others.items() if any(a <= n <= b for a, b in ranges) for other in variants]
    return joined([*ranges, *((n, n) for n in more)])


@cache
def _folds() -> Mapping[int, tuple[int, ...]]:
    """For each code point, those that differ from it only in case."""
    families: dict[int, set[int]] = {}
    for n in range(0x1F000):
        char = chr(n)
        related = {n, *(ord(other) for other in (char.lower(), char.upper()) if len(other) == 1)}
        if len(related) > 1:
            family = set().union(related, *(families.get(each, ()) for each in related))
            families |= dict.fromkeys(family, family)
    return {n: tuple(family - {n}) for n, family in families.items()}
