"""Regular expressions as brokers read them (RE2J), made into those of Python.

Topic names are ASCII without line ends, and only whole names are matched: so `^`, `$` and `.` need no modes, and greed
makes no difference. Supported: literals, `.`, classes with ranges and `[:names:]`, `\\d \\s \\w \\b` and their
opposites, `\\A \\z`, `\\t \\n \\r \\f \\v \\a`, `\\xHH`, `\\x{H}`, octal, `\\Q…\\E`, `\\p` of general categories and
of some scripts, groups, named groups, flags `imsU`, `|`, and repetition up to 1000. What RE2J refuses is refused in its
words: backward references, looking around, possessive repetition.
"""

import re
from typing import Final

MOST_REPEATS: Final = 1000
POSIX: Final = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "ascii": "\\x00-\\x7f", "blank": "\\t ", "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~", "punct": "!-/:-@\\[-`{-~", "space": "\\s",
    "upper": "A-Z", "word": "\\w", "xdigit": "0-9a-fA-F",
}  # fmt: skip
UNICODE: Final = {
    "L": "a-zA-Z", "Lu": "A-Z", "Ll": "a-z", "N": "0-9", "Nd": "0-9", "P": "!-#%-*,-/:;?@\\[-\\]_{}",
    "Pc": "_", "Pd": "\\-", "Po": "!-#%-'*,./:;?@\\\\", "Ps": "(\\[{", "Pe": ")\\]}", "S": "$+<=>\\^`|~", "Sc": "$",
    "Sm": "+<=>|~", "Sk": "\\^`", "Z": " ", "Zs": " ", "C": "\\x00-\\x1f\\x7f", "Cc": "\\x00-\\x1f\\x7f",
    "Latin": "a-zA-Z",
}  # fmt: skip
"""What is ASCII in a category or script. The others here have nothing."""
NO_ASCII: Final = frozenset({
    "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "Nl", "No", "Pi", "Pf", "So", "Zl", "Zp", "Cf", "Co", "Cs", "Greek",
    "Cyrillic", "Han", "Hebrew", "Arabic", "Hiragana", "Katakana", "Hangul", "Thai", "Devanagari", "Armenian",
})  # fmt: skip
ESCAPES: Final = {
    "t": "\\t", "n": "\\n", "r": "\\r", "f": "\\f", "v": "\\v", "a": "\\x07", "A": "(?:\\A)", "z": "(?:\\Z)",
    "b": "(?:\\b)", "B": "(?:\\B)",
}  # fmt: skip
IN_CLASS: Final = frozenset("tnrfva")
PERL: Final = "dDsSwW"
REPEAT: Final = re.compile(r"\{(\d+)(,?)(\d*)\}")
GROUP: Final = re.compile(r"\(\?([imsU]*)(-[imsU]+)?([:)])")
NAMED: Final = re.compile(r"\(\?P<(\w+)>", re.ASCII)
HEX: Final = re.compile(r"x(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2}))")


class BadPattern(ValueError):
    """The pattern is none; the text says why, as RE2J does."""


def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern. Raises `BadPattern`."""
    return re.compile(_Translation(pattern).text(), re.ASCII)


class _Translation:
    """A pattern that is read from left to right."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._out: list[str] = []
        self._flags: list[list[str]] = [[]]
        """By open group: what opened the flag groups in it, which end with it."""
        self._names: set[str] = set()
        self._repeatable = False
        """Is there something that a repetition could repeat?"""
        self._repeated = False
        """Was that a repetition?"""

    def text(self) -> str:
        while self._at < len(self._pattern):
            self._step(self._pattern[self._at])
        if len(self._flags) > 1:
            raise BadPattern("missing closing )")
        return "".join(self._out) + ")" * len(self._flags[0])

    def _step(self, char: str) -> None:
        if char in "*+?":
            self._repeat(char, 1)
        elif char == "{" and (found := REPEAT.match(self._pattern, self._at)):
            self._counted(found)
        elif char == "(":
            self._open()
        elif char == ")":
            self._close()
        elif char == "|":
            opened = self._flags[-1]
            self._at += 1
            self._emit(")" * len(opened) + "|" + "".join(opened), repeatable=False)
        elif char == "[":
            self._emit(self._class())
        elif char == "\\":
            self._escape()
        else:
            self._at += 1
            self._emit({"^": "(?:\\A)", "$": "(?:\\Z)", ".": "."}.get(char) or re.escape(char))

    def _emit(self, text: str, *, repeatable: bool = True) -> None:
        """Something else than a repetition."""
        self._out.append(text)
        self._repeatable, self._repeated = repeatable, False

    # ---- repetition

    def _repeat(self, text: str, size: int) -> None:
        if not self._repeatable:
            raise BadPattern("missing argument to repetition operator")
        if self._repeated:
            raise BadPattern("invalid nested repetition operator")
        self._at += size
        if self._pattern.startswith("?", self._at):  # not greedy: the same for whole names
            self._at += 1
        self._out.append(text)
        self._repeated = True

    def _counted(self, found: re.Match[str]) -> None:
        least, most = int(found[1]), int(found[3] or found[1])
        if max(least, most) > MOST_REPEATS or least > most:
            raise BadPattern("invalid repeat count")
        self._repeat(found[0], len(found[0]))

    # ---- groups

    def _open(self) -> None:
        if not self._pattern.startswith("(?", self._at):
            self._begin("(", 1)
        elif named := NAMED.match(self._pattern, self._at):
            if named[1] in self._names:
                raise BadPattern("duplicate capture group name")
            self._names.add(named[1])
            self._begin("(", len(named[0]))
        elif self._pattern.startswith("(?P<", self._at):
            raise BadPattern("invalid named capture")
        elif found := GROUP.match(self._pattern, self._at):
            self._flagged(found)
        else:
            raise BadPattern("invalid or unsupported Perl syntax")

    def _flagged(self, found: re.Match[str]) -> None:
        """`(?i:…)`, or `(?i)`, which holds to the end of the group around it."""
        off = (found[2] or "").lstrip("-").replace("U", "")
        text = f"(?{found[1].replace('U', '')}{'-' + off if off else ''}:"
        if found[3] == ":":
            self._begin(text, len(found[0]))
        else:
            self._flags[-1].append(text)
            self._at += len(found[0])
            self._emit(text, repeatable=False)

    def _begin(self, text: str, size: int) -> None:
        self._at += size
        self._emit(text, repeatable=False)
        self._flags.append([])

    def _close(self) -> None:
        if len(self._flags) == 1:
            raise BadPattern("regexp/syntax: internal error")
        self._at += 1
        self._emit(")" * len(self._flags.pop()) + ")")

    # ---- escapes and classes

    def _escape(self) -> None:
        if self._pattern.startswith("\\Q", self._at):
            end = self._pattern.find("\\E", self._at)
            quoted = self._pattern[self._at + 2 : None if end < 0 else end]
            self._at = len(self._pattern) if end < 0 else end + 2
            for char in quoted:
                self._emit(re.escape(char))
            return
        text, size = self._escaped(in_class=False)
        self._at += size
        self._emit(text)

    def _escaped(self, *, in_class: bool) -> tuple[str, int]:
        """What stands for the escape here, and how long it is."""
        rest = self._pattern[self._at + 1 : self._at + 12]
        if not rest:
            raise BadPattern("trailing backslash at end of expression")
        char = rest[0]
        if char in PERL:
            return f"\\{char}", 2
        if char in "pP":
            return self._category(in_class)
        if char in ESCAPES and (not in_class or char in IN_CLASS):
            return ESCAPES[char], 2
        if found := HEX.match(rest):
            code = int(found[1] or found[2], 16)
            if code <= 0x10FFFF:
                return re.escape(chr(code)), 1 + len(found[0])
        elif char == "0" or (char in "1234567" and rest[1:2] in tuple("01234567")):
            digits = re.match("[0-7]{1,3}", rest)
            assert digits is not None
            return re.escape(chr(int(digits[0], 8))), 1 + len(digits[0])
        elif not char.isalnum() and char.isascii():
            return re.escape(char), 2
        raise BadPattern("invalid escape sequence")

    def _category(self, in_class: bool) -> tuple[str, int]:
        found = re.compile(r"[pP](?:\{(\^?)(\w+)\}|()(\w))").match(self._pattern, self._at + 1)
        name = "" if found is None else found[2] or found[4]
        if found is None or not (name in UNICODE or name in NO_ASCII):
            raise BadPattern("invalid character class range")
        negated = (found[0][0] == "P") != (found[1] == "^")
        content = UNICODE.get(name, "")
        size = 1 + len(found[0])
        if not in_class:
            return _whole_class(content, negated), size
        if negated:
            content = "".join(
                re.escape(chr(n)) for n in range(128) if not re.match(_whole_class(content, False), chr(n))
            )
        return content, size

    def _class(self) -> str:
        """`[…]`, read to its end."""
        self._at += 1
        negated = self._pattern.startswith("^", self._at)
        self._at += negated
        content: list[str] = []
        first = True
        while first or not self._pattern.startswith("]", self._at):
            if self._at >= len(self._pattern):
                raise BadPattern("missing closing ]")
            content.append(self._class_item())
            first = False
        self._at += 1
        return _whole_class("".join(content), negated)

    def _class_item(self) -> str:
        if self._pattern.startswith("[:", self._at) and (end := self._pattern.find(":]", self._at)) >= 0:
            return self._posix(end)
        start, is_char = self._class_char()
        follows = self._pattern[self._at : self._at + 2]
        if not is_char or follows[:1] != "-" or follows in ("-", "-]"):
            return start
        self._at += 1
        if self._at >= len(self._pattern):
            raise BadPattern("missing closing ]")
        end_char, is_char = self._class_char()
        if not is_char or _unescaped(end_char) < _unescaped(start):
            raise BadPattern("invalid character class range")
        return f"{start}-{end_char}"

    def _posix(self, end: int) -> str:
        name = self._pattern[self._at + 2 : end]
        negated = name.startswith("^")
        content = POSIX.get(name.lstrip("^"))
        if content is None:
            raise BadPattern("invalid character class range")
        self._at = end + 2
        if not negated:
            return content
        return "".join(re.escape(chr(n)) for n in range(128) if not re.match(f"[{content}]", chr(n), re.ASCII))

    def _class_char(self) -> tuple[str, bool]:
        """One character of a class, and whether it is one: `\\d` is not."""
        char = self._pattern[self._at]
        if char != "\\":
            self._at += 1
            return re.escape(char), True
        several = self._pattern[self._at + 1 : self._at + 2] in tuple(PERL + "pP")
        text, size = self._escaped(in_class=True)
        self._at += size
        return text, not several


def _whole_class(content: str, negated: bool) -> str:
    """A class that may be empty."""
    if not content:
        return "[\\s\\S]" if negated else "[^\\s\\S]"
    return f"[{'^' if negated else ''}{content}]"


def _unescaped(text: str) -> str:
    """The character that an escaped one stands for."""
    return {"\\t": "\t", "\\n": "\n", "\\r": "\r", "\\f": "\f", "\\v": "\v", "\\x07": "\a"}.get(text, text[-1])
