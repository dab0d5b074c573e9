"""Broker configs whose defaults here are not Kafka's, and why. `FakeKafka(config={name: None})` asks for Kafka's."""

from typing import NamedTuple


class OwnDefault(NamedTuple):
    """A default that is not the release's."""

    name: str
    value: str
    why: str


def own_defaults(brokers: int) -> tuple[OwnDefault, ...]:
    """What differs from the defaults of every release, for a cluster with this many brokers."""
    replicas, in_sync = str(min(3, brokers)), str(min(2, brokers))
    few = "internal topics must be possible with fewer than three brokers"
    return (
        OwnDefault("group.initial.rebalance.delay.ms", "0", "a test has its consumers ready: nothing to wait 3 s for"),
        OwnDefault("offsets.topic.replication.factor", replicas, few),
        OwnDefault("transaction.state.log.replication.factor", replicas, few),
        OwnDefault("transaction.state.log.min.isr", in_sync, few),
        OwnDefault("share.coordinator.state.topic.replication.factor", replicas, few),
        OwnDefault("share.coordinator.state.topic.min.isr", in_sync, few),
    )
