"""The story of a cell, from its observations: outcome, handling of its bytes, versions, and what differs."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from fakekafka_spark.observations import Cell, Observation

from fakekafka_compat.verdict import Outcome, verdict

Handling: TypeAlias = Literal["zero-copy", "converted", "refused", "none"]
"""What the broker did with the bytes: sent them on as they came, converted them, or refused some. "none": nothing ran.
What is refused is said first, then what is converted."""

TOLD_APART: Final = frozenset({"conversion", "conversions", "kept", "request"})
"""Facts that have places of their own in a story; versions have one too."""
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


class Place(NamedTuple):
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
    """Of one cell."""

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
    records: list[Place]
    """Those that the reasons name."""
    requests: list[str]
    """The broker's last ones."""


def story(cell: Cell, rows: Sequence[Observation]) -> Story:
    """Judge the cell and read what else its observations tell."""
    judged = verdict(cell, rows)
    facts = [row for row in rows if row.stage == "fact"]
    told = [Fact(row.name or "", _value(row), row.expected) for row in facts if row.name not in TOLD_APART]
    return Story(
        cell,
        judged.outcome,
        judged.reasons,
        _handling(rows),
        sorted(fact._replace(name=fact.name.removeprefix(VERSION)) for fact in told if _is_version(fact)),
        {stage: sum(row.stage == stage for row in rows) for stage in ("produced", "stored", "consumed")},
        list(_bytes(facts)),
        [fact for fact in told if not _is_version(fact) and (fact.value or fact.differs)],
        list(_records(judged.reasons, rows))[:MOST_RECORDS],
        [_request(row) for row in facts if row.name == "request"],
    )


def _is_version(fact: Fact) -> bool:
    """Of an API; the client's own version is none."""
    return fact.name.startswith(VERSION) and not fact.name.startswith(f"{VERSION}of ")


def _value(row: Observation) -> str:
    if row.value is None and row.amount is not None:
        return f"{row.amount:,.0f} ms"
    return row.value or ""


def _handling(rows: Sequence[Observation]) -> Handling:
    if rows[0].value != "ran":
        return "none"
    refused = any(row.name == "error" and row.value and row.value == row.expected for row in rows)
    if refused or any(row.want == "never" and row.offset is None for row in rows if row.stage == "produced"):
        return "refused"
    names = {row.name for row in rows if row.stage == "fact" and (row.name != "conversions" or row.value)}
    return "converted" if names & {"conversion", "conversions"} else "zero-copy"


def _bytes(facts: Sequence[Observation]) -> Iterator[str]:
    for row in facts:
        if row.name == "conversion":
            count = f"{row.amount or 0:,.0f} records"
            yield f"{row.text}, format {row.value}, {count}" if row.text else f"format {row.value}, {count}"
    kept: Counter[str] = Counter()
    for row in facts:
        if row.name == "kept":
            kept[row.value or ""] += int(row.amount or 0)
    yield from (f"{api}: {size} bytes as they are" for api, size in sorted(kept.items()))


def _request(row: Observation) -> str:
    return row.value or "" if row.amount in (None, 1) else f"{row.value} (× {row.amount:.0f})"


def _records(reasons: Sequence[str], rows: Sequence[Observation]) -> Iterator[Place]:
    """Where the records that the reasons name were seen, record by record."""
    found = [match for reason in reasons for match in _NUMBER.findall(reason)]
    for uid in dict.fromkeys(int(first or second) for first, second in found):
        for row in rows:
            if row.uid == uid and row.stage in ("produced", "stored", "consumed"):
                yield _place(row)


def _place(row: Observation) -> Place:
    return Place(
        row.uid,
        f"read by {row.reader}" if row.stage == "consumed" else row.stage,
        f"{_text(row.partition)}-{_text(row.offset)}",
        "" if row.magic is None else f"v{row.magic}",
        _text(row.timestamp),
        row.want or "",
    )


def _text(number: int | None) -> str:
    return "?" if number is None else str(number)
