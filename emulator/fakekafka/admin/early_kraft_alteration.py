"""Altering configs under the first KRaft controllers, up to 3.1 (ConfigurationControlManager).

Brokers check nothing yet; the controllers look at the resource's own name, carry the changes out and write the result
down. 3.1 checks the values of topics.

Not imitated: here a topic that does not exist keeps nothing, and a broker does not keep what it could not apply.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fakekafka.admin.altered_resources import Alteration
from fakekafka.admin.config_changes import Change, Operation, carried_out
from fakekafka.admin.direct import set_topic_configs
from fakekafka.admin.dynamic_broker_configs import check_dynamic_configs, heeded
from fakekafka.admin.resources import ResourceType, is_integer
from fakekafka.cluster.failed_controller import check_controller
from fakekafka.cluster.topic_creation.topic_configs import check_topic_configs
from fakekafka.cluster.topic_creation.topic_names import is_legal
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.pieces import Stepwise, in_turn

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

FIRST_TYPES: Final = (ResourceType.TOPIC, ResourceType.BROKER, ResourceType.BROKER_LOGGER)
"""The types that controllers of 2.8 know."""
UNKNOWN: Final = 0
"""How they show any other type."""
UNSUPPORTED: Final = "Unsupported configuration resource type"


def alter_by_controllers(
    broker: "Broker", wanted: Sequence[Alteration], *, validate_only: bool
) -> Stepwise[list[tuple[Alteration, ApiError | None]]]:
    """Alter what can be altered. Returns why each of the others cannot."""
    rules = broker.profile.alter_configs
    try:
        check_controller(broker)
        if not rules.resources_checked:
            wanted = list({each.resource: each for each in map(_with_known_type, wanted)}.values())
        if rules.deletions_fail and not validate_only and any(_deletes(broker, each) for each in wanted):
            broker.cluster.fail_controller()
            raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
    except ApiError as refused:
        return [(each, refused) for each in wanted]
    named = Counter(each.resource for each in wanted)
    twice = ApiError(ErrorCode.INVALID_REQUEST, "Duplicate resource.")
    outcomes = yield from in_turn(
        lambda each: twice if named[each.resource] > 1 else _outcome(broker, each, validate_only), wanted
    )
    return list(zip(wanted, outcomes))


def _with_known_type(wanted: Alteration) -> Alteration:
    return wanted if wanted.kind in FIRST_TYPES else wanted._replace(kind=UNKNOWN)


def _deletes(broker: "Broker", wanted: Alteration) -> bool:
    """Whether a config that is set would be deleted."""
    try:
        _check_resource(broker, wanted)
        return bool(_current(broker, wanted).keys() - _changed(broker, wanted).keys())
    except ApiError:
        return False


def _outcome(broker: "Broker", wanted: Alteration, validate_only: bool) -> ApiError | None:
    try:
        _check_resource(broker, wanted)
        configs = _changed(broker, wanted)
        if wanted.kind == ResourceType.TOPIC and broker.profile.topics.configs_checked:
            check_topic_configs(broker, configs, ErrorCode.INVALID_CONFIG)
    except ApiError as refused:
        return refused
    if validate_only:
        return None
    _store(broker, wanted, configs)
    return None


def _check_resource(broker: "Broker", wanted: Alteration) -> None:
    """Check type and name of a resource. Raises `ApiError`."""
    checked = broker.profile.alter_configs.resources_checked
    match wanted.kind:
        case ResourceType.TOPIC:
            problem = None if is_legal(broker.profile, wanted.name) else "Illegal topic name."
        case ResourceType.BROKER:
            problem = _problem_of_id(wanted.name)
        case ResourceType.BROKER_LOGGER:
            problem = "Unexpected resource type BROKER_LOGGER." if checked else f"{UNSUPPORTED} BROKER_LOGGER "
        case _ if not checked:
            problem = f"{UNSUPPORTED} UNKNOWN."
        case _:
            raise ApiError(ErrorCode.UNSUPPORTED_VERSION, f"Unknown resource type {wanted.kind}.")
    if problem is not None:
        raise ApiError(ErrorCode.INVALID_REQUEST, problem)


def _problem_of_id(name: str) -> str | None:
    if name and not is_integer(name):
        return "Illegal non-integral BROKER resource type name."
    return "Illegal negative broker ID in BROKER resource." if name.startswith("-") else None


def _changed(broker: "Broker", wanted: Alteration) -> dict[str, str]:
    """The resource's configs after the changes, of which the last one to each config counts. Raises `ApiError`."""
    last = {change.name: change for change in wanted.changes}
    changes = [_without_null(change) for change in last.values()]
    is_topic = wanted.kind == ResourceType.TOPIC
    table = broker.profile.topic_configs if is_topic else broker.profile.broker_configs
    current = {} if wanted.replaces else _current(broker, wanted)
    return carried_out(broker, current, changes, table, by_controller=True)


def _without_null(change: Change) -> Change:
    """A config that is set to null is deleted."""
    is_null = change.operation == Operation.SET and change.value is None
    return change._replace(operation=Operation.DELETE) if is_null else change


def _current(broker: "Broker", wanted: Alteration) -> dict[str, str]:
    settings = broker.cluster.settings
    if wanted.kind == ResourceType.TOPIC:
        topic = broker.cluster.topics.get(wanted.name)
        return {} if topic is None else topic.overrides
    return settings.brokers.get(int(wanted.name), {}) if wanted.name else settings.all_brokers


def _store(broker: "Broker", wanted: Alteration, configs: dict[str, str]) -> None:
    if wanted.kind == ResourceType.TOPIC:
        topic = broker.cluster.topics.get(wanted.name)
        if topic is not None:
            set_topic_configs(broker.cluster, topic, configs)
        return
    if not broker.profile.alter_configs.broker_changes_heeded:
        return
    settings = broker.cluster.settings
    stored = settings.brokers.get(int(wanted.name)) if wanted.name else settings.all_brokers
    try:
        check_dynamic_configs(broker, configs, for_all=not wanted.name, prefix="")
    except ApiError:
        return
    if stored is not None:
        stored.clear()
        stored.update(heeded(broker, configs))
        for each in broker.cluster.brokers.values():
            each.reconfigure_all()
