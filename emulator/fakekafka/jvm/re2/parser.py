"""Reading a pattern, from left to right and without recursion: RE2/J's syntax and error messages (RE2/J's Parser).

The operations come out in the order in which they were read, operators after their operands. So what a repetition
repeats is a slice of the list, and `x{2,5}` copies it.
"""

from typing import Final, Literal, NamedTuple, TypeAlias

from fakekafka.jvm.re2 import classes
from fakekafka.jvm.re2.operations import (
    MOST_OPERATIONS,
    Alternate,
    Assertion,
    Concat,
    Operation,
    PatternTooLarge,
    Repeat,
)
from fakekafka.jvm.re2.ranges import Ranges
from fakekafka.jvm.re2.reader import BadPattern, Reader

Library: TypeAlias = Literal["RE2/J 1.7", "RE2/J 1.8"]
"""1.8 reads `(?<name>…)` as well as `(?P<name>…)`."""

MOST_REPEATS: Final = 1000
SIGNS: Final = {"*": Repeat.STAR, "+": Repeat.PLUS, "?": Repeat.QUEST}
PLACES: Final = {
    "A": Assertion.TEXT_START, "z": Assertion.TEXT_END,
    "b": Assertion.WORD_BOUNDARY, "B": Assertion.NO_WORD_BOUNDARY,
}  # fmt: skip
NAME_CHARACTERS: Final = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")


class _Group(NamedTuple):
    """An open group, or the whole pattern."""

    flags: frozenset[str]
    """The flags that hold again after it."""
    starts: list[int]
    """Where the operands of its last alternative begin."""
    alternatives: list[int]
    """Where its finished alternatives begin."""


class Parser:
    """A pattern that is read once."""

    def __init__(self, pattern: str, library: Library) -> None:
        self._read = Reader(pattern)
        self._names_open_with = ("(?P<", "(?<") if library == "RE2/J 1.8" else ("(?P<",)
        self._out: list[Operation] = []
        self._flags: frozenset[str] = frozenset()
        self._groups = [_Group(self._flags, [], [])]
        self._names: set[str] = set()

    def operations(self) -> list[Operation]:
        """The whole pattern. Raises `BadPattern` and `PatternTooLarge`."""
        repeated = False
        while self._read.more:
            repeated = self._step(repeated)
        if len(self._groups) > 1:
            raise BadPattern("missing closing )")
        self._end_group(self._groups[0])
        return self._out

    def _step(self, repeated: bool) -> bool:
        """Read one item, and return whether it is a repetition. `repeated`: whether the one before it was one."""
        read = self._read
        char = read.peek
        if char in SIGNS:
            read.at += 1
            self._repeat(SIGNS[char], repeated)
            return True
        if char == "{" and (counts := read.counts()) is not None:
            self._counted(*counts, repeated)
            return True
        match char:
            case "(":
                self._open()
            case ")":
                self._close()
            case "|":
                read.at += 1
                self._end_alternative(self._groups[-1])
            case "[":
                self._operand(read.char_class(folds="i" in self._flags))
            case "\\":
                self._escape()
            case _:
                read.at += 1
                self._operand(self._plain(char))
        return False

    # ---- operands

    def _operand(self, operation: Operation) -> None:
        if len(self._out) >= MOST_OPERATIONS:
            raise PatternTooLarge
        self._groups[-1].starts.append(len(self._out))
        self._out.append(operation)

    def _plain(self, char: str) -> Operation:
        """What an unescaped character stands for."""
        lines = "m" in self._flags
        match char:
            case "^":
                return Assertion.LINE_START if lines else Assertion.TEXT_START
            case "$":
                return Assertion.LINE_END if lines else Assertion.TEXT_END
            case ".":
                return classes.ANY if "s" in self._flags else classes.ANY_BUT_NEWLINE
            case _:
                return self._literal(char)

    def _literal(self, char: str) -> Ranges:
        ranges = ((ord(char), ord(char)),)
        return classes.folded(ranges) if "i" in self._flags else ranges

    def _escape(self) -> None:
        read = self._read
        follows = read.after(1)
        if follows and follows in PLACES:
            read.at += 2
            self._operand(PLACES[follows])
        elif follows == "Q":
            for char in read.quoted():
                self._operand(self._literal(char))
        elif (several := read.escaped_class(folds="i" in self._flags)) is not None:
            self._operand(several)
        else:
            self._operand(self._literal(read.escaped_char()))

    # ---- repetition

    def _repeat(self, sign: Repeat, repeated: bool) -> None:
        self._take_repetition(repeated)
        self._out.append(sign)

    def _counted(self, least: int, most: int | None, repeated: bool) -> None:
        """`x{least,most}`: `most` copies of it, of which those beyond `least` may be missing."""
        if least > MOST_REPEATS or (most is not None and (most > MOST_REPEATS or most < least)):
            raise BadPattern("invalid repeat count")
        start = self._take_repetition(repeated)
        operand = self._out[start:]
        copies = most if most is not None else max(least, 1)
        if len(self._out) + len(operand) * copies > MOST_OPERATIONS:
            raise PatternTooLarge
        self._out[start:] = operand * least
        if most is None:
            self._out += [Repeat.PLUS] if least else [*operand, Repeat.STAR]
        else:
            self._out += [*operand, Repeat.QUEST] * (most - least)
        self._out.append(Concat(copies))

    def _take_repetition(self, repeated: bool) -> int:
        """The start of the operand of the repetition that was read. For whole texts, greedy or not makes no
        difference.
        """
        if self._read.peek == "?":
            self._read.at += 1
        if repeated:
            raise BadPattern("invalid nested repetition operator")
        if not self._groups[-1].starts:
            raise BadPattern("missing argument to repetition operator")
        return self._groups[-1].starts[-1]

    # ---- groups

    def _open(self) -> None:
        read = self._read
        if read.starts_with(self._names_open_with):
            self._name(read.group_name())
        elif not read.starts_with("(?"):
            read.at += 1
        else:
            flags, opens = read.flags(self._flags)
            if not opens:
                self._flags = flags
                return
            self._groups.append(_Group(self._flags, [], []))
            self._flags = flags
            return
        self._groups.append(_Group(self._flags, [], []))

    def _name(self, name: str) -> None:
        if not name or not NAME_CHARACTERS.issuperset(name):
            raise BadPattern("invalid named capture")
        if name in self._names:
            raise BadPattern("duplicate capture group name")
        self._names.add(name)

    def _close(self) -> None:
        if len(self._groups) == 1:
            raise BadPattern("regexp/syntax: internal error")
        self._read.at += 1
        group = self._groups.pop()
        start = self._end_group(group)
        self._flags = group.flags
        self._groups[-1].starts.append(start)

    def _end_group(self, group: _Group) -> int:
        """Make one operand of a group, and return where it begins."""
        self._end_alternative(group)
        if len(group.alternatives) > 1:
            self._out.append(Alternate(len(group.alternatives)))
        return group.alternatives[0]

    def _end_alternative(self, group: _Group) -> None:
        """Make one operand of the last operands of a group."""
        group.alternatives.append(group.starts[0] if group.starts else len(self._out))
        if len(group.starts) != 1:
            self._out.append(Concat(len(group.starts)))
        group.starts.clear()
