"""Changing configs step by step (KIP-339): set and delete, append to lists and subtract from them. The only check here
is that a list is a list. ZooKeeper brokers and KRaft controllers treat lists differently
(ConfigAdminManager.prepareIncrementalConfigs, ConfigurationControlManager).
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.errors import ApiError, ErrorCode
from fakekafka.jvm.maps import MapKind, texts_in_order
from fakekafka.releases.configs.definition import LIST, ConfigDef
from fakekafka.releases.configs.quotas import ONLY_DYNAMIC

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


class Operation(IntEnum):
    """What to do with a config (AlterConfigOp)."""

    SET = 0
    DELETE = 1
    APPEND = 2
    SUBTRACT = 3


OPERATIONS: Final = frozenset(map(int, Operation))
UNSET_LIST: Final = (
    'Cannot invoke "String.split(String)" because the return value of "java.util.Properties.getProperty(String)" is'
    " null"
)
"""What a JVM says about a list that has not been set; those before Java 15 said nothing."""
NO_ELEMENTS: Final = (
    'Cannot invoke "String.split(String)" because the return value of'
    ' "org.apache.kafka.clients.admin.ConfigEntry.value()" is null'
)
"""What it says about no list at all."""


class Change(NamedTuple):
    """One step. `operation` is the number in the request."""

    name: str
    operation: int
    value: str | None


def carried_out(
    broker: "Broker",
    current: Mapping[str, str],
    changes: list[Change],
    table: Mapping[str, ConfigDef],
    *,
    by_controller: bool,
) -> dict[str, str]:
    """The value `current` after `changes`. Raises `ApiError`. Controllers have the changes in a map, whose order
    decides which mistake is named (recorded from 3.2.3 to 4.3.1: odd_configs).
    """
    configs = dict(current)
    if by_controller:
        by_name = {change.name: change for change in changes}
        changes = [by_name[name] for name in texts_in_order(by_name, MapKind.JAVA)]
    for change in changes:
        if change.operation not in OPERATIONS:
            raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, broker.profile.config_words.unknown_operation)
        if change.operation == Operation.DELETE:
            configs.pop(change.name, None)
        elif change.operation == Operation.SET:
            if change.value is None:
                raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
            configs[change.name] = change.value
        else:
            definition = _list(broker, change, table, by_controller)
            old = _old_elements(broker, configs.get(change.name), definition, by_controller)
            configs[change.name] = ",".join(_changed(broker, old, change))
    return configs


def _list(broker: "Broker", change: Change, table: Mapping[str, ConfigDef], by_controller: bool) -> ConfigDef:
    """The definition of a list that is to be changed."""
    definition = table.get(change.name)
    if definition is not None and definition.kind is LIST:
        return definition
    operation = Operation(change.operation).name
    if by_controller:
        words = f"Can't {operation} to key {change.name} because its type is not LIST."
        raise ApiError(ErrorCode.INVALID_CONFIG, words)
    if definition is None or change.name in ONLY_DYNAMIC:
        raise _unknown_list(broker, change.name)
    words = f"Config value {operation.lower()} is not allowed for config key: {change.name}"
    raise ApiError(broker.profile.alter_configs.invalid_value, words)


def _unknown_list(broker: "Broker", name: str) -> ApiError:
    code = broker.profile.alter_configs.unknown_list
    if code is not ErrorCode.UNKNOWN_SERVER_ERROR:
        return ApiError(code, f"Unknown config name: {name}")
    return ApiError(code, f"key not found: {name}" if broker.profile.words.unknown_error_explained else None)


def _old_elements(broker: "Broker", text: str | None, definition: ConfigDef, by_controller: bool) -> list[str]:
    rules = broker.profile.alter_configs
    if text is None and rules.unset_list == "fails":
        explained = broker.profile.words.unknown_error_explained
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, UNSET_LIST if explained else None)
    elements = _split(text if text is not None else definition.default or "")
    return elements if rules.empty_element_kept and not by_controller else [each for each in elements if each]


def _changed(broker: "Broker", old: list[str], change: Change) -> list[str]:
    if change.value is None:
        explained = broker.profile.words.unknown_error_explained
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, NO_ELEMENTS if explained else None)
    new = list(old)
    for element in _split(change.value):
        if change.operation == Operation.SUBTRACT:
            if element in new:
                new.remove(element)
        elif broker.profile.alter_configs.appends_again or element not in new:
            new.append(element)
    return new


def _split(text: str) -> list[str]:
    """Split as Java's String.split does: no empty elements at the end, but at least one element."""
    return text.rstrip(",").split(",")
