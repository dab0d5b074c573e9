"""Broker properties that are in no release's table but are read by plug-ins inside a broker.

An authorizer, a metrics reporter or a config provider finds its own properties among the broker's. A broker accepts any
of them; from 1.1 on DescribeConfigs shows it, as a secret (asked of 0.11.0.3 to 2.3.1). Those of authorizers and
listeners take effect here.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from fakekafka.releases.configs.definition import ConfigDef
from fakekafka.releases.dated import at
from fakekafka.releases.release import Release


class PluginProperty(NamedTuple):
    """One name or, if it ends with a dot, all names that begin with it."""

    name: str
    spans: dict[str, bool]
    """Whether something reads it, by release."""
    read_by: str
    is_played: bool = False
    """Whether it takes effect here."""


AUTHORIZER: Final = "the authorizer"
PLUGIN_PROPERTIES: Final = (
    PluginProperty("super.users", {"0.9.0": True}, AUTHORIZER, is_played=True),
    PluginProperty("allow.everyone.if.no.acl.found", {"0.9.0": True}, AUTHORIZER, is_played=True),
    PluginProperty("authorizer.zookeeper.", {"0.9.0": True, "4.0": False}, AUTHORIZER),
    PluginProperty("kafka.csv.metrics.", {"0.8.0": True, "4.0": False}, "the metrics reporter that writes CSV files"),
    PluginProperty("listener.name.", {"1.0": True}, "one listener (KIP-103)", is_played=True),
    PluginProperty("config.providers", {"2.0": True, "4.2": False}, "what looks values up elsewhere (KIP-297)"),
    PluginProperty("config.providers.", {"2.0": True}, "what looks values up elsewhere (KIP-297)"),
    PluginProperty("rsm.config.", {"3.6": True}, "the storage of remote segments (KIP-405)"),
    PluginProperty("rlmm.config.", {"3.6": True}, "the metadata of remote segments (KIP-405)"),
)


def plugin_property(name: str, release: Release) -> PluginProperty | None:
    """What is known about a property; None if nothing in a broker of this release reads it."""
    for known in PLUGIN_PROPERTIES:
        fits = name.startswith(known.name) if known.name.endswith(".") else name == known.name
        if fits and at(known.spans, release, before=False):
            return known
    return None


def of_listener(name: str) -> str | None:
    """`ssl.keystore.type` of `listener.name.internal.ssl.keystore.type`; None for other names."""
    prefix, listener, config = "listener.name.", "", ""
    if name.startswith(prefix):
        listener, _, config = name.removeprefix(prefix).partition(".")
    return config if listener and config else None


def is_secret(name: str, table: Mapping[str, ConfigDef]) -> bool:
    """Whether a broker property is a password or a key, of the broker, a listener, or a mechanism of a listener. One
    that the release does not know is taken for a secret, to be safe.
    """
    of_one = of_listener(name)
    own = of_one or name
    while of_one and own not in table and "." in own:
        own = own.partition(".")[2]
    return own not in table or table[own].sensitive
