"""Altering configs: what AlterConfigs and IncrementalAlterConfigs have in common.

AlterConfigs replaces all configs of a resource, IncrementalAlterConfigs changes some. Changes take effect at once.
The orders of the checks are those of AdminManager, of ConfigAdminManager from 3.2 on, and of the KRaft controllers.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fakekafka.admin.altered_resources import ALTER, Alteration
from fakekafka.admin.config_changes import OPERATIONS, Change, Operation
from fakekafka.admin.early_kraft_alteration import alter_by_controllers
from fakekafka.admin.resources import ResourceType, is_known, name_of_type
from fakekafka.errors import ApiError, ErrorCode

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


def alter(
    broker: "Broker", wanted: Sequence[Alteration], *, validate_only: bool
) -> list[tuple[Alteration, ApiError | None]]:
    """Alter what can be altered. Returns why each of the others cannot."""
    if broker.profile.alter_configs.controllers_alone:
        return alter_by_controllers(broker, wanted, validate_only=validate_only)
    if not broker.profile.alter_configs.checked_first:
        last = {each.resource: each for each in wanted}
        unknown = next((each for each in last.values() if not is_known(broker.profile, each.kind)), None)
        if unknown is not None:  # it fails the whole request (recorded from 1.1.1 to 3.1.2: odd_requests)
            refused = _unknown_type(broker, unknown.kind)
            return [(each, refused) for each in last.values()]
        return [(each, _outcome(broker, each, validate_only)) for each in last.values()]
    named = Counter(each.resource for each in wanted)
    twice = ApiError(ErrorCode.INVALID_REQUEST, "Each resource must appear at most once.")
    return [(each, twice if named[each.resource] > 1 else _outcome(broker, each, validate_only)) for each in wanted]


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
    if first or not wanted.replaces:
        _check_twice(broker, wanted)
    _check_nulls(broker, wanted)
    if first:
        _check_type(broker, wanted)
    if wanted.kind != ResourceType.TOPIC and any(change.operation not in OPERATIONS for change in wanted.changes):
        raise _unknown_operation(broker, wanted)
    ALTER[ResourceType(wanted.kind)](broker, wanted, validate_only)


# ---- the request


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


def _check_nulls(broker: "Broker", wanted: Alteration) -> None:
    rules = broker.profile.alter_configs
    nulls = [c for c in wanted.changes if c.value is None and c.operation != Operation.DELETE]
    code = rules.null_value if wanted.replaces else rules.null_change
    if not nulls or code is None:
        return
    if code is ErrorCode.UNKNOWN_SERVER_ERROR:
        if any(change.operation not in (Operation.APPEND, Operation.SUBTRACT) for change in nulls):
            raise ApiError(code)
        return  # what is added to must be a list; that is checked before
    if rules.null_named_with_operation:
        names = ",".join(f"{_operation_name(change)}:{change.name}" for change in nulls)
    else:
        names = ", ".join(change.name for change in nulls)
    raise ApiError(code, f"Null value not supported for : {names}")


def _operation_name(change: Change) -> str:
    return Operation(change.operation).name if change.operation in OPERATIONS else "null"


def _unknown_operation(broker: "Broker", wanted: Alteration) -> ApiError:
    rules = broker.profile.alter_configs
    number = next(change.operation for change in wanted.changes if change.operation not in OPERATIONS)
    if wanted.kind == ResourceType.BROKER and rules.checked_first:
        return ApiError(ErrorCode.INVALID_REQUEST, f"Unknown operations type {number}")
    if wanted.kind == ResourceType.BROKER_LOGGER and rules.logger_operations_named:
        words = f"Unknown operation type {number} is not allowed for the BROKER_LOGGER resource"
        return ApiError(ErrorCode.INVALID_REQUEST, words)
    return ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, broker.profile.config_words.unknown_operation)
