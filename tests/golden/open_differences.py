"""The differences that are known and still open, and the recordings of areas that are not built: `open.toml`.

    [not-built]                               pattern of recordings = reason; their answers are not compared
    [not-built-files]                         pattern of recordings = reason; the files that they left are not compared
    [[open]]
    recordings = ["2.3.1-tour", ...]
    differences = ["18 error_message", "40-44 topics*", "files t-0/*"]
    reason = "why they are open"

A difference is an exchange, or a range of them, and a path in its answer; `files` and a path for those on disk. `*`
stands for anything. A listed difference that no longer appears in one of its recordings must be taken off the list.
"""

import re
import tomllib
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.golden.replay import Mismatch

OPEN = Path(__file__).parent / "open.toml"
FILES = "files"
"""`Mismatch.what` of differences on disk."""


class Entry(NamedTuple):
    """One listed difference of one recording."""

    text: str
    first: int
    last: int
    path: re.Pattern[str]
    reason: str

    @classmethod
    def parse(cls, text: str, reason: str) -> "Entry":
        where, _, path = text.partition(" ")
        first, _, last = ("-1", "", "") if where == FILES else where.partition("-")
        return cls(text, int(first), int(last or first), _pattern(path or "*"), reason)

    def covers(self, mismatch: Mismatch) -> bool:
        number = -1 if mismatch.what == FILES else mismatch.n
        return self.first <= number <= self.last and bool(self.path.fullmatch(mismatch.difference.path))


class OpenDifferences(NamedTuple):
    """What `open.toml` says."""

    not_built: dict[str, str]
    not_built_files: dict[str, str]
    entries: dict[str, list[Entry]]

    def why_not_built(self, recording: str, *, files: bool = False) -> str | None:
        """Why a recording is not compared, if it is not."""
        table = self.not_built_files if files else self.not_built
        return next((reason for pattern, reason in table.items() if fnmatchcase(recording, pattern)), None)

    def unlisted(self, recording: str, mismatches: Iterable[Mismatch]) -> list[Mismatch]:
        """The differences that are not listed."""
        entries = self.entries.get(recording, [])
        return [m for m in mismatches if not any(entry.covers(m) for entry in entries)]

    def gone(self, recording: str, mismatches: list[Mismatch], *, files: bool = False) -> list[str]:
        """Listed differences that no longer appear. `files`: whether to check those on disk or those in answers."""
        entries = [entry for entry in self.entries.get(recording, []) if entry.text.startswith(FILES) == files]
        return [entry.text for entry in entries if not any(map(entry.covers, mismatches))]


@cache
def open_differences(path: Path = OPEN) -> OpenDifferences:
    """The list. Raises ValueError where it cannot be read."""
    found = tomllib.loads(path.read_text("utf-8"))
    entries: dict[str, list[Entry]] = {}
    for block in found.get("open", ()):
        for recording in block["recordings"]:
            entries.setdefault(recording, []).extend(Entry.parse(x, block["reason"]) for x in block["differences"])
    return OpenDifferences(found.get("not-built", {}), found.get("not-built-files", {}), entries)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, text.split("*"))), re.DOTALL)
