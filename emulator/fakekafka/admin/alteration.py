"""Altering configs: what AlterConfigs and IncrementalAlterConfigs have in common.

AlterConfigs replaces all configs of a resource, IncrementalAlterConfigs changes some. Changes take effect at once.
The orders of the checks are those of AdminManager, of ConfigAdminManager from 3.2 on, and of the KRaft controllers.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fakekafka.admin.altered_resources import ALTER, Alteration, check_name
from fakekafka.admin.config_changes import OPERATIONS, Change, Operation
from fakekafka.admin.early_kraft_alteration import alter_by_controllers
from fakekafka.admin.resources import ResourceType, is_known, name_of_type, resource_as_read
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.pieces import Stepwise, in_turn

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

CHECKED_BY_BROKERS: Final = (ResourceType.BROKER, ResourceType.BROKER_LOGGER)
"""The types whose operations no controller sees that the broker does not know."""


def alter(
    broker: "Broker", wanted: Sequence[Alteration], *, validate_only: bool
) -> Stepwise[list[tuple[Alteration, ApiError | None]]]:
    """Alter what can be altered. Returns why each of the others cannot."""
    if broker.profile.alter_configs.controllers_alone:
        return (yield from alter_by_controllers(broker, wanted, validate_only=validate_only))
    if not broker.profile.alter_configs.checked_first:
        last = list({_in_answer(broker, each): each for each in wanted}.values())
        failure = _failure_of_all(broker, last)
        outcomes = yield from in_turn(lambda each: failure or _outcome(broker, each, validate_only), last)
        return list(zip(last, outcomes))
    named = Counter(each.resource for each in wanted)
    twice = ApiError(ErrorCode.INVALID_REQUEST, "Each resource must appear at most once.")
    fails = broker.profile.admin.by_controllers and any(_fails_controller(broker, each) for each in wanted)

    def outcome(each: Alteration) -> ApiError | None:
        if named[each.resource] > 1:
            return twice
        if fails and each.kind != ResourceType.BROKER_LOGGER and not fails_first(broker, each):
            return ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
        return _outcome(broker, each, validate_only)

    return list(zip(wanted, (yield from in_turn(outcome, wanted))))


def _in_answer(broker: "Broker", wanted: Alteration) -> tuple[int, str]:
    """What the answer calls the resource. Answers to AlterConfigs up to 2.5 are made from a map that has one type for
    all unknown ones.
    """
    kept = broker.profile.alter_configs.unknown_type_kept or not wanted.replaces
    return wanted.resource if kept else resource_as_read(broker, *wanted.resource)


def _failure_of_all(broker: "Broker", wanted: Sequence[Alteration]) -> ApiError | None:
    """Why a broker up to 3.1 refuses the whole request, if it does: for values that are null, from 2.6 on, before it
    looks at types; then for the first type that it does not know or not alter in this way (recorded from 1.1.1 to
    3.1.2: odd_requests, control_questions).
    """
    if broker.profile.alter_configs.null_fails_all and any(each.replaces and _nulls(each) for each in wanted):
        return ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
    for each in wanted:
        if not is_known(broker.profile, each.kind) or (each.kind == ResourceType.BROKER_LOGGER and each.replaces):
            return _outcome(broker, each, validate_only=True)
    return None


def _fails_controller(broker: "Broker", wanted: Alteration) -> bool:
    """Whether a controller fails at an operation that it does not know, for all that the request wants of it (recorded
    from 3.9.1: control_questions).
    """
    if wanted.kind in CHECKED_BY_BROKERS or all(change.operation in OPERATIONS for change in wanted.changes):
        return False
    refused = _outcome(broker, wanted, validate_only=True)
    return refused is not None and refused.code is ErrorCode.UNKNOWN_SERVER_ERROR


def fails_first(broker: "Broker", wanted: Alteration) -> bool:
    """Whether a change fails before it matters what the client may do: from 3.2 on the changes of brokers do if they
    are wrong, and others if they are named twice or null (ConfigAdminManager.preprocess).
    """
    try:
        _check_twice(broker, wanted)
        _check_nulls(broker, wanted)
        _check_type(broker, wanted)
        if wanted.kind == ResourceType.BROKER:
            _alter_one(broker, wanted, validate_only=True)
    except ApiError:
        return True
    return False


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
        if wanted.replaces:
            check_name(broker, wanted)
    if first or not wanted.replaces:
        _check_twice(broker, wanted)
    _check_nulls(broker, wanted)
    if first:
        _check_type(broker, wanted)
    if first or not wanted.replaces:
        check_name(broker, wanted)
    _check_operations(broker, wanted)
    ALTER[ResourceType(wanted.kind)](broker, wanted, validate_only)


# ---- the request


def _check_operations(broker: "Broker", wanted: Alteration) -> None:
    """Brokers' are looked at before anything is carried out from 3.2 on; all others one by one meanwhile."""
    unknown = [change.operation for change in wanted.changes if change.operation not in OPERATIONS]
    if unknown and broker.profile.alter_configs.checked_first and wanted.kind == ResourceType.BROKER:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"Unknown operations type {unknown[0]}")


def _check_type(broker: "Broker", wanted: Alteration) -> None:
    profile, kind = broker.profile, wanted.kind
    if not is_known(profile, kind):
        raise _unknown_type(broker, kind)
    if kind == ResourceType.BROKER and not profile.alter_configs.brokers:
        words = "AlterConfigs is only supported for topics, but resource type is BROKER"
        raise ApiError(ErrorCode.INVALID_REQUEST, words)
    if kind == ResourceType.BROKER_LOGGER and wanted.replaces:
        words = profile.config_words.loggers_replaced.format(number=kind)
        raise ApiError(ErrorCode.INVALID_REQUEST, words)


def _unknown_type(broker: "Broker", kind: int) -> ApiError:
    name = name_of_type(broker.profile, kind)
    words = broker.profile.config_words.unknown_resource_type.format(name=name, number=kind)
    return ApiError(ErrorCode.INVALID_REQUEST, words)


def _check_twice(broker: "Broker", wanted: Alteration) -> None:
    twice = [name for name, count in Counter(change.name for change in wanted.changes).items() if count > 1]
    if twice:
        words = broker.profile.config_words.same_config_twice.format(names=",".join(twice))
        raise ApiError(ErrorCode.INVALID_REQUEST, words)


def _nulls(wanted: Alteration) -> list[Change]:
    return [change for change in wanted.changes if change.value is None and change.operation != Operation.DELETE]


def _check_nulls(broker: "Broker", wanted: Alteration) -> None:
    rules, nulls = broker.profile.alter_configs, _nulls(wanted)
    code = rules.null_value if wanted.replaces else rules.null_change
    if not nulls or code is None:
        return
    if code is ErrorCode.UNKNOWN_SERVER_ERROR and not wanted.replaces:
        return  # it is noticed where the change is carried out
    if code is ErrorCode.UNKNOWN_SERVER_ERROR:
        raise ApiError(code)
    if rules.null_named_with_operation:
        names = ",".join(f"{_operation_name(change)}:{change.name}" for change in nulls)
    else:
        names = ", ".join(change.name for change in nulls)
    raise ApiError(code, f"Null value not supported for : {names}")


def _operation_name(change: Change) -> str:
    return Operation(change.operation).name if change.operation in OPERATIONS else "null"
