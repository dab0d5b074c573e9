"""The configs of real releases: `tests/golden/configs`.

`tables.jsonl.xz`: names, types, defaults, internal or not, and for brokers how dynamic, of 35 releases from 0.8.0 to
4.3.1. From 0.9.0.1 on they are what the release's own KafkaConfig, LogConfig, GroupConfig and DynamicBrokerConfig
classes say when asked; those of 0.8 were read in KafkaConfig.scala.
`values.jsonl.xz`: texts, and what the ConfigDefs of 0.9.0.1, 0.11.0.3, 2.8.2 and 4.3.1 make of each: a value written
back as text, or an error. Secrets, classes and the addresses of controllers are left out.
"""

import json
import lzma
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

from fakekafka.releases.configs import broker_configs, client_metrics_configs, group_configs
from fakekafka.releases.configs.definition import ConfigTable
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release

GOLDEN = Path(__file__).parents[3] / "golden" / "configs"


Case: TypeAlias = tuple[str, str]
"""A release, and "broker", "topic", "group" or "metrics"."""


def topic_configs(release: Release) -> ConfigTable:
    """The topic configs as the release checks them: its profile knows which formats it compares."""
    return profile(release).topic_configs


TABLES: dict[str, Callable[[Release], ConfigTable]] = {
    "broker": broker_configs,
    "topic": topic_configs,
    "group": group_configs,
    "metrics": client_metrics_configs,
}


class ConfigFact(NamedTuple):
    """One config of one release, in the order of the file."""

    kind: str
    default: str | None
    internal: bool
    mode: str = "read-only"


class Reading(NamedTuple):
    """What a release makes of a text."""

    text: str
    taken: bool
    says: str
    """The value as text, or the error."""


@cache
def tables() -> dict[Case, dict[str, ConfigFact]]:
    """Name -> fact, by case."""
    found = {}
    for line in _lines("tables"):
        release, kinds = json.loads(line)
        for kind, rows in kinds.items():
            found[release, kind] = {name: ConfigFact(*row) for name, row in rows.items()}
    return found


@cache
def readings() -> dict[Case, dict[str, list[Reading]]]:
    """Name -> readings, by case."""
    found: dict[Case, dict[str, list[Reading]]] = {}
    for line in _lines("values"):
        release, kind, name, rows = json.loads(line)
        found.setdefault((release, kind), {})[name] = [Reading(*row) for row in rows]
    return found


def table(release: str, kind: str) -> ConfigTable:
    """Our table of the release's configs."""
    return TABLES[kind](Release.parse(release))


def _lines(name: str) -> list[str]:
    return lzma.decompress((GOLDEN / f"{name}.jsonl.xz").read_bytes()).decode().splitlines()
