"""Text of unknown origin, made fit for a terminal, a log or a report.

Client ids, group ids, names of topics and directories come from clients and from disks. What could move a cursor, begin
a line, turn the direction of writing or hide is shown by its number instead.
"""

import unicodedata
from typing import Final

HIDDEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Categories of characters that a terminal obeys or does not show: controls, formats (bidi), line separators."""


def escaped(text: str) -> str:
    """The text with such characters as in Python's own literals: "\\x1b", "\\u202e". What is escaped already stays."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    if unicodedata.category(character) in HIDDEN:
        return character.encode("unicode_escape").decode("ascii")
    return character
