"""Runs of patch releases, as in "0.11.0.0 - 1.0.1, 1.1.0" or "4.0.0 -": which releases have a bug."""

from dataclasses import dataclass

from fakekafka.errors import UsageError
from fakekafka.releases.release import Release, all_releases, starting


@dataclass(frozen=True)
class ReleaseRuns:
    """First and last release of each run, both included, in the order of age."""

    runs: tuple[tuple[Release, Release], ...]

    @classmethod
    def parse(cls, text: str) -> "ReleaseRuns":
        """The runs in a text. Raises `UsageError` for a release that never existed, and for runs that do not ascend."""
        runs = tuple(_run(part) for part in text.split(","))
        ends = [end for run in runs for end in run]
        if ends != sorted(ends):
            raise UsageError(f"{text!r}: the oldest release comes first")
        return cls(runs)

    def __contains__(self, release: object) -> bool:
        return isinstance(release, Release) and any(first <= release <= last for first, last in self.runs)

    def cured_in(self) -> list[Release]:
        """The first release after each run, except for a run that goes on to the newest."""
        releases = all_releases()
        after = (next((r for r in releases if r > last), None) for _, last in self.runs)
        return [release for release in after if release is not None and not release.provisional]


def _run(text: str) -> tuple[Release, Release]:
    first, dash, last = (part.strip() for part in text.strip().partition(" -"))
    low = starting(first)
    if not dash:
        return low, low
    return low, Release.parse(last) if last else all_releases()[-1]
