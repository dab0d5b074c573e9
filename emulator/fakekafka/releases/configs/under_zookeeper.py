"""What a broker checks between its configs only because ZooKeeper keeps its metadata, and for the migration to KRaft.

The words are those of KafkaConfig; asked of 3.3.2 to 3.9.1.
"""

from collections.abc import Callable
from typing import Final

from fakekafka.releases.configs.values import ConfigValue
from fakekafka.releases.message_formats import order_of
from fakekafka.releases.release import Release, starting

MIGRATION: Final = "zookeeper.metadata.migration.enable"
FIRST_MIGRATING: Final = "3.4-IV0"
"""The first inter-broker protocol with which brokers can migrate (KIP-866)."""
NAMES: Final = "controller.listener.names"
VOTERS: Final = "controller.quorum.voters must contain a parseable set of {}."
FAILED: Final = "requirement failed: "


def no_new_consumer_groups(value: Callable[[str], ConfigValue], _: Release) -> str | None:
    """The consumer protocol needs KRaft (KIP-848)."""
    protocols = value("group.coordinator.rebalance.protocols")
    if not isinstance(protocols, tuple) or "consumer" not in protocols:
        return None
    return "The new 'consumer' rebalance protocol is only supported in KRaft cluster."


def no_controllers(value: Callable[[str], ConfigValue], _: Release) -> str | None:
    """Only brokers that migrate may name listeners of controllers."""
    if value(MIGRATION) or not (names := _names(value)):
        return None
    return f"{FAILED}{NAMES} must be empty when not running in KRaft mode: [{', '.join(names)}]"


def ready_to_migrate(value: Callable[[str], ConfigValue], release: Release) -> str | None:
    """A broker that is to migrate must know the controllers and how to reach them (KIP-866)."""
    if not value(MIGRATION):
        return None
    if not value("controller.quorum.voters") and not value("controller.quorum.bootstrap.servers"):
        either = "either controller.quorum.bootstrap.servers must contain the set of bootstrap controllers or "
        voters = either + VOTERS.format("controllers") if release >= starting("3.9") else VOTERS.format("voters")
        return f"If using {MIGRATION}, {voters}"
    if not _names(value):
        return f"{FAILED}{NAMES} must not be empty when running in ZooKeeper migration mode: []"
    protocol, first = order_of(str(value("inter.broker.protocol.version"))), order_of(FIRST_MIGRATING)
    if protocol is None or first is None or protocol >= first:
        return None
    words = "Cannot enable ZooKeeper migration without setting 'inter.broker.protocol.version' to 3.4 or higher"
    return FAILED + words


def _names(value: Callable[[str], ConfigValue]) -> list[str]:
    return [name for text in str(value(NAMES) or "").split(",") if (name := text.strip())]
