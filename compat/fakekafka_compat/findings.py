"""`FINDINGS.md`: what clients do wrong, which differences are known because of that, and code blocks that show it."""

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, NamedTuple

from fakekafka_spark.observations import Cell

_SECTION: Final = re.compile(r"^## ", re.MULTILINE)
_CELLS: Final = re.compile(r"^- `([^`]+)`(?:: )?(.*)$", re.MULTILINE)
_BLOCK: Final = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Finding(NamedTuple):
    """A finding: a section, or a bullet outside of sections."""

    title: str
    cells: tuple[str, ...]
    """Patterns of the cells that differ because of it."""
    reproduction: str | None = None
    """Python code that shows it: its assertions hold as long as the client has the defect."""

    @property
    def client(self) -> tuple[str, str]:
        """Library and version, as the title begins: "<library> <version>: …". ("", "") if it does not."""
        match = re.match(r"(\S+) (\S+): ", self.title)
        return (match[1], match[2]) if match else ("", "")


def read_findings(path: Path) -> list[Finding]:
    """All findings of a file; none if there is no file."""
    return list(_findings(path.read_text("utf-8"))) if path.exists() else []


def _findings(text: str) -> Iterator[Finding]:
    before, *sections = _SECTION.split(text)
    yield from (Finding(why or pattern, (pattern,)) for pattern, why in _CELLS.findall(before))
    for section in sections:
        title, _, rest = section.partition("\n")
        block = _BLOCK.search(rest)
        yield Finding(title.strip(), tuple(pattern for pattern, _ in _CELLS.findall(rest)), block and block[1])


def finding_of(cell: Cell, findings: Sequence[Finding]) -> Finding | None:
    """The finding that lists this cell, or a pattern that matches it."""
    return next((each for each in findings for pattern in each.cells if fnmatchcase(cell.cell, pattern)), None)
