"""How topics, brokers, groups and client metrics take new configs, each with the checks of its kind.

Changes take effect at once. `ALTER` has the function for each type; each raises `ApiError` if the change is not
allowed, and changes nothing if it is only to validate.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.admin.config_changes import Change, carried_out
from fakekafka.admin.direct import set_topic_configs
from fakekafka.admin.dynamic_broker_configs import check_dynamic_configs, check_secrets, heeded
from fakekafka.admin.group_configs import check_client_metrics, check_group_configs
from fakekafka.admin.loggers import check_logger_changes
from fakekafka.admin.resources import ResourceType, check_altered_id
from fakekafka.cluster.known_topics import known_topic
from fakekafka.cluster.leadership import MIN_IN_SYNC, minimum_changed
from fakekafka.cluster.topic_creation.topic_configs import check_topic_configs
from fakekafka.cluster.topic_creation.topic_names import check_topic_name
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import TopicName
from fakekafka.releases.configs.definition import ConfigDef
from fakekafka.state.cluster_settings import ELIGIBLE_LEADERS
from fakekafka.state.topics import Topic

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

NO_LISTS: Final[Mapping[str, ConfigDef]] = {}
"""The controller knows the types of topics' and brokers' configs only: it adds to no other list."""

WRONG_WHEN_KEPT: Final = "Invalid config value for resource ConfigResource(type=BROKER, name='{name}'): "
"""What comes before a problem that is noticed only when configs are written to ZooKeeper."""


class Alteration(NamedTuple):
    """The changes to one resource."""

    kind: int
    name: str
    changes: list[Change]
    replaces: bool
    """Whether all its configs are replaced; then the changes are all that it will have."""

    @property
    def resource(self) -> tuple[int, str]:
        return self.kind, self.name


def check_name(broker: "Broker", wanted: Alteration) -> None:
    """Raises `ApiError` if another broker, or its loggers, are to be altered, or one without a number."""
    rules, words = broker.profile.alter_configs, broker.profile.config_words
    if wanted.kind == ResourceType.BROKER and wanted.name:
        check_altered_id(broker, wanted.name, words.other_altered_broker)
    if wanted.kind == ResourceType.BROKER_LOGGER and (wanted.name or rules.checked_first):
        check_altered_id(broker, wanted.name, words.other_logger_broker)


def _alter_topic(broker: "Broker", wanted: Alteration, validate_only: bool) -> None:
    rules, name, topic = broker.profile.alter_configs, wanted.name, _altered_topic(broker, wanted.name)
    by_controller = broker.profile.admin.by_controllers
    prefix = broker.profile.config_words.invalid_topic_value.format(name=name)
    no_default = ApiError(ErrorCode.INVALID_REQUEST, "Default topic resources are not allowed.")
    if not name and rules.empty_topic == "refused" and not by_controller:
        raise no_default
    if not name and not wanted.replaces and not by_controller:  # its configs are read from ZooKeeper first
        raise ApiError(ErrorCode.INVALID_REQUEST, f"{prefix}Path must not end with / character")
    current = {} if topic is None or wanted.replaces else topic.overrides
    table = broker.profile.topic_configs
    overrides = carried_out(broker, current, wanted.changes, table, by_controller=by_controller)
    if not name and rules.empty_topic == "refused":
        raise no_default
    unknown = ApiError(rules.unknown_topic, _words_for_unknown_topic(broker, name))
    if by_controller or rules.unknown_topic is ErrorCode.UNKNOWN_SERVER_ERROR:
        check_topic_name(broker.profile, name)
    if topic is None and not by_controller:
        raise unknown
    check_topic_configs(broker, overrides, rules.invalid_value, prefix)
    if topic is None:
        raise unknown
    if not validate_only:
        set_topic_configs(broker.cluster, topic, overrides)


def _altered_topic(broker: "Broker", name: TopicName) -> Topic | None:
    """The topic as the broker knows it, or as ZooKeeper does in releases that ask ZooKeeper."""
    if broker.profile.alter_configs.unknown_topic is ErrorCode.UNKNOWN_SERVER_ERROR:
        return broker.cluster.topics.get(name)
    return known_topic(broker, name)


def _words_for_unknown_topic(broker: "Broker", name: str) -> str | None:
    profile = broker.profile
    unexpected = profile.alter_configs.unknown_topic is ErrorCode.UNKNOWN_SERVER_ERROR
    silent = unexpected and not profile.words.unknown_error_explained
    return None if silent else profile.config_words.unknown_altered_topic.format(name=name)


def _alter_broker(broker: "Broker", wanted: Alteration, validate_only: bool) -> None:
    settings, for_all, words = broker.cluster.settings, not wanted.name, broker.profile.config_words
    overrides = settings.all_brokers if for_all else settings.brokers[broker.node_id]
    current = {} if wanted.replaces else overrides
    table = broker.profile.broker_configs
    configs = carried_out(broker, current, wanted.changes, table, by_controller=False)
    prefix = words.invalid_broker_value.format(name=wanted.name)
    check_dynamic_configs(broker, configs, for_all=for_all, prefix=prefix)
    _check_eligible_replicas(broker, wanted, overrides, configs)
    if not validate_only:
        check_secrets(broker, configs, prefix or WRONG_WHEN_KEPT.format(name=wanted.name))
        overrides.clear()
        overrides.update(heeded(broker, configs))
        for each in broker.cluster.brokers.values():
            each.reconfigure_all()
        if for_all and any(change.name == MIN_IN_SYNC for change in wanted.changes):
            minimum_changed(broker.cluster, broker.cluster.topics.values())


def _check_eligible_replicas(
    broker: "Broker", wanted: Alteration, before: Mapping[str, str], after: Mapping[str, str]
) -> None:
    """Eligible leader replicas want one min.insync.replicas for all brokers (KIP-966, ConfigurationControlManager)."""
    if not broker.cluster.settings.features.get(ELIGIBLE_LEADERS):
        return
    named = any(change.name == MIN_IN_SYNC for change in wanted.changes)
    if wanted.name and (named or MIN_IN_SYNC in before.keys() - after.keys()):
        words = f"Broker-level {MIN_IN_SYNC} cannot be altered while ELR is enabled."
        raise ApiError(ErrorCode.INVALID_CONFIG, words)
    if not wanted.name and MIN_IN_SYNC not in after and (named or MIN_IN_SYNC in before):
        words = f"Cluster-level {MIN_IN_SYNC} cannot be removed while ELR is enabled."
        raise ApiError(ErrorCode.INVALID_CONFIG, words)


def _alter_loggers(broker: "Broker", wanted: Alteration, validate_only: bool) -> None:
    check_logger_changes(broker, wanted.changes)


def _alter_client_metrics(broker: "Broker", wanted: Alteration, validate_only: bool) -> None:
    if not broker.profile.admin.by_controllers:
        words = "AlterConfigs is only supported for topics and brokers, but resource type is CLIENT_METRICS"
        raise ApiError(ErrorCode.INVALID_REQUEST, words)
    settings = broker.cluster.settings
    current = {} if wanted.replaces else settings.client_metrics.get(wanted.name, {})
    configs = carried_out(broker, current, wanted.changes, NO_LISTS, by_controller=True)
    check_client_metrics(broker, wanted.name, configs)
    if not validate_only:
        settings.set_client_metrics(wanted.name, configs)


def _alter_group(broker: "Broker", wanted: Alteration, validate_only: bool) -> None:
    overrides = broker.cluster.settings.groups
    current = {} if wanted.replaces else overrides.get(wanted.name, {})
    configs = carried_out(broker, current, wanted.changes, NO_LISTS, by_controller=True)
    check_group_configs(broker, wanted.name, configs)
    if not validate_only and configs != overrides.get(wanted.name, {}):
        _store(overrides, wanted.name, configs)
        for one in broker.cluster.brokers.values():
            one.configured_groups.add(wanted.name)


def _store(overrides: dict[str, dict[str, str]], name: str, configs: dict[str, str]) -> None:
    """Store the configs of a resource. A resource without configs does not exist."""
    if configs:
        overrides[name] = configs
    else:
        overrides.pop(name, None)


ALTER = {
    ResourceType.TOPIC: _alter_topic,
    ResourceType.BROKER: _alter_broker,
    ResourceType.BROKER_LOGGER: _alter_loggers,
    ResourceType.CLIENT_METRICS: _alter_client_metrics,
    ResourceType.GROUP: _alter_group,
}
"""The function for each type of resource."""
