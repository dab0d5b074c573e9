"""The rack of a broker that clients are told."""

from fakekafka.cluster.broker import Broker
from fakekafka.releases.protocol_effects import RACKS


def shown_rack(broker: Broker) -> str | None:
    """Its `broker.rack`, unless the inter-broker protocol is so old that it has not registered one in ZooKeeper."""
    if broker.profile.allows(RACKS, broker.config.text("inter.broker.protocol.version")):
        return broker.rack
    return broker.profile.metadata.unregistered_rack
