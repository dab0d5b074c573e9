"""Administration without a client: what the methods of `FakeKafka` need, under the rules of the release."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fakekafka.admin.group_configs import check_client_metrics
from fakekafka.admin.quota_checks import IP, IP_KEYS, USER, checked_value, keys_of
from fakekafka.admin.quotas import QuotaChange, alter
from fakekafka.cluster.leadership import MIN_IN_SYNC, minimum_changed
from fakekafka.cluster.topic_creation.creation import create_planned, plan_topic
from fakekafka.cluster.topic_creation.new_topics import NewTopic
from fakekafka.cluster.topic_creation.topic_configs import check_topic_configs
from fakekafka.errors import ApiError, ErrorCode, UsageError
from fakekafka.ids import ApiKey, DurationMs, TopicName
from fakekafka.state.topics import Topic

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker
    from fakekafka.cluster.cluster import Cluster


def create_topic(cluster: "Cluster", name: TopicName, partitions: int, overrides: dict[str, str]) -> Topic:
    """Create a topic with the default replication factor, or as many replicas as there are brokers.

    Raises `UsageError` with the broker's words, or beyond the cluster's `partition_limit`.
    """
    limit = cluster.partition_limit
    if not (isinstance(name, str) and isinstance(partitions, int)):
        raise UsageError(f"a topic has a name and a number of partitions, not {name!r} and {partitions!r}")
    if partitions > limit:
        raise UsageError(f"topic {name!r}, {partitions} partitions: FakeKafka(partition_limit={limit}) allows no more")
    broker = _controller(cluster)
    factor = min(broker.config.int("default.replication.factor", 1), len(cluster.brokers))
    try:
        plan = plan_topic(broker, NewTopic(name, partitions, factor, configs=tuple(overrides.items())))
    except ApiError as refused:
        raise UsageError(f"the broker refuses topic {name!r}: {refused}") from refused
    return create_planned(broker, name, plan, at_once=True)


def configure_topic(cluster: "Cluster", topic: Topic, changes: dict[str, str | None]) -> None:
    """Set configs of a topic, and remove those that are None. Raises `UsageError` with the broker's words."""
    broker = _controller(cluster)
    overrides = {name: value for name, value in (topic.overrides | changes).items() if value is not None}
    try:
        check_topic_configs(broker, overrides, ErrorCode.INVALID_CONFIG)
    except ApiError as refused:
        raise UsageError(f"the broker refuses these configs of {topic.name!r}: {refused}") from refused
    set_topic_configs(cluster, topic, overrides)


def set_topic_configs(cluster: "Cluster", topic: Topic, overrides: dict[str, str]) -> None:
    """Give a topic these configs of its own and no others."""
    before = topic.overrides.get(MIN_IN_SYNC)
    topic.overrides.clear()
    topic.overrides.update(overrides)
    for broker in cluster.brokers.values():
        broker.reconfigure(topic)
    if overrides.get(MIN_IN_SYNC) != before:
        minimum_changed(cluster, [topic])


def subscribe_to_metrics(
    cluster: "Cluster", name: str, metrics: Sequence[str], interval_ms: DurationMs, match: Mapping[str, str] | None
) -> None:
    """Set a client metrics resource (KIP-714). Raises `UsageError` with the broker's words, or where there are none."""
    broker = _controller(cluster)
    if ApiKey.PUSH_TELEMETRY not in broker.accepted:
        release, mode = broker.profile.release, broker.profile.mode
        raise UsageError(f"clients push metrics from 3.7 on in KRaft mode, not to {release} in mode {mode!r}")
    configs = {"metrics": ",".join(metrics), "interval.ms": str(interval_ms)}
    if match:
        configs["match"] = ",".join(f"{label}={pattern}" for label, pattern in match.items())
    try:
        check_client_metrics(broker, name, configs)
    except ApiError as refused:
        raise UsageError(f"the broker refuses the subscription {name!r}: {refused}") from refused
    cluster.settings.set_client_metrics(name, configs)


DEFAULT_ENTITY: Final = "<default>"
"""How ZooKeeper's tree calls the default of all users, client ids or addresses."""


def set_quotas(cluster: "Cluster", entity: Mapping[str, str], quotas: Mapping[str, float | None]) -> None:
    """Set quotas of an entity, by type, and remove those that are None. Raises `UsageError` with the broker's words."""
    broker = _controller(cluster)
    if not broker.profile.admin.client_quotas or (USER in entity and not broker.profile.admin.user_quotas):
        raise UsageError(f"clients have quotas from 0.9 on, users from 0.10.1 on, not in {broker.profile.release}")
    names = {kind: None if name == DEFAULT_ENTITY else name for kind, name in entity.items()}
    try:
        keys = keys_of(broker, names)
        for key, value in quotas.items():
            checked_value(broker, keys, key, 1 if value is None else value)  # KRaft's 2.8 drops wrong ones in silence
        alter(broker, list(names.items()), list(map(QuotaChange._make, quotas.items())), validate_only=False)
    except ApiError as refused:
        known = ", ".join(sorted(IP_KEYS if IP in names else broker.profile.admin.client_quotas))
        raise UsageError(f"the broker refuses these quotas of {dict(entity)}: {refused}; it knows {known}") from refused


def _controller(cluster: "Cluster") -> "Broker":
    return cluster.brokers[cluster.controller_id]
