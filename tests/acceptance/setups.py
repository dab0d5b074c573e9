"""The brokers that a suite's tests are run against."""

from typing import Literal, NamedTuple

from fakekafka.releases.release import Release

Pace = Literal["instant", "lifelike"]


class Setup(NamedTuple):
    """A cluster: what `fakekafka serve` is started with, apart from a suite's own properties."""

    release: Release
    brokers: int = 1
    pace: Pace = "instant"

    def __str__(self) -> str:
        brokers = f", {self.brokers} brokers" if self.brokers > 1 else ""
        return f"{self.release}{brokers}{', lifelike' if self.pace == 'lifelike' else ''}"


def setup(release: str, brokers: int = 1, pace: Pace = "instant") -> Setup:
    return Setup(Release.parse(release), brokers, pace)


def chosen(names: list[str], usual: tuple[Setup, ...]) -> list[Setup]:
    """The usual setups of the named releases, or all if none is named; a release without a usual setup gets one
    broker.
    """
    if not names:
        return list(usual)
    found = []
    for name in names:
        release = Release.parse(name)
        found += [each for each in usual if each.release == release] or [Setup(release)]
    return found
