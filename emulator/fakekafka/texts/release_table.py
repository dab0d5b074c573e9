"""The releases as a table: what `fakekafka releases` prints and the README shows."""

from typing import Final, NamedTuple

from fakekafka.ids import ApiKey, Magic
from fakekafka.releases.message_formats import FIRST_OF_FORMAT, format_of
from fakekafka.releases.profile import Profile, profile
from fakekafka.releases.release import LAST_PATCH, NEWEST, Mode, Release, all_releases

COLUMNS: Final = ("release", "patches", "mode", "Produce", "Fetch", "message format", "notes")


class ReleaseRow(NamedTuple):
    """One release line."""

    release: str
    patches: list[str]
    """Its patch releases, oldest first. The line's name means the last one."""
    modes: list[Mode]
    """The controller modes in which it can run, the default first."""
    produce: tuple[int, int]
    """The versions of Produce that it advertises; Fetch likewise."""
    fetch: tuple[int, int]
    message_format: Magic
    """The newest message format that it knows, and writes by default."""
    notes: list[str]

    def cells(self) -> tuple[str, ...]:
        """The row as text, in the order of `COLUMNS`."""
        return (
            self.release,
            f"{self.patches[0]} - {self.patches[-1]}" if len(self.patches) > 1 else self.patches[0],
            ", ".join(self.modes),
            f"{self.produce[0]}-{self.produce[1]}",
            f"{self.fetch[0]}-{self.fetch[1]}",
            f"v{self.message_format}",
            "; ".join(self.notes),
        )


def release_table() -> list[ReleaseRow]:
    """Every release line, oldest first."""
    return [_row(line) for line in LAST_PATCH]


def _row(line: str) -> ReleaseRow:
    rules = profile(Release.parse(line))
    default, produce, fetch = rules.mode, rules.advertised[ApiKey.PRODUCE], rules.advertised[ApiKey.FETCH]
    newest = format_of(line)  # None from 4.0 on, where no protocol version has this name: the newest
    return ReleaseRow(
        line,
        [str(release) for release in all_releases() if release.line == line],
        [default, *(set(rules.release.modes) - {default})],
        (produce.low, produce.high),
        (fetch.low, fetch.high),
        max(FIRST_OF_FORMAT) if newest is None else newest,
        _notes(rules),
    )


def _notes(played: Profile) -> list[str]:
    notes = []
    if ApiKey.API_VERSIONS not in played.advertised:
        notes.append("has no ApiVersions: clients must be told the release")
    if played.release.line == NEWEST:
        notes.append("the default")
    if played.release.provisional:
        notes.append("not released yet: facts from its branch may change")
    return notes
