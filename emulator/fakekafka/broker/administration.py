"""Changing topics and configs: what the admin APIs and the test ask for alike (AdminManager, the KRaft controllers)."""

from fakekafka.broker.cluster import Cluster
from fakekafka.broker.topics import Topic, illegal_name
from fakekafka.errors import UsageError
from fakekafka.ids import TopicName


def create_topic(cluster: Cluster, name: TopicName, partitions: int, overrides: dict[str, str]) -> Topic:
    """Create a topic. Raises `UsageError` when it cannot be."""
    if name in cluster.topics:
        raise UsageError(f"Topic '{name}' already exists.")
    if (reason := illegal_name(name)) is not None:
        raise UsageError(f"Topic name is illegal: {reason}")
    broker = cluster.brokers[cluster.controller_id]
    factor = min(broker.config.int("default.replication.factor", 1), len(cluster.brokers))
    return cluster.new_topic(name, cluster.assign(partitions, factor), overrides, broker.profile.metadata.topic_ids)


def configure_topic(cluster: Cluster, topic: Topic, changes: dict[str, str | None]) -> None:
    """Set and remove configs of a topic."""
    for name, value in changes.items():
        if value is None:
            topic.overrides.pop(name, None)
        else:
            topic.overrides[name] = value
    for broker in cluster.brokers.values():
        broker.reconfigure(topic)
