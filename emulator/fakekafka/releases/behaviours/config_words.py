"""What a broker says about configs: the texts for people that releases word differently.

Texts that never changed stand where they are used. Braces mark what the broker fills in: `{name}`.
"""

from typing import Literal

from fakekafka.releases.behaviours.behaviour import Behaviours, history


class ConfigWordsBehaviour(Behaviours):
    """The broker's own words (LogConfig, AdminManager, ConfigAdminManager, DynamicBrokerConfig)."""

    unknown_topic_config: str = history(
        {"0.8.0": "Unknown Log configuration {name}.", "0.11.0": "Unknown topic config name: {name}"}
    )
    """A config that topics do not have. Recorded from 0.11.0.3 to 4.3.1: admin; 0.10.2.2 asked."""

    invalid_topic_value: str = history(
        {
            "0.8.0": "Invalid config value for resource Resource(type=TOPIC, name='{name}'}}: ",
            "2.0": "Invalid config value for resource ConfigResource(type=TOPIC, name='{name}'): ",
        },
        kraft={"2.8": ""},
    )
    """What precedes the reason why a topic cannot have a config. Recorded from 0.11.0.3 to 4.3.1: describe_configs;
    ZooKeeper 3.3.2 to 3.9.1 asked."""

    invalid_broker_value: str = history(
        {
            "0.8.0": "Invalid config value for resource Resource(type=BROKER, name='{name}'}}: ",
            "2.0": "Invalid config value for resource ConfigResource(type=BROKER, name='{name}'): ",
            "3.2": "",
        }
    )
    """What comes before the words about a broker's config. Recorded from 1.1.1 to 4.3.1: describe_configs."""

    same_config_twice: str = history(
        {
            "0.8.0": "Error due to duplicate config keys : {names}",
            "3.2": "Error due to duplicate config keys",
        }
    )
    """A config that is altered twice in one request. Recorded from 2.3.1 to 4.3.1: describe_configs; 3.1.2 asked."""

    unknown_resource_type: str = history(
        {"0.8.0": "Unexpected resource type {name}", "3.2": "Unknown resource type {number}"}
    )
    """Altering a resource of a type that has no configs. Recorded from 0.11.0.3 to 4.3.1: describe_configs; 3.1.2
    asked."""

    unknown_operation: str | None = history({"0.8.0": "null", "2.6": None})
    """IncrementalAlterConfigs with an unknown operation: error -1. Recorded from 2.3.1 to 4.3.1: describe_configs."""

    unknown_altered_topic: str = history(
        {"0.8.0": 'Topic "{name}" does not exist.', "2.7": "The topic '{name}' does not exist."}
    )
    """Altering a topic that does not exist. Recorded from 0.11.0.3 to 4.3.1: describe_configs."""

    broker_id_is_no_number: str = history(
        {
            "0.8.0": "Broker id must be an integer, but it is: {name}",
            "3.2": "Node id must be an integer, but it is: {name}",
        }
    )
    """Altering a broker whose name is not a number. Recorded from 1.1.1 to 4.3.1: describe_configs; 3.1.2 asked."""

    other_altered_broker: str = history(
        {
            "0.8.0": "Unexpected broker id, expected {id}, but received Resource(type=BROKER, name='{name}'}}.name",
            "2.0": "Unexpected broker id, expected {id}, but received ConfigResource(type=BROKER, name='{name}').name",
            "2.4": "Unexpected broker id, expected {id}, but received {name}",
        }
    )
    """Altering a broker other than the one that was asked. Recorded from 1.1.1 to 4.3.1: describe_configs."""

    other_broker: str = history(
        {
            "0.8.0": "Unexpected broker id, expected {id}, but received {name}",
            "1.1": "Unexpected broker id, expected {id} or empty string, but received Resource(type=BROKER,"
            " name='{name}'}}.name",
            "2.0": "Unexpected broker id, expected {id} or empty string, but received ConfigResource(type=BROKER,"
            " name='{name}').name",
            "2.4": "Unexpected broker id, expected {id} or empty string, but received {name}",
        }
    )
    """Configs of a broker other than the one that was asked. Recorded from 0.11.0.3 to 4.3.1: describe_configs."""

    small_set: str = history({"0.8.0": "Set({})", "4.3": "[{}]"})
    """How a set of up to four names prints itself in DynamicBrokerConfig's complaints. Recorded from 1.1.1 to 4.3.1:
    describe_configs."""

    hash_set: str = history({"0.8.0": "Set({})", "2.4": "HashSet({})", "4.3": "[{}]"})
    """How a larger set prints itself, and one that is made by filtering. Asked of 1.1.1 to 4.3.1."""

    hash_set_order: Literal["scala 2.12", "scala 2.13", "java"] = history(
        {"0.8.0": "scala 2.12", "2.4": "scala 2.13", "4.3": "java"}
    )
    """The order in which a larger set prints its names. Recorded from 1.1.0 to 3.9.2: config_questions; asked of 1.1.1,
    2.3.1 and 2.4.0."""

    no_connections: str = history({"0.8.0": "Invalid max.connections $listenerMax", "2.7": "Invalid {name} {limit}"})
    """A dynamic max.connections below 1. Asked of 2.3.1 to 4.3.1."""

    loggers_replaced: str = history(
        {
            "0.8.0": "AlterConfigs is deprecated and does not support the resource type BROKER_LOGGER",
            "3.2": "Unknown resource type {number}",
        }
    )
    """AlterConfigs of loggers, in releases that have IncrementalAlterConfigs (KafkaApis.scala,
    ConfigAdminManager.scala)."""

    no_loggers: str | None = history({"0.8.0": "org/apache/log4j/LogManager", "2.6": None})
    """Error -1 for log levels where log4j is missing. Recorded from 2.4.1 to 4.0.0: describe_configs; 2.5.1 asked."""

    other_logger_broker: str = history(
        {
            "0.8.0": "Unexpected broker id, expected {id}, but received {name}",
            "3.7": "Unexpected node id. Expected {id}, but received {id}",
            "4.1": "Unexpected node id. Expected {id}, but received {name}",
        }
    )
    """Altering loggers of a broker other than the one that was asked. Asked of 2.4.1 to 4.3.1."""
