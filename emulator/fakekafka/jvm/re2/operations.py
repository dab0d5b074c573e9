"""What a pattern is made of, in postfix order."""

from enum import Enum, auto
from typing import Final, NamedTuple, TypeAlias

from fakekafka.jvm.re2.ranges import Ranges


class Assertion(Enum):
    """Matches the empty text at certain positions."""

    TEXT_START = auto()
    TEXT_END = auto()
    LINE_START = auto()
    LINE_END = auto()
    WORD_BOUNDARY = auto()
    NO_WORD_BOUNDARY = auto()


class Repeat(Enum):
    """How often the operand before it may match."""

    STAR = "any number of times"
    PLUS = "at least once"
    QUEST = "at most once"


class Concat(NamedTuple):
    """This many operands, one after the other; zero operands match the empty text."""

    operands: int


class Alternate(NamedTuple):
    """Any one of this many operands."""

    operands: int


Operation: TypeAlias = Ranges | Assertion | Repeat | Concat | Alternate
"""`Ranges` match one code point of a class."""

MOST_OPERATIONS: Final = 20_000
"""The largest size of a pattern whose repetitions are written out. RE2/J has no bound of its own; it runs out of
stack, or of memory."""


class PatternTooLarge(Exception):
    """The pattern has more than `MOST_OPERATIONS`."""
