"""Log levels by request (KIP-412): refused as by a broker that cannot find log4j, because there are no loggers
here.
"""

from typing import TYPE_CHECKING, Final

from fakekafka.admin.config_changes import OPERATIONS, Change, Operation
from fakekafka.errors import ApiError, ErrorCode

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

ROOT: Final = "root"


def check_logger_changes(broker: "Broker", changes: list[Change]) -> None:
    """Raises `ApiError` unless there is nothing to change."""
    for change in changes:
        if change.operation not in OPERATIONS:
            raise _unknown_operation(broker, change.operation)
        if change.operation in (Operation.APPEND, Operation.SUBTRACT):
            operation = Operation(change.operation).name
            words = f"{operation} operation is not allowed for the BROKER_LOGGER resource"
            raise ApiError(ErrorCode.INVALID_REQUEST, words)
        if broker.profile.describe_configs.logger_requests_fail:
            raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, broker.profile.config_words.no_loggers)
        if change.operation == Operation.DELETE and change.name == ROOT:
            words = "Removing the log level of the root logger is not allowed"
            raise ApiError(ErrorCode.INVALID_REQUEST, words)
        raise ApiError(ErrorCode.INVALID_CONFIG, f"Logger {change.name} does not exist!")


def _unknown_operation(broker: "Broker", number: int) -> ApiError:
    if broker.profile.alter_configs.logger_operations_named:
        words = f"Unknown operation type {number} is not allowed for the BROKER_LOGGER resource"
        return ApiError(ErrorCode.INVALID_REQUEST, words)
    return ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, broker.profile.config_words.unknown_operation)
