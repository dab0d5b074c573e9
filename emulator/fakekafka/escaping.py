"""Text of unknown origin, made fit for a terminal, a log or a report.

Client ids, group ids, names of topics and directories come from clients and from disks. Characters that could move a
cursor, begin a line, turn the direction of writing or hide are shown by their numbers instead.
"""

from typing import Final

HIDDEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Categories of characters that a terminal obeys or does not show: controls, formats (bidi), line separators."""


def escaped(text: str) -> str:
    """The text with such characters as in Python literals: "\\x1b", "\\u202e". What is escaped already stays."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, text))


def escaped_lines(text: str) -> str:
    """The lines of a text, each escaped; line ends stay."""
    return "\n".join(map(escaped, text.split("\n")))


def escaped_value(value: object) -> object:
    """What a template shows in place of a value: strings are escaped, unless they are markup already."""
    return escaped_lines(value) if type(value) is str else value


def escaped_json(text: str) -> str:
    """JSON that means the same, with such characters as "\\u202e"; line ends between values stay."""
    if text.isascii():  # JSON has no raw control characters
        return text
    import json  # only text beyond ASCII needs escaping

    return "".join(json.dumps(c)[1:-1] if _is_hidden(c) and c != "\n" else c for c in text)


def _shown(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii") if _is_hidden(character) else character


def _is_hidden(character: str) -> bool:
    import unicodedata  # a separate library, which hardly any text needs

    return unicodedata.category(character) in HIDDEN
