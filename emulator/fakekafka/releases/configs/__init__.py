"""Config names, defaults, types and rules of every release: what `config=` may hold and what DescribeConfigs shows.

One module per theme, each a list of `config(...)` lines; `definition` says how to read one. From 0.9 on the tables are
those of each release's own KafkaConfig, LogConfig and GroupConfig, read from the classes of its last patch release and
equal to what its broker answers to DescribeConfigs; 0.8 is read from KafkaConfig.scala. Differences between patch
releases are taken from the sources at their tags. Both controller modes share one table: a KRaft broker of 3.x knows
`zookeeper.connect`, and the other way round. 4.4 is provisional and has the table of 4.3.

The addresses in `controller.quorum.voters` and `controller.quorum.bootstrap.servers` are accepted unchecked. What a
broker checks between configs when it starts is in `combinations`.
"""

from functools import cache
from importlib import import_module

from fakekafka.errors import UsageError
from fakekafka.releases.configs.definition import Config, ConfigTable
from fakekafka.releases.configs.synonyms import BROKER_NAME
from fakekafka.releases.release import Release

BROKER_MODULES = (
    "server", "network", "log", "tiered_storage", "replication", "groups", "share_groups", "streams_groups",
    "transactions", "quotas", "ssl", "sasl", "oauth", "kraft", "zookeeper",
)  # fmt: skip
"""The modules that hold broker configs, each in a tuple named like the module."""


@cache
def broker_configs(release: Release) -> ConfigTable:
    """What a broker of this release can be configured with."""
    return ConfigTable(_broker_lines(), release)


@cache
def topic_configs(release: Release) -> ConfigTable:
    """What a topic can be configured with. Empty for 0.8.0, where the broker had maps by topic instead."""
    return ConfigTable(lines("topics"), release)


@cache
def group_configs(release: Release) -> ConfigTable:
    """What a group can be configured with; empty before 4.0."""
    return ConfigTable(lines("group_resources"), release)


@cache
def client_metrics_configs(release: Release) -> ConfigTable:
    """What a client metrics resource holds; empty before 3.7."""
    return ConfigTable(lines("client_metrics"), release)


def unknown_config(name: str, table: ConfigTable, release: Release) -> UsageError:
    """The error for a config that `table` does not have in this release: in which table it is, when it existed, or
    names that are similar.
    """
    return UsageError(f"Kafka {release} has no config {name!r}: {_hint(name, table, release)}")


def _hint(name: str, table: ConfigTable, release: Release) -> str:
    if (lifetime := table.lifetime(name)) is not None:
        return f"it {lifetime}"
    if table is not topic_configs(release) and name in topic_configs(release):
        broker_name = BROKER_NAME.get(name)
        return "it is a topic's config" + (f"; the broker's is {broker_name}" if broker_name else ", not a broker's")
    if table is not broker_configs(release) and name in broker_configs(release):
        return "it is a broker's config"
    from difflib import get_close_matches  # only here: errors may be slow

    near = get_close_matches(name, list(table), n=4, cutoff=0.6)
    return f"did you mean {', '.join(near)}?" if near else "no name is similar"


@cache
def _broker_lines() -> tuple[Config, ...]:
    return tuple(line for module in BROKER_MODULES for line in lines(module))


def lines(module: str) -> tuple[Config, ...]:
    """The configs that a theme module holds, for all releases."""
    configs: tuple[Config, ...] = getattr(import_module(f"{__name__}.{module}"), module.upper())
    return configs
