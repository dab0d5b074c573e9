"""The story of a cell, from its observations: outcome, handling of its bytes, versions, and what differs."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, Literal, NamedTuple, TypeAlias

from fakekafka_spark.observations import Cell, Observation

from fakekafka_compat.verdict import Outcome, verdict

Handling: TypeAlias = Literal["zero-copy", "converted", "refused", "none"]
"""What the broker did with the bytes: sent them on unchanged, converted them, or refused some. "none": nothing ran.
Refusals take precedence, then conversions."""

BYTES: Final = {"zero copy": "as they are", "conversion": "", "rebuilt": "rebuilt"}
"""Facts about bytes, and their captions."""
REQUESTS: Final = "last requests"
"""The fact whose text is the broker's summary, the last part of which begins with a line that reads like this name."""
TOLD_APART: Final = frozenset({*BYTES, REQUESTS})
"""Facts that have their own places in a story, as versions do."""
VERSION: Final = "version "
_NUMBER: Final = re.compile(r"record (\d+) |produced is \w+: (\d+)")
MOST_RECORDS: Final = 20


class Fact(NamedTuple):
    """A row of stage "fact"."""

    name: str
    value: str
    expected: str | None

    @property
    def differs(self) -> bool:
        return self.expected is not None and self.expected != self.value


class RecordSeen(NamedTuple):
    """Where a record that differs was seen."""

    uid: int | None
    stage: str
    """ "produced", "stored", or "read by" a reader."""
    at: str
    """Partition and offset."""
    format: str
    timestamp: str
    want: str


class Story(NamedTuple):
    """The story of one cell."""

    cell: Cell
    outcome: Outcome
    reasons: list[str]
    handling: Handling
    versions: list[Fact]
    counts: dict[str, int]
    """How many records were produced, stored and consumed."""
    bytes: list[str]
    """A line for each API and version: bytes before and after."""
    facts: list[Fact]
    records: list[RecordSeen]
    """The records that the reasons name."""
    requests: list[str]
    """The broker's last requests."""


def story(cell: Cell, rows: Sequence[Observation]) -> Story:
    """Judge the cell, and read the rest of its story from its observations."""
    judged = verdict(cell, rows)
    facts = [row for row in rows if row.stage == "fact"]
    shown = [Fact(row.name or "", _value(row), row.expected) for row in facts if row.name not in TOLD_APART]
    return Story(
        cell,
        judged.outcome,
        judged.reasons,
        _handling(rows),
        sorted(fact._replace(name=fact.name.removeprefix(VERSION)) for fact in shown if _is_version(fact)),
        {stage: sum(row.stage == stage for row in rows) for stage in ("produced", "stored", "consumed")},
        [_bytes(row) for row in facts if row.name in BYTES],
        [fact for fact in shown if not _is_version(fact) and (fact.value or fact.differs)],
        list(_records(judged.reasons, rows))[:MOST_RECORDS],
        [line for row in facts if row.name == REQUESTS for line in _requests(row.text or "")],
    )


def _is_version(fact: Fact) -> bool:
    """Whether a fact is the version of an API, as opposed to the client's own version."""
    return fact.name.startswith(VERSION) and not fact.name.startswith(f"{VERSION}of ")


def _value(row: Observation) -> str:
    if row.value is None and row.amount is not None:
        return f"{row.amount:,.0f} ms"
    return ": ".join(part for part in (row.value, row.text) if part)


def _handling(rows: Sequence[Observation]) -> Handling:
    if rows[0].value != "ran":
        return "none"
    names = {row.name for row in rows if row.stage == "fact"}
    return "refused" if "refused" in names else "converted" if "conversion" in names else "zero-copy"


def _bytes(row: Observation) -> str:
    into = f"format {row.value}, {row.amount or 0:,.0f} records" if row.name == "conversion" else ""
    return ", ".join(part for part in (row.text, into, BYTES[row.name or ""]) if part)


def _requests(summary: str) -> list[str]:
    """The broker's last requests: the last lines, which are indented. Equal requests that follow each other are one
    line.
    """
    lines = summary.splitlines()
    headings = [n for n, line in enumerate(lines) if re.match(r"last \d+ requests", line)]
    last = [" ".join(line.split()) for line in lines[headings[-1] + 1 :]] if headings else []
    counts = [(line, len(list(equal))) for line, equal in groupby(last)]
    return [line if count == 1 else f"{line} (× {count})" for line, count in counts]


def _records(reasons: Sequence[str], rows: Sequence[Observation]) -> Iterator[RecordSeen]:
    """Where the records that the reasons name were seen, record by record."""
    numbers = [match for reason in reasons for match in _NUMBER.findall(reason)]
    for uid in dict.fromkeys(int(first or second) for first, second in numbers):
        for row in rows:
            if row.uid == uid and row.stage in ("produced", "stored", "consumed"):
                yield _place(row)


def _place(row: Observation) -> RecordSeen:
    return RecordSeen(
        row.uid,
        f"read by {row.reader}" if row.stage == "consumed" else row.stage,
        f"{_text(row.partition)}-{_text(row.offset)}",
        "" if row.magic is None else f"v{row.magic}",
        _text(row.timestamp),
        row.want or "",
    )


def _text(number: int | None) -> str:
    return "?" if number is None else str(number)
