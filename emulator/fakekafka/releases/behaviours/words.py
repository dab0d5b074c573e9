"""Texts for people in answers to administrative requests, where releases word them differently.

Texts that never changed stand where they are used. Braces mark what the broker fills in: `{name}`.
"""

from fakekafka.releases.behaviours.behaviour import Behaviours, history


class WordsBehaviour(Behaviours):
    """The broker's own words (Topic, AdminUtils, AdminManager, AuthHelper)."""

    unknown_error_explained: bool = history({"0.8.0": True, "2.6": False})
    """Whether error -1 of an item comes with the message of the exception behind it (ApiError.java). Recorded from
    1.1.1 to 4.3.1: describe_configs."""

    empty_topic_name: str = history(
        {
            "0.8.0": "topic name is illegal, can't be empty",
            "0.11.0": "Topic name is illegal, it can't be empty",
            "3.3.2": "Topic name is invalid: the empty string is not allowed",
        }
    )
    """A topic called "". Recorded from 0.11.0.3 to 4.3.1: admin; before: Topic.scala."""

    dots_topic_name: str = history(
        {
            "0.8.0": 'topic name cannot be "." or ".."',
            "0.11.0": 'Topic name cannot be "." or ".."',
            "3.3.2": "Topic name is invalid: '{name}' is not allowed",
        }
    )
    """A topic called "." or "..". Recorded from 0.11.0.3 to 4.3.1: admin; before: Topic.scala."""

    long_topic_name: str = history(
        {
            "0.8.0": "topic name is illegal, can't be longer than {longest} characters",
            "0.11.0": "Topic name is illegal, it can't be longer than {longest} characters, topic name: {name}",
            "3.0": "Topic name is illegal, it can't be longer than {longest} characters, Topic name: {name}",
            "3.3.2": "Topic name is invalid: the length of '{name}' is longer than the max allowed length {longest}",
        }
    )
    """A topic name with too many characters. Recorded from 0.11.0.3 to 4.3.1: admin; before: Topic.scala."""

    odd_topic_name: str = history(
        {
            "0.8.0": "topic name {name} is illegal, contains a character other than ASCII alphanumerics, '.', '_' and"
            " '-'",
            "0.11.0": "Topic name \"{name}\" is illegal, it contains a character other than ASCII alphanumerics, '.',"
            " '_' and '-'",
            "3.3.2": "Topic name is invalid: '{name}' contains one or more characters other than ASCII alphanumerics,"
            " '.', '_' and '-'",
        }
    )
    """A topic name with illegal characters. Recorded from 0.11.0.3 to 4.3.1: admin; 0.10.2.2 asked."""

    null_topic_config: str = history(
        {
            "0.8.0": "Null value not supported for topic configs : {names}",
            "3.3": "Null value not supported for topic configs: {names}",
        }
    )
    """CreateTopics with null for a config's value, if the error is not -1. Recorded from 2.7.2 to 4.3.1: admin; 3.3.2
    asked."""

    illegal_path_character: str = history({"0.8.0": "invalid charater", "2.4": "invalid character"})
    """What ZooKeeper's client says about a character that no path may have. Recorded from 2.3.1 to 2.4.1: odd_admin."""

    no_partitions: str = history(
        {"0.8.0": "number of partitions must be larger than 0", "1.0": "Number of partitions must be larger than 0."}
    )
    """A new topic without partitions, by a broker. Recorded from 0.11.0.3 to 3.2.3: admin; 1.0: AdminUtils.scala."""

    no_replicas: str = history(
        {"0.8.0": "replication factor must be larger than 0", "1.0": "Replication factor must be larger than 0."}
    )
    """A new topic without replicas, by a broker. Recorded from 0.11.0.3 to 3.2.3: admin; 1.0: AdminUtils.scala."""

    too_many_replicas: str = history(
        {
            "0.8.0": "replication factor: {factor} larger than available brokers: {brokers}",
            "1.0": "Replication factor: {factor} larger than available brokers: {brokers}.",
        },
        kraft={
            "2.8": "there are only {brokers} usable brokers",
            "3.0": "The target replication factor of {factor} cannot be reached because only {brokers} broker(s) are"
            " registered.",
            "4.3": "The target replication factor of {factor} cannot be reached because only {brokers} broker(s) are"
            " registered or some brokers have all their log directories cordoned.",
        },
    )
    """A new topic with more replicas than there are brokers. Recorded from 0.11.0.3 to 4.3.1: admin; 1.0:
    AdminUtils.scala."""

    no_room_for_replicas: str = history(
        {
            "0.8.0": "Unable to replicate the partition {factor} times: {problem}",
            "3.0": "Unable to replicate the partition {factor} time(s): {problem}",
        }
    )
    """What a controller says around `too_many_replicas` in KRaft mode. Recorded from 2.8.2 to 4.3.1: admin."""

    impossible_factor: str = history(
        {
            "0.8.0": "Replication factor was set to an invalid non-positive value.",
            "3.1": "Replication factor must be larger than 0, or -1 to use the default value.",
        }
    )
    """A replication factor of 0, or below -1, in KRaft mode. Recorded from 2.8.2 to 4.3.1: admin."""

    existing_topic: str = history(
        {"0.8.0": "Topic with this name already exists.", "3.1": "Topic '{name}' already exists."}
    )
    """A new topic with the name of an existing one, in KRaft mode. Recorded from 2.8.2 to 4.3.1: admin."""

    topic_marked_for_deletion: str = history(
        {"0.8.0": "Topic '{name}' already exists.", "3.9": "Topic '{name}' is marked for deletion."}
    )
    """A new topic with the name of one that ZooKeeper still has, since a broker that is down has a replica
    (AdminZkClient.validateTopicCreate). Recorded from clusters of three of 1.1.1 to 3.9.1: absent."""

    assigned_to_unknown: str = history(
        {
            "0.8.0": "The manual partition assignment contains node {node}, but that node is not usable.",
            "3.0": "The manual partition assignment includes broker {node}, but no such broker is registered.",
        }
    )
    """An assignment that names a broker that does not exist, in KRaft mode. Recorded from 2.8.2 to 4.3.1: admin."""

    assigned_to_absent: str = history(
        {
            "0.8.0": "All brokers specified in the manual partition assignment for partition {index} are fenced.",
            "3.3": "All brokers specified in the manual partition assignment for partition {index} are fenced or in"
            " controlled shutdown.",
        }
    )
    """An assignment that names only brokers that are down, in KRaft mode. Recorded from clusters of three of 3.3.2 to
    4.3.1: absent; 3.0: ReplicationControlManager.java."""

    assigned_twice: str = history(
        {
            "0.8.0": "The manual partition assignment specifies the same node id more than once.",
            "3.0": "The manual partition assignment includes the broker {node} more than once.",
        }
    )
    """An assignment that names a broker twice, in KRaft mode. Recorded from 2.8.2 to 4.3.1: admin."""

    named_twice: str = history(
        {
            "0.8.0": "Create topics request from client `{client}` contains multiple entries for the following topics:"
            " {names}",
            "2.3": "Found multiple entries for this topic.",
        },
        kraft={"2.8": "Duplicate topic name."},
    )
    """CreateTopics that names topics twice. Recorded from 0.11.0.3 to 4.3.1: admin; several from 1.1.1:
    control_questions."""

    same_topic_twice: str = history({"0.8.0": "Duplicate topic in request."}, kraft={"2.8": "Duplicate topic name."})
    """CreatePartitions that names a topic twice. Recorded from 1.1.1 to 4.3.1: admin."""

    scala_map: str = history({"0.8.0": "Map", "2.4": "HashMap"})
    """How a Scala map prints its own name. Recorded from 0.11.0.3 to 3.2.3: admin; 2.4.1 asked."""

    unknown_election: str = history(
        {"0.8.0": "Value {number} must be one of [PREFERRED, UNCLEAN]"}, kraft={"2.8": "Unknown election type {number}"}
    )
    """ElectLeaders with an unknown election type. Recorded from 2.7.2 to 4.3.1: admin; 2.4.1 asked."""

    no_topic_to_elect_for: str = history(
        {"0.8.0": "The partition does not exist."}, kraft={"2.8": "No such topic as {name}"}
    )
    """ElectLeaders for a topic that does not exist. Recorded from 2.2.2 to 4.3.1: admin."""

    no_partition_to_elect_for: str = history(
        {"0.8.0": "The partition does not exist."}, kraft={"2.8": "No such partition as {name}-{index}"}
    )
    """ElectLeaders for a partition that does not exist. Recorded from 2.2.2 to 4.3.1: admin."""

    needless_election: str = history(
        {
            "0.8.0": "Leader election not needed for topic partition",
            "2.6": "Leader election not needed for topic partition.",
        }
    )
    """ElectLeaders where the leader is the wanted one. Recorded from 2.7.2 to 4.3.1: admin; 2.4.1 asked."""

    no_candidate: str = history(
        {"0.8.0": "Failed to elect leader for partition {name}-{index} under strategy {strategy}"},
        kraft={"2.8": "{general}"},
    )
    """ElectLeaders where the wanted leader is missing (PartitionStateMachine.scala; from KRaft on Errors.java)."""

    no_reassignment: str | None = history({"0.8.0": "No partition reassignment is in progress."}, kraft={"2.8": None})
    """Cancelling a reassignment that is not under way. Recorded from 2.7.2 to 4.3.1: admin; 2.4.1 asked."""

    no_topic_to_reassign: str = history(
        {"0.8.0": "The partition does not exist."}, kraft={"2.8": "Unable to find a topic named {name}."}
    )
    """AlterPartitionReassignments of a topic that does not exist (ReplicationControlManager.java)."""

    no_partition_to_reassign: str = history(
        {"0.8.0": "The partition does not exist."}, kraft={"2.8": "Unable to find partition {name}:{index}."}
    )
    """AlterPartitionReassignments of a missing partition (ReplicationControlManager.java)."""

    bad_reassignment: str = history({"0.8.0": "Replica assignment is invalid.", "2.5": "{problem}"})
    """What a ZooKeeper controller says about an impossible list of replicas. Recorded from 2.7.2 to 3.2.3: admin;
    2.4.1, 2.5.1 asked."""

    quota_is_no_integer: str = history(
        {
            "0.8.0": "Configuration {key} must be a Long value",
            "2.8": "Configuration {key} must be a {kind} value",
        },
        kraft={"2.8": "Configuration {key} must be a Long value", "3.5": "{key} cannot be a fractional value."},
    )
    """A quota in bytes that has a fraction, or is below 0 where 0 is allowed. Recorded from 2.7.2 to 4.3.1: admin;
    3.3.2 asked; 3.5: ClientQuotaControlManager.java."""

    unknown_quota_entity: str = history(
        {"0.8.0": "Custom entity type '{kind}' not supported"}, kraft={"2.8": "Unsupported entity type {kind}"}
    )
    """DescribeClientQuotas for an entity type that has no quotas. Recorded from 2.7.2 to 4.3.1: admin."""

    empty_quota_entity: str = history(
        {"0.8.0": "Unexpected empty filter component entity type"}, kraft={"2.8": "Invalid empty entity type."}
    )
    """DescribeClientQuotas for the entity type "" (AdminManager.scala, ClientQuotasImage.java)."""

    same_quota_entity_twice: str = history(
        {"0.8.0": "Duplicate {short} filter component entity type"},
        kraft={"2.8": "Entity type {kind} cannot appear more than once in the filter."},
    )
    """DescribeClientQuotas that names an entity type twice; ZooKeeper brokers call the type "client-id" only "client"
    (AdminManager.scala, ClientQuotasImage.java). Recorded from 2.6.3 to 4.3.1: control_questions."""

    before_ip_filter: str = history({"0.8.0": ","}, kraft={"2.8": "."})
    """What separates the halves of the complaint about filters that combine addresses with others (AdminManager.scala,
    ClientQuotasImage.java)."""

    ip_with_others: str = history(
        {"0.8.0": "Invalid quota entity combination, IP entity should not be used with user/client ID entity."},
        kraft={
            "2.8": "Invalid empty client quota entity",
            "3.0": "Invalid quota entity combination, IP entity shouldnot be combined with User or ClientId",
        },
    )
    """AlterClientQuotas that combines addresses with others. Recorded from 2.8.2 to 4.3.1: odd_admin."""

    deletes_without_downgrade: str = history(
        {
            "0.8.0": "Can not provide maxVersionLevel: {level} less than 1 without setting the allowDowngrade flag to"
            " true in the request.",
            "3.3": "Can not provide versionLevel: {level} less than 1 without setting the SAFE downgradeType in the"
            " request.",
        }
    )
    """UpdateFeatures under ZooKeeper to a level below 1. Recorded from 2.7.2 to 3.2.3: admin; 3.3.2 to 3.9.1 asked."""

    unknown_feature_unset: str | None = history(
        {"0.8.0": "Broker {node} does not support this feature.", "3.7": None, "4.0": "Feature {feature} not found."}
    )
    """UpdateFeatures under KRaft that sets an unknown feature to level 0; None if that is not an error. Recorded from
    3.3.0 to 4.3.1: feature_questions."""

    scram_unsupported: str = history(
        {
            "0.8.0": "The current metadata version does not support SCRAM",
            "3.8": "The current metadata.version does not support SCRAM",
        }
    )
    """AlterUserScramCredentials in KRaft mode with a metadata.version before 3.5-IV2. Recorded from 3.7.2 and 3.8.1 on
    a directory of 3.3.2: low_metadata."""

    metadata_downgrade: str = history(
        {
            "0.8.0": "Invalid metadata.version {level}. ",
            "4.2": "Unsupported metadata.version downgrade from {now} to {level}. ",
        }
    )
    """UpdateFeatures to a lower metadata.version: what precedes the reason. Recorded from 3.3.0 to 4.3.1:
    feature_questions."""

    safe_downgrade: str = history(
        {
            "0.8.0": "Refusing to perform the requested downgrade because it might delete metadata information. Retry"
            " using UNSAFE_DOWNGRADE if you want to force the downgrade to proceed.",
            "3.7": "Refusing to perform the requested downgrade because it might delete metadata information.",
        }
    )
    """The reason, if the downgrade was to be a safe one. Recorded from 3.3.0 to 4.3.1: feature_questions."""

    not_registered: str = history({"0.8.0": "", "4.1": "Broker ID {id} is not currently registered"})
    """UnregisterBroker for a broker that does not exist. Recorded from 3.5.2 to 4.3.1: admin."""

    no_authorizer: str = history(
        {"0.8.0": "No Authorizer is configured on the broker.", "3.0": "No Authorizer is configured."}
    )
    """CreateAcls and DeleteAcls without an authorizer. Recorded from 0.11.0.3 to 4.3.1: admin."""
