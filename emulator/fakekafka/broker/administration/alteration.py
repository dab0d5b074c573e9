"""Altering configs: what AlterConfigs and IncrementalAlterConfigs have in common.

AlterConfigs replaces all configs of a resource, IncrementalAlterConfigs changes some. What is changed counts at once.
The orders of the checks are those of AdminManager, of ConfigAdminManager from 3.2 on, and of the KRaft controllers.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from fakekafka.broker.administration.api_error import ApiError
from fakekafka.broker.administration.config_changes import OPERATIONS, Change, Operation, carried_out
from fakekafka.broker.administration.direct import set_topic_configs
from fakekafka.broker.administration.dynamic_broker_configs import check_dynamic_configs
from fakekafka.broker.administration.group_configs import check_client_metrics, check_group_configs
from fakekafka.broker.administration.loggers import check_logger_changes
from fakekafka.broker.administration.resources import ResourceType, is_known, name_of_type
from fakekafka.broker.administration.topic_configs import check_topic_configs
from fakekafka.broker.administration.topic_names import check_topic_name
from fakekafka.errors import ErrorCode
from fakekafka.releases.configs import client_metrics_configs, group_configs

if TYPE_CHECKING:
    from fakekafka.broker.broker import Broker


class Alteration(NamedTuple):
    """What is to become of one resource."""

    kind: int
    name: str
    changes: list[Change]
    replaces: bool
    """All its configs are replaced; the changes are what it will have."""

    @property
    def resource(self) -> tuple[int, str]:
        return self.kind, self.name


def alter(
    broker: "Broker", wanted: Sequence[Alteration], *, validate_only: bool
) -> list[tuple[Alteration, ApiError | None]]:
    """Alter what can be altered; why each of the others cannot."""
    if not broker.profile.alter_configs.checked_first:
        last = {each.resource: each for each in wanted}
        return [(each, _outcome(broker, each, validate_only)) for each in last.values()]
    resources = [each.resource for each in wanted]
    twice = ApiError(ErrorCode.INVALID_REQUEST, "Each resource must appear at most once.")
    return [
        (each, twice if resources.count(each.resource) > 1 else _outcome(broker, each, validate_only))
        for each in wanted
    ]


def _outcome(broker: "Broker", wanted: Alteration, validate_only: bool) -> ApiError | None:
    try:
        _alter_one(broker, wanted, validate_only)
    except ApiError as refused:
        return refused
    return None


def _alter_one(broker: "Broker", wanted: Alteration, validate_only: bool) -> None:
    first = broker.profile.alter_configs.checked_first
    if not first:
        _check_type(broker, wanted)
    if first or not wanted.replaces:
        _check_twice(broker, wanted)
    _check_nulls(broker, wanted)
    if first:
        _check_type(broker, wanted)
    if any(change.operation not in OPERATIONS for change in wanted.changes):
        raise _unknown_operation(broker, wanted)
    ALTER[ResourceType(wanted.kind)](broker, wanted, validate_only)


# ---- the request


def _check_type(broker: "Broker", wanted: Alteration) -> None:
    profile, kind = broker.profile, wanted.kind
    if not is_known(profile, kind):
        words = profile.words.unknown_resource_type.format(name=name_of_type(profile, kind), number=kind)
        raise ApiError(ErrorCode.INVALID_REQUEST, words)
    if kind == ResourceType.BROKER and not profile.alter_configs.brokers:
        words = "AlterConfigs is only supported for topics, but resource type is BROKER"
        raise ApiError(ErrorCode.INVALID_REQUEST, words)
    if kind == ResourceType.BROKER_LOGGER and wanted.replaces:
        words = profile.words.loggers_replaced.format(number=kind)
        raise ApiError(ErrorCode.INVALID_REQUEST, words)


def _check_twice(broker: "Broker", wanted: Alteration) -> None:
    names = [change.name for change in wanted.changes]
    twice = dict.fromkeys(name for name in names if names.count(name) > 1)
    if twice:
        words = broker.profile.words.same_config_twice.format(names=",".join(twice))
        raise ApiError(ErrorCode.INVALID_REQUEST, words)


def _check_nulls(broker: "Broker", wanted: Alteration) -> None:
    rules = broker.profile.alter_configs
    nulls = [c for c in wanted.changes if c.value is None and c.operation != Operation.DELETE]
    code = rules.null_value if wanted.replaces else rules.null_change
    if not nulls or code is None:
        return
    if code is ErrorCode.UNKNOWN_SERVER_ERROR:
        raise ApiError(code)
    if rules.null_named_with_operation:
        names = ",".join(f"{_operation_name(change)}:{change.name}" for change in nulls)
    else:
        names = ", ".join(change.name for change in nulls)
    raise ApiError(code, f"Null value not supported for : {names}")


def _operation_name(change: Change) -> str:
    return Operation(change.operation).name if change.operation in OPERATIONS else "null"


def _unknown_operation(broker: "Broker", wanted: Alteration) -> ApiError:
    if wanted.kind == ResourceType.BROKER and broker.profile.alter_configs.checked_first:
        number = next(change.operation for change in wanted.changes if change.operation not in OPERATIONS)
        return ApiError(ErrorCode.INVALID_REQUEST, f"Unknown operations type {number}")
    return ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, broker.profile.words.unknown_operation)


# ---- topics


def _alter_topic(broker: "Broker", wanted: Alteration, validate_only: bool) -> None:
    rules, name, topic = broker.profile.alter_configs, wanted.name, broker.cluster.topics.get(wanted.name)
    by_controller = broker.profile.topics.decided_by == "controller"
    if not name and rules.checked_first:
        raise ApiError(ErrorCode.INVALID_REQUEST, "Default topic resources are not allowed.")
    current = {} if topic is None or wanted.replaces else topic.overrides
    table = broker.profile.topic_configs
    overrides = carried_out(broker, current, wanted.changes, table, by_controller=by_controller)
    unknown = ApiError(rules.unknown_topic, _words_for_unknown_topic(broker, name))
    if by_controller or rules.unknown_topic is ErrorCode.UNKNOWN_SERVER_ERROR:
        check_topic_name(broker.profile, name)
    if topic is None and not by_controller:
        raise unknown
    prefix = broker.profile.words.invalid_topic_value.format(name=name)
    check_topic_configs(broker, overrides, rules.invalid_value, prefix)
    if topic is None:
        raise unknown
    if not validate_only:
        set_topic_configs(broker.cluster, topic, overrides)


def _words_for_unknown_topic(broker: "Broker", name: str) -> str | None:
    words, code = broker.profile.words, broker.profile.alter_configs.unknown_topic
    silent = code is ErrorCode.UNKNOWN_SERVER_ERROR and not words.unknown_error_explained
    return None if silent else words.unknown_altered_topic.format(name=name)


# ---- brokers


def _alter_broker(broker: "Broker", wanted: Alteration, validate_only: bool) -> None:
    settings, for_all = broker.cluster.settings, not wanted.name
    if not for_all:
        _check_own_id(broker, wanted.name)
    stored = settings.all_brokers if for_all else settings.brokers[broker.node_id]
    current = {} if wanted.replaces else stored
    table = broker.profile.broker_configs
    configs = carried_out(broker, current, wanted.changes, table, by_controller=False)
    prefix = broker.profile.words.invalid_broker_value.format(name=wanted.name)
    check_dynamic_configs(broker, configs, for_all=for_all, prefix=prefix)
    if not validate_only:
        stored.clear()
        stored.update(configs)
        for each in broker.cluster.brokers.values():
            each.reconfigure_all()


def _check_own_id(broker: "Broker", name: str) -> None:
    digits, words = name[1:] if name[:1] in ("+", "-") else name, broker.profile.words
    if not (digits.isascii() and digits.isdigit()):
        raise ApiError(ErrorCode.INVALID_REQUEST, words.broker_id_is_no_number.format(name=name))
    if int(name) != broker.node_id:
        problem = words.other_altered_broker.format(id=broker.node_id, name=name)
        raise ApiError(ErrorCode.INVALID_REQUEST, problem)


def _alter_loggers(broker: "Broker", wanted: Alteration, validate_only: bool) -> None:
    _check_own_id(broker, wanted.name)
    check_logger_changes(broker, wanted.changes)


# ---- groups and client metrics


def _alter_client_metrics(broker: "Broker", wanted: Alteration, validate_only: bool) -> None:
    if broker.profile.topics.decided_by == "broker":
        words = "AlterConfigs is only supported for topics and brokers, but resource type is CLIENT_METRICS"
        raise ApiError(ErrorCode.INVALID_REQUEST, words)
    stored, table = broker.cluster.settings.client_metrics, client_metrics_configs(broker.profile.release)
    current = {} if wanted.replaces else stored.get(wanted.name, {})
    configs = carried_out(broker, current, wanted.changes, table, by_controller=True)
    check_client_metrics(broker, wanted.name, configs)
    if not validate_only:
        _store(stored, wanted.name, configs)


def _alter_group(broker: "Broker", wanted: Alteration, validate_only: bool) -> None:
    stored, table = broker.cluster.settings.groups, group_configs(broker.profile.release)
    current = {} if wanted.replaces else stored.get(wanted.name, {})
    configs = carried_out(broker, current, wanted.changes, table, by_controller=True)
    check_group_configs(broker, wanted.name, configs)
    if not validate_only:
        _store(stored, wanted.name, configs)


def _store(stored: dict[str, dict[str, str]], name: str, configs: dict[str, str]) -> None:
    """A resource without configs is none."""
    if configs:
        stored[name] = configs
    else:
        stored.pop(name, None)


ALTER = {
    ResourceType.TOPIC: _alter_topic,
    ResourceType.BROKER: _alter_broker,
    ResourceType.BROKER_LOGGER: _alter_loggers,
    ResourceType.CLIENT_METRICS: _alter_client_metrics,
    ResourceType.GROUP: _alter_group,
}
"""By type."""
