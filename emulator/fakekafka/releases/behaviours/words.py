"""Words: texts for people in answers to administrative requests, where releases word them differently.

Texts that never changed stand where they are used. Braces hold what the broker puts in: `{name}`.
"""

from fakekafka.releases.behaviours.behaviour import Behaviours, history


class WordsBehaviour(Behaviours):
    """The broker's own words (Topic, AdminUtils, AdminManager, AuthHelper)."""

    unknown_error_explained: bool = history({"0.8.0": True, "2.6": False})
    """Does error -1 of an item come with the message of the exception behind it (ApiError.java)? Recorded from 1.1.1 to
    4.3.1: describe_configs."""

    empty_topic_name: str = history(
        {
            "0.8.0": "topic name is illegal, can't be empty",
            "0.11.0": "Topic name is illegal, it can't be empty",
            "3.3": "Topic name is invalid: the empty string is not allowed",
        }
    )
    """A topic called "". Recorded from 0.11.0.3 to 4.3.1: admin; before: Topic.scala."""

    dots_topic_name: str = history(
        {
            "0.8.0": 'topic name cannot be "." or ".."',
            "0.11.0": 'Topic name cannot be "." or ".."',
            "3.3": "Topic name is invalid: '{name}' is not allowed",
        }
    )
    """A topic called "." or "..". Recorded from 0.11.0.3 to 4.3.1: admin; before: Topic.scala."""

    long_topic_name: str = history(
        {
            "0.8.0": "topic name is illegal, can't be longer than {longest} characters",
            "0.11.0": "Topic name is illegal, it can't be longer than {longest} characters, topic name: {name}",
            "3.0": "Topic name is illegal, it can't be longer than {longest} characters, Topic name: {name}",
            "3.3": "Topic name is invalid: the length of '{name}' is longer than the max allowed length {longest}",
        }
    )
    """A topic name with too many characters. Recorded from 0.11.0.3 to 4.3.1: admin; before: Topic.scala."""

    odd_topic_name: str = history(
        {
            "0.8.0": "topic name {name} is illegal, contains a character other than ASCII alphanumerics, '.', '_' and"
            " '-'",
            "0.11.0": "Topic name \"{name}\" is illegal, it contains a character other than ASCII alphanumerics, '.',"
            " '_' and '-'",
            "3.3": "Topic name is invalid: '{name}' contains one or more characters other than ASCII alphanumerics,"
            " '.', '_' and '-'",
        }
    )
    """A topic name with other characters. Recorded from 0.11.0.3 to 4.3.1: admin; before: Topic.scala."""

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
            "2.8": "The target replication factor of {factor} cannot be reached because only {brokers} broker(s) are"
            " registered.",
            "4.3": "The target replication factor of {factor} cannot be reached because only {brokers} broker(s) are"
            " registered or some brokers have all their log directories cordoned.",
        },
    )
    """A new topic with more replicas than there are brokers. Recorded from 0.11.0.3 to 4.3.1: admin; 1.0:
    AdminUtils.scala."""

    named_twice: str = history(
        {
            "0.8.0": "Create topics request from client `{client}` contains multiple entries for the following topics:"
            " {name}",
            "2.3": "Found multiple entries for this topic.",
        },
        kraft={"2.8": "Duplicate topic name."},
    )
    """CreateTopics that names a topic twice. Recorded from 0.11.0.3 to 4.3.1: admin."""

    scala_map: str = history({"0.8.0": "Map", "2.6": "HashMap"})
    """How a map of Scala prints its own name. Recorded from 0.11.0.3 to 3.2.3: admin."""

    scala_set: str = history({"0.8.0": "Set({})", "4.2": "[{}]"})
    """How a set prints itself in DynamicBrokerConfig's complaints. Recorded from 1.1.1 to 4.3.1: describe_configs."""

    no_authorizer: str = history(
        {"0.8.0": "No Authorizer is configured on the broker.", "3.0": "No Authorizer is configured."}
    )
    """CreateAcls and DeleteAcls. Recorded from 0.11.0.3 to 4.3.1: admin."""
