"""AlterConfigs and IncrementalAlterConfigs: how a change that is not valid is refused.

Up to 3.1 a ZooKeeper broker checks alone. From 3.2 on a broker checks first (ConfigAdminManager) and under KRaft the
controller after it.
"""

from typing import Literal

from fakekafka.errors import ErrorCode
from fakekafka.releases.behaviours.behaviour import Behaviours, history


class AlterConfigsBehaviour(Behaviours):
    """The answers of both requests (AdminManager, ConfigAdminManager, ConfigurationControlManager)."""

    checked_first: bool = history({"0.8.0": False, "3.2": True})
    """Whether a broker checks every resource before it changes anything, and refuses with 42 resources and configs that
    are named twice. If not, IncrementalAlterConfigs takes the last of a resource's changes, and AlterConfigs accepts
    configs that are named twice. Recorded from 0.11.0.3 to 4.3.1: describe_configs; resources: asked of 2.3.1 to
    4.3.1."""

    controllers_alone: bool = history({"0.8.0": False}, kraft={"2.8": True, "3.2": False})
    """Whether brokers pass a change on without checking it, and the controllers hardly check it
    (ConfigurationControlManager). Recorded from 3.0.2 to 4.3.1: describe_configs."""

    deletions_fail: bool = history({"0.8.0": False}, kraft={"2.8": True, "3.0": False})
    """Whether the controller fails when it deletes a config that is set: -1 for all resources of the request
    (ConfigRecord.json). It is not elected again (KAFKA-13104). Recorded from 2.8.2: controller_lost."""

    resources_checked: bool = history({"0.8.0": True}, kraft={"2.8": False, "3.0": True})
    """Whether the first controllers of KRaft refuse resources that are named twice, and unknown types with 35. If not,
    the last of the same resources counts, and an unknown type is shown as 0, with 42. Recorded from 2.8.2:
    controller_lost."""

    broker_values_read: Literal["as defined", "by hash code", "class by class"] = history(
        {"0.8.0": "as defined", "3.9": "by hash code", "4.3": "class by class"}
    )
    """In which order a broker reads the values of its own configs, so which of several wrong ones it names: that of
    KafkaConfig; that of a mutable HashMap of Scala; that of the classes that took KafkaConfig's place
    (DynamicConfig.Broker). Asked of 1.1.1 to 3.8.1, of 3.9.1 to 4.2.1, and of 4.3.1; recorded from 3.8.1 to 4.3.1:
    odd_configs."""

    broker_changes_heeded: bool = history({"0.8.0": True}, kraft={"2.8": False, "3.0": True})
    """Whether brokers apply changes of their own configs while they run. Recorded from 2.8.2 to 4.3.1:
    describe_configs."""

    advertised_listeners: bool = history({"0.8.0": True}, kraft={"2.8": False})
    """Whether advertised.listeners may change while a broker runs (DynamicListenerConfig)."""

    open_listeners: Literal["not compared", "compared", "not changed"] = history(
        {"0.8.0": "not compared", "2.7": "compared"}, kraft={"2.8": "not changed", "3.2.2": "compared"}
    )
    """Whether changes of what makes up listeners are refused as long as an open one has been given configs of its own
    that only a restart puts into force; or always (KAFKA-13835). Recorded from 2.6.3 to 4.1.1:
    listener_questions."""

    secrets_ignored: bool = history({"0.8.0": False}, kraft={"2.8": True, "3.2.2": False})
    """Whether brokers ignore passwords among their own configs, which they take for encrypted ones (KAFKA-14111).
    Recorded at 3.2.1 and 3.2.3: listener_questions."""

    brokers: bool = history({"0.8.0": False, "1.1": True})
    """Whether brokers can be altered (KIP-226); if not, the answer is 42. Recorded from 0.11.0.3 to 4.3.1:
    describe_configs."""

    invalid_value: ErrorCode = history(
        {"0.8.0": ErrorCode.INVALID_REQUEST, "3.3": ErrorCode.INVALID_CONFIG}, kraft={"2.8": ErrorCode.INVALID_CONFIG}
    )
    """A value that a topic's config cannot take, and adding to a config that is not a list. Recorded from 0.11.0.3 to
    4.3.1: describe_configs; ZooKeeper 3.3.2 to 3.9.1 asked."""

    division_by_zero: ErrorCode = history({"0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR, "3.2": ErrorCode.INVALID_REQUEST})
    """The error for a change that leaves a broker without cleaner threads. Recorded from 1.1.1 to 4.3.1:
    describe_configs."""

    null_value: ErrorCode | None = history(
        {
            "0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR,
            "2.0": None,
            "2.6": ErrorCode.UNKNOWN_SERVER_ERROR,
            "3.2": ErrorCode.INVALID_REQUEST,
        }
    )
    """AlterConfigs with a null value. None: the connection closes. Recorded from 0.11.0.3 to 4.3.1: describe_configs;
    2.6.3 asked."""

    null_fails_all: bool = history({"0.8.0": False, "2.6": True})
    """Whether AlterConfigs with a null value fails for every resource that it names; from 3.2 on it never does.
    Recorded from 1.1.1 to 3.2.3: control_questions."""

    null_change: ErrorCode = history({"0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR, "2.6": ErrorCode.INVALID_REQUEST})
    """IncrementalAlterConfigs with a null value in a change other than a deletion (KAFKA-9338). Recorded from 2.3.1 to
    4.3.1: describe_configs; 2.6.3 asked."""

    null_named_with_operation: bool = history({"0.8.0": True, "3.2": False})
    """Whether the config of a `null_change` is called "SET:name" instead of "name". Recorded from 2.7.2 to 4.3.1:
    describe_configs."""

    unknown_topic: ErrorCode = history(
        {"0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR, "2.7": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION}
    )
    """A topic that does not exist. Where that gets -1, illegal names are found first and get 17. Recorded from 0.11.0.3
    to 4.3.1: describe_configs; 2.6.3 asked."""

    unknown_type_kept: bool = history({"0.8.0": False, "2.6": True})
    """Whether AlterConfigs repeats a meaningless resource type instead of calling it 0. Recorded from 0.11.0.3 to
    4.3.1: describe_configs; 2.6.3 asked."""

    empty_topic: Literal["looked up", "refused"] = history(
        {"0.8.0": "looked up", "3.3": "refused"}, kraft={"2.8": "looked up", "3.2": "refused"}
    )
    """The topic "": handled like any that does not exist, except that ZooKeeper rejects the path; or refused as an
    invalid name. Asked of 2.3.1 to 4.3.1, ZooKeeper 3.9.1 too; KRaft recorded from 3.1.2 to 3.2.0: odd_requests."""

    repeated_resource: Literal["last", "hang"] = history({"0.8.0": "last", "2.6": "hang"})
    """AlterConfigs that names a resource twice: the last counts, or the broker fails to put an answer together. Asked
    of 0.11.0.3 to 4.3.1."""

    unknown_list: ErrorCode = history({"0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR, "4.3": ErrorCode.INVALID_CONFIG})
    """Appending to a broker's list config that the broker does not know. Asked of 2.3.1 to 4.3.1."""

    logger_operations_named: bool = history({"0.8.0": False, "3.2": True, "3.7": False})
    """Whether an unknown operation on a logger is refused with 42 and its number, rather than with -1
    (ConfigAdminManager). Recorded from 3.1.0 to 3.9.0: list_questions."""

    wrong_metric: ErrorCode = history({"0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR, "4.0": ErrorCode.INVALID_CONFIG})
    """A value that a client metrics resource cannot take. Asked of 3.7.2 to 4.3.1."""

    empty_match_refused: bool = history({"0.8.0": True, "4.0": False})
    """Whether the config `match` of client metrics may not be empty (ClientMetricsConfigs). Recorded from 3.9.1 and
    4.0.0: control_patterns."""

    unset_list: Literal["fails", "default"] = history({"0.8.0": "fails", "2.6": "default"})
    """What an append to a list that has not been set extends: nothing, with error -1; or Kafka's default, not the
    broker's (AdminManager.scala). Recorded from 2.3.1 to 4.3.0: config_questions."""

    empty_element_kept: bool = history({"0.8.0": True, "3.3.2": False}, kraft={"2.8": False})
    """Whether what is appended to an empty list comes after an empty element (ConfigAdminManager). Recorded from 3.3.1
    to 3.3.2: patch_questions."""

    appends_again: bool = history({"0.8.0": True, "3.3": False}, kraft={"2.8": False})
    """Whether an element is appended to a list that already holds it (ZkAdminManager.scala)."""

    own_configs_last: bool = history({"0.8.0": False, "2.4.1": True})
    """Whether topics' own configs stay in force when their defaults change while the brokers run. If not, the second
    change puts the defaults in their place (KAFKA-9254). Recorded from 1.1.1 to 2.4.1: override_questions."""

    bare_limits_after_change: bool = history({"0.8.0": True, "3.7": False})
    """Whether logs know the broker's limits of times as they are set once a dynamic config that topics inherit was
    changed, and no longer the older limit that stands in for them (DynamicLogConfig). Recorded from 3.6.2 and 3.7.2:
    topic_defaults."""

    deleted_default_sticks: bool = history({"0.8.0": False, "1.1": True, "2.5.1": False})
    """Whether no part of the broker hears of a dynamic config that was deleted (KAFKA-9625). Logs and the cleaner keep
    its value until another of their configs changes. DescribeConfigs shows a topic's log.retention.ms even then (source
    default, no synonyms). Recorded from 2.3.1 to 2.5.1: describe_configs. Recorded: change_questions,
    cleaner_configs."""
