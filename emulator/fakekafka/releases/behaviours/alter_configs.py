"""AlterConfigs and IncrementalAlterConfigs: how a change that is not valid is refused.

Up to 3.1 a ZooKeeper broker checks alone. From 3.2 on a broker checks first (ConfigAdminManager) and under KRaft the
controller after it.
"""

from typing import Literal

from fakekafka.errors import ErrorCode
from fakekafka.releases.behaviours.behaviour import Behaviours, history


class AlterConfigsBehaviour(Behaviours):
    """The answers of both requests (AdminManager, ConfigAdminManager, ConfigurationControlManager)."""

    invalid_value: ErrorCode = history({"0.8.0": ErrorCode.INVALID_REQUEST}, kraft={"2.8": ErrorCode.INVALID_CONFIG})
    """A value that the config cannot take. Recorded from 0.11.0.3 to 4.3.1: describe_configs."""

    invalid_value_prefix: Literal["Resource", "ConfigResource", "none"] = history(
        {"0.8.0": "Resource", "2.0": "ConfigResource"}, kraft={"2.8": "none"}
    )
    """What stands before the reason: the text "Invalid config value for resource ", the resource as that class prints
    itself, and a colon; or nothing. Recorded from 0.11.0.3 to 4.3.1: describe_configs."""

    null_value: ErrorCode = history({"0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR, "2.6": ErrorCode.INVALID_REQUEST})
    """A null value to set (KAFKA-9338). Recorded from 0.11.0.3 to 4.3.1: describe_configs; 2.6: AdminManager.scala."""

    null_named_with_operation: bool = history({"0.8.0": False, "2.6": True, "3.2": False})
    """Does IncrementalAlterConfigs name such a config as "SET:name" instead of "name"? Recorded from 2.7.2 to 4.3.1:
    describe_configs; dates: AdminManager.scala."""

    unknown_topic: ErrorCode = history(
        {"0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR, "2.7": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION}
    )
    """A topic that is not there. Recorded from 0.11.0.3 to 4.3.1: describe_configs; 2.7: AdminManager.scala."""

    bad_topic_name: ErrorCode = history(
        {"0.8.0": ErrorCode.INVALID_TOPIC_EXCEPTION, "2.7": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION},
        kraft={"2.8": ErrorCode.INVALID_TOPIC_EXCEPTION},
    )
    """A name that no topic may have. Recorded from 0.11.0.3 to 4.3.1: describe_configs; 2.7: AdminManager.scala."""

    brokers: bool = history({"0.8.0": False, "1.1": True})
    """Can brokers be altered (KIP-226)? Else 42. Recorded from 0.11.0.3 to 4.3.1: describe_configs."""

    same_name_twice: Literal["taken", "refused"] = history({"0.8.0": "taken", "3.2": "refused"})
    """AlterConfigs that names one config twice; refused with 42 (as IncrementalAlterConfigs always). Recorded from
    0.11.0.3 to 4.3.1: describe_configs."""

    append_to_no_list: ErrorCode = history(
        {"0.8.0": ErrorCode.INVALID_REQUEST}, kraft={"2.8": ErrorCode.INVALID_CONFIG}
    )
    """IncrementalAlterConfigs appends to, or subtracts from, a config that is no list. Recorded from 2.3.1 to 4.3.1:
    describe_configs."""

    unknown_operation_stops_controller: bool = history(
        {"0.8.0": False}, kraft={"2.8": False, "3.3": True, "3.5": False}
    )
    """Does an operation that means nothing (error -1) also make the controller resign, for good if it is alone?
    Recorded from 3.3.2 to 4.3.1: describe_configs."""

    deleted_default_sticks: bool = history({"0.8.0": False, "1.1": True, "2.5": False})
    """Does a topic keep the value of the cluster's dynamic log.retention.ms after that was deleted (source default, no
    synonyms)? Recorded from 2.3.1 and 2.4.1: describe_configs; right in 2.5.1."""
