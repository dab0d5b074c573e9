"""`held_between.txt`: each change of a behaviour, the last real broker seen without it, and the first seen with it.

    fetch.own_replica 2.4 | 2.3.1 fetch_manners | 2.4.1 fetch_manners
    fetch.session_use_noted 2.5 | 2.4.1 story: KAFKA-9137 | 2.5.1 story: KAFKA-9137

A dash stands where nothing that a real broker left shows the change (`witnesses.py` says what there is): the docstring
of the field says how the date is known. Why there are two dashes is in `unseen.toml`.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from fakekafka.releases.release import Release, all_releases

PATH = Path(__file__).parent / "held_between.txt"
NOBODY = "-"


class Seen(NamedTuple):
    """A real broker, and the recording that shows the change."""

    release: Release
    recording: str
    """The recording's name without its release: "fetch_manners"; or another witness, with its kind: "trio: min-isr"."""

    @property
    def scenario(self) -> str | None:
        """The scenario that was recorded; None for a witness of another kind."""
        return None if ": " in self.recording else self.recording.partition("--")[0]

    def __str__(self) -> str:
        return f"{self.release} {self.recording}"


class Held(NamedTuple):
    """The real brokers between which a change lies."""

    without: Seen | None
    with_it: Seen | None

    @property
    def between(self) -> list[Release]:
        """The releases that no recording assigns to a side; empty if one side was never seen."""
        if self.without is None or self.with_it is None:
            return []
        return [each for each in all_releases() if self.without.release < each < self.with_it.release]


def read(path: Path = PATH) -> dict[str, Held]:
    """The table, by the changes' names."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return dict(map(_row, lines))


def write(rows: Mapping[str, Held], path: Path = PATH) -> None:
    """Replace the table."""
    path.write_text("".join(f"{line}\n" for line in _lines(rows)), "utf-8")


def _lines(rows: Mapping[str, Held]) -> Iterator[str]:
    for name, held in rows.items():
        yield " | ".join([name, *(NOBODY if seen is None else str(seen) for seen in held)])


def _row(line: str) -> tuple[str, Held]:
    name, without, with_it = line.split(" | ")
    return name, Held(_seen(without), _seen(with_it))


def _seen(text: str) -> Seen | None:
    if text == NOBODY:
        return None
    release, _, recording = text.partition(" ")
    return Seen(Release.parse(release), recording)
