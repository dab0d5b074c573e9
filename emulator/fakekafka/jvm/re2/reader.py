"""The smaller pieces of a pattern at the reading position: escapes, classes, counts, flags."""

from typing import Final

from fakekafka.jvm.re2 import classes
from fakekafka.jvm.re2.classes import PERL, POSIX, folded
from fakekafka.jvm.re2.ranges import LAST_CODE_POINT, Ranges, joined, negated

FLAGS: Final = "imsU"
CONTROLS: Final = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
HEX_DIGITS: Final = frozenset("0123456789abcdefABCDEF")
OCTAL_DIGITS: Final = frozenset("01234567")
DIGITS: Final = frozenset("0123456789")
MOST_DIGITS: Final = 8


class BadPattern(ValueError):
    """The pattern is invalid; the text says why, as RE2/J does."""


class Reader:
    """A pattern, and how far it has been read."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self.at = 0

    @property
    def more(self) -> bool:
        """Whether there is anything left."""
        return self.at < len(self._pattern)

    @property
    def peek(self) -> str:
        """The next character; empty at the end."""
        return self._pattern[self.at : self.at + 1]

    def after(self, count: int) -> str:
        """The character that is `count` after the next one; empty beyond the end."""
        return self._pattern[self.at + count : self.at + count + 1]

    def starts_with(self, text: str | tuple[str, ...]) -> bool:
        """Whether `text`, or one of several texts, comes next."""
        return self._pattern.startswith(text, self.at)

    def _until(self, end: str) -> str | None:
        """What comes before the next `end`, which is read too. None, and nothing is read, if there is no `end`."""
        end_at = self._pattern.find(end, self.at)
        if end_at < 0:
            return None
        text = self._pattern[self.at : end_at]
        self.at = end_at + len(end)
        return text

    # ---- groups and counts

    def group_name(self) -> str:
        """The name of a group, read from its parenthesis on."""
        self.at = self._pattern.index("<", self.at) + 1
        name = self._until(">")
        if name is None:
            raise BadPattern("invalid named capture")
        return name

    def flags(self, flags: frozenset[str]) -> tuple[frozenset[str], bool]:
        """Read `(?i-s)` or `(?i-s:`. Returns `flags` changed by it, and whether it opens a group."""
        self.at += 2
        off = changes = False
        while (char := self.peek) and (char in FLAGS or (char == "-" and not off)):
            changes = char != "-"
            if changes:
                flags = flags - {char} if off else flags | {char}
            off = off or not changes
            self.at += 1
        if char not in (":", ")") or (off and not changes):
            raise BadPattern("invalid or unsupported Perl syntax")
        self.at += 1
        return flags, char == ":"

    def counts(self) -> tuple[int, int | None] | None:
        """`{2}`, `{2,}` or `{2,5}`. None, and nothing is read, if this is not a repetition."""
        start, self.at = self.at, self.at + 1
        least = most = self._number()
        if least is not None and self.peek == ",":
            self.at += 1
            most = None if self.peek == "}" else self._number()
            if most is None and self.peek != "}":
                least = None
        if least is None or self.peek != "}":
            self.at = start
            return None
        self.at += 1
        return least, most

    def _number(self) -> int | None:
        """A number without leading zeros. Very long ones count as large."""
        start = self.at
        while self.peek and self.peek in DIGITS:
            self.at += 1
        digits = self._pattern[start : self.at]
        if not digits or (len(digits) > 1 and digits[0] == "0"):
            return None
        return int(digits[:MOST_DIGITS])

    # ---- escapes

    def quoted(self) -> str:
        r"""`\Q…\E`, or to the end of the pattern."""
        self.at += 2
        text = self._until("\\E")
        if text is None:
            text, self.at = self._pattern[self.at :], len(self._pattern)
        return text

    def escaped_char(self) -> str:
        """The one character that an escape stands for."""
        self.at += 1
        if not self.more:
            raise BadPattern("trailing backslash at end of expression")
        char = self.peek
        self.at += 1
        if char in CONTROLS:
            return CONTROLS[char]
        if char == "x":
            return chr(self._hex())
        if char == "0" or (char in OCTAL_DIGITS and self.peek and self.peek in OCTAL_DIGITS):
            return chr(self._octal(char))
        if char.isascii() and char.isalnum():
            raise BadPattern("invalid escape sequence")
        return char

    def _octal(self, digits: str) -> int:
        while len(digits) < 3 and self.peek and self.peek in OCTAL_DIGITS:
            digits += self.peek
            self.at += 1
        return int(digits, 8)

    def _hex(self) -> int:
        digits: str | None
        if self.peek == "{":
            self.at += 1
            digits = self._until("}")
        else:
            digits = self._pattern[self.at : self.at + 2]
            self.at += 2
            digits = digits if len(digits) == 2 else None
        if not digits or not HEX_DIGITS.issuperset(digits) or int(digits, 16) > LAST_CODE_POINT:
            raise BadPattern("invalid escape sequence")
        return int(digits, 16)

    def escaped_class(self, *, folds: bool) -> Ranges | None:
        r"""`\d`, `\pL`, `\P{Greek}` and their like. None, and nothing is read, if this is another escape."""
        char = self.after(1)
        if not char or char not in "dDsSwWpP":
            return None
        self.at += 2
        opposite = char.isupper()
        if char in "pP":
            ranges, negates = self._unicode_class()
            opposite ^= negates
        else:
            ranges = PERL[char.lower()]
        if folds:
            ranges = folded(ranges)
        return negated(ranges) if opposite else ranges

    def _unicode_class(self) -> tuple[Ranges, bool]:
        """What follows a `p`, and whether its name begins with `^`."""
        if self.peek == "{":
            self.at += 1
            name = self._until("}") or ""
        else:
            name = self.peek
            self.at += 1
        negates = name.startswith("^")
        ranges = classes.unicode_class(name[negates:])
        if ranges is None:
            raise BadPattern("invalid character class range")
        return ranges, negates

    # ---- classes

    def char_class(self, *, folds: bool) -> Ranges:
        """`[…]`, read to its end."""
        self.at += 1
        negates = self.peek == "^"
        self.at += negates
        ranges_read: list[tuple[int, int]] = []
        first = True
        while first or self.peek != "]":
            ranges_read += self._class_item(folds)
            first = False
        self.at += 1
        ranges = joined(ranges_read)
        return negated(ranges) if negates else ranges

    def _class_item(self, folds: bool) -> Ranges:
        if (named := self._posix(folds)) is not None:
            return named
        if self.peek == "\\" and (several := self.escaped_class(folds=folds)) is not None:
            return several
        last = start = self._class_char()
        if self.peek == "-" and self.after(1) != "]":
            self.at += 1
            last = self._class_char()
        if last < start:
            raise BadPattern("invalid character class range")
        ranges = ((ord(start), ord(last)),)
        return folded(ranges) if folds else ranges

    def _posix(self, folds: bool) -> Ranges | None:
        """`[:alpha:]`. None, and nothing is read, if this is something else."""
        if not self.starts_with("[:"):
            return None
        start, self.at = self.at, self.at + 2
        name = self._until(":]")
        if name is None:
            self.at = start
            return None
        negates = name.startswith("^")
        ranges = POSIX.get(name[negates:])
        if ranges is None:
            raise BadPattern("invalid character class range")
        if folds:
            ranges = folded(ranges)
        return negated(ranges) if negates else ranges

    def _class_char(self) -> str:
        if not self.more:
            raise BadPattern("missing closing ]")
        if self.peek == "\\":
            return self.escaped_char()
        self.at += 1
        return self._pattern[self.at - 1]
