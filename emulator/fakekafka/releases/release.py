"""The names of Kafka's releases: `Release`, and the table of release lines.

A *line* is what gets features ("0.10.2", "2.3"); a *patch release* is what gets shipped ("0.10.2.2", "2.3.1"). A
release named by its line means the line's last patch release, because that is what an operator of that line should
run. This module holds names only; what a release does is in `history` and `behaviours`.
"""

from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from fakekafka.errors import UsageError

Mode: TypeAlias = Literal["zk", "kraft"]
"""What keeps the cluster's metadata: ZooKeeper, or the brokers themselves (KIP-500)."""

LAST_PATCH: Final[dict[str, int]] = {
    "0.8.0": 0, "0.8.1": 1, "0.8.2": 2, "0.9.0": 1, "0.10.0": 1, "0.10.1": 1, "0.10.2": 2, "0.11.0": 3,
    "1.0": 2, "1.1": 1,
    "2.0": 1, "2.1": 1, "2.2": 2, "2.3": 1, "2.4": 1, "2.5": 1, "2.6": 3, "2.7": 2, "2.8": 2,
    "3.0": 2, "3.1": 2, "3.2": 3, "3.3": 2, "3.4": 1, "3.5": 2, "3.6": 2, "3.7": 2, "3.8": 1, "3.9": 2,
    "4.0": 2, "4.1": 2, "4.2": 1, "4.3": 1, "4.4": 0,
}  # fmt: skip
"""Every release line, oldest first, and the number of its last patch release; they count from 0."""

PROVISIONAL: Final = frozenset({"4.4"})
"""Lines known from their release branch only. They are served only if asked for by name, and marked everywhere."""

FIRST_KRAFT_LINE: Final = "2.8"
"""KIP-500: from here on a broker may run without ZooKeeper (early access; production from 3.3)."""


class Release(NamedTuple):
    """One patch release. Sorts by age, hashes, and reads as Kafka writes it: `str(Release.parse("2.3")) == "2.3.1"`."""

    line_number: tuple[int, ...]
    """(2, 3), or three numbers before 1.0: (0, 10, 2)."""
    patch: int
    """The number of the patch release: 1 in 2.3.1."""

    @staticmethod
    def parse(text: str) -> "Release":
        """The release called "2.3.1", "0.10.2.2" or, for the last patch release of a line, "2.3" and "0.10.2".

        Raises `UsageError` for a release that never existed, with the nearest ones that did.
        """
        if not isinstance(text, str):
            raise UsageError(f'a release is a text such as "3.9", not {text!r}')
        if text in LAST_PATCH:
            return Release(_numbers(text), LAST_PATCH[text])
        line, _, patch = text.rpartition(".")
        if line in LAST_PATCH and patch in map(str, range(LAST_PATCH[line] + 1)):
            return Release(_numbers(line), int(patch))
        raise UsageError(_unknown(text))

    @property
    def line(self) -> str:
        """The release line: "2.3" of 2.3.1."""
        return ".".join(map(str, self.line_number))

    @property
    def provisional(self) -> bool:
        """Whether this is a branch that has not been released. Its facts may still change."""
        return self.line in PROVISIONAL

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The controller modes in which this release can run."""
        if self.line_number < _numbers(FIRST_KRAFT_LINE):
            return ("zk",)
        return ("kraft",) if self.line_number >= (4, 0) else ("zk", "kraft")

    @property
    def default_mode(self) -> Mode:
        """ZooKeeper below 3.3, KRaft from 3.3 on, the first line in which KRaft was meant for production (KIP-833)."""
        return "kraft" if self.line_number >= (3, 3) else "zk"

    def __str__(self) -> str:
        return self.line if self.line == "0.8.0" else f"{self.line}.{self.patch}"


NEWEST: Final = next(line for line in reversed(LAST_PATCH) if line not in PROVISIONAL)
"""The line of the newest published release: the default of a broker."""


@cache
def starting(date: str) -> Release:
    """The first release that has what is dated `date`: "2.5" is 2.5.0, "2.5.1" is that patch release."""
    return Release(_numbers(date), 0) if date in LAST_PATCH else Release.parse(date)


def all_releases() -> list[Release]:
    """Every patch release, oldest first; provisional ones included."""
    return [Release(_numbers(line), patch) for line, last in LAST_PATCH.items() for patch in range(last + 1)]


def mode_called(name: str) -> Mode:
    """The mode called `name`: "kraft"; any other name means "zk"."""
    return "kraft" if name == "kraft" else "zk"


def check_mode(release: Release, mode: Mode | None) -> Mode:
    """`mode`, or the release's default for None. Raises `UsageError` if the release cannot run in that mode."""
    if mode is None:
        return release.default_mode
    if mode not in release.modes:
        allowed = " or ".join(repr(m) for m in release.modes)
        raise UsageError(f"Kafka {release} has no controller mode {mode!r}: it runs as {allowed}")
    return mode


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


def _unknown(text: str) -> str:
    from difflib import get_close_matches  # imported only here: it costs more than the rest of this module

    names = [*LAST_PATCH, *map(str, all_releases())]
    near = get_close_matches(text, names, n=4, cutoff=0.5)
    hint = f"did you mean {', '.join(near)}?" if near else f"the lines are {', '.join(LAST_PATCH)}"
    return f"there is no Kafka release {text!r}: {hint}"
