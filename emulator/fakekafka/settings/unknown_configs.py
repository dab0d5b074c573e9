"""Broker properties that a release does not have: `FakeKafka(unknown_configs=...)`.

A real broker ignores properties whose names it does not know: 0.8 warns about them in its log, later releases say
nothing (asked of 0.8.2.2 to 4.1.1), and from 1.1 on DescribeConfigs shows them as secrets (recorded from 1.0.2 to
4.3.1: unknown_configs). Here a name that another release has is ignored as well, with a Python warning. A name that no
release has is a `UsageError`, since it is more often a mistake than a plug-in's property; for the latter there is
`unknown_configs="ignored"`.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args
from warnings import warn

from fakekafka.errors import UsageError
from fakekafka.releases.configs import broker_configs
from fakekafka.releases.configs.plugins import plugin_property
from fakekafka.releases.release import Release

UnknownConfigs: TypeAlias = Literal["refused", "ignored"]


def check(choice: UnknownConfigs) -> None:
    """Check that a word is one of the known ones. Raises `UsageError` if not."""
    if choice not in get_args(UnknownConfigs):
        raise UsageError(f"unknown_configs={choice!r}: use one of {', '.join(get_args(UnknownConfigs))}")


def ignored(config: Mapping[str, str | None], release: Release, unknown: UnknownConfigs) -> dict[str, str]:
    """The properties that a broker of the release ignores, and what is known about each."""
    table = broker_configs(release)
    foreign = [name for name in config if name not in table and plugin_property(name, release) is None]
    lifetimes = {name: table.lifetime(name) for name in foreign}
    return {
        name: lifetime or "is of no release"
        for name, lifetime in lifetimes.items()
        if lifetime is not None or unknown == "ignored"
    }


def heeded(config: Mapping[str, str | None], release: Release, unknown: UnknownConfigs) -> dict[str, str | None]:
    """The properties that are not ignored. Names that no release has are included, unless they are to be ignored."""
    left_out = ignored(config, release, unknown) if config else {}
    return {name: value for name, value in config.items() if name not in left_out}


def warn_of(ignored: Mapping[str, str], unplayed: Mapping[str, str], release: Release) -> None:
    """Warn, three callers up, about properties without effect in that release, or here."""
    for name, what in unplayed.items():
        warn(f"{name} has no effect here: in a real broker, {what}", stacklevel=5)
    for name, known in ignored.items():
        warn(f"Kafka {release} ignores the config {name!r}: it {known}", stacklevel=5)
