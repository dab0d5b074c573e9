"""DescribeConfigs and related requests: how brokers show configs. Which configs there are is in `releases/configs`."""

from functools import cached_property
from typing import Literal, assert_never

from fakekafka.errors import ErrorCode
from fakekafka.releases.behaviours.behaviour import Behaviours, history


class DescribeConfigsBehaviour(Behaviours):
    """The answers of DescribeConfigs (AdminManager, ConfigHelper)."""

    implied_properties: Literal["of a ZooKeeper broker", "of a KRaft node"] = history(
        {"0.8.0": "of a ZooKeeper broker"}, kraft={"2.8": "of a KRaft node"}
    )
    """The lines that a server.properties must have (KafkaConfig)."""

    no_message: str | None = history({"0.8.0": None, "2.7": ""})
    """The error message where there is no error. Recorded from 0.11.0.3 to 4.3.1: describe_configs; 2.6.3 asked."""

    old_formats_end_in_x: bool = history({"0.8.0": True, "2.0": False})
    """Whether a topic shows a format before 0.10 that it has from its broker as "0.9.0.X" (ApiVersion.scala). Recorded
    from 1.1.1 and 2.0.1: format_shown."""

    shows_unknown: bool = history({"0.8.0": False, "1.1": True})
    """Whether properties that the release does not know are shown, as secrets. Recorded from 1.0.2 to 4.3.1:
    unknown_configs. Asked of 0.11.0.3 to 4.1.1.
    """

    listener_configs_dynamic: bool = history({"0.8.0": False, "1.1": True, "2.4": False})
    """Whether configs of single listeners are shown as dynamic. Asked of 1.1.1 to 4.1.1."""

    no_names: Literal["nothing", "everything"] = history({"0.8.0": "nothing", "2.7": "everything"})
    """What an empty list of config names asks for. Recorded from 0.11.0.3 to 4.3.1: describe_configs; 2.6.3 asked."""

    names: Literal["of configs", "containing configs"] = history(
        {"0.8.0": "of configs", "2.7": "containing configs", "2.7.1": "of configs"}
    )
    """What names ask for: the configs with these names, or those whose name is a part of every one of them:
    "retention.ms" with "delete.retention.ms", and mostly nothing if several are given. Recorded from 2.6.3 to 2.7.1:
    listener_configs.
    """

    same_resource_twice: Literal["last", "each"] = history({"0.8.0": "last", "2.7": "each"})
    """How a resource that is named twice is answered. Recorded from 0.11.0.3 to 4.3.1: describe_configs; 2.6.3
    asked."""

    defaults_shown: Literal["unless own", "by source", "never"] = history(
        {"0.8.0": "unless own", "1.1": "by source", "2.7": "never"}
    )
    """Which values version 0 calls defaults: those of a topic that it does not set itself, whatever the broker's
    properties say; those whose source is the default; or none. Recorded from 0.11.0.3 to 3.9.1: describe_configs; 2.6.3
    asked."""

    unknown_topic: ErrorCode = history({"0.8.0": ErrorCode.NONE, "2.0": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION})
    """A topic that does not exist; if this is not an error, it is shown with the defaults. Recorded from 0.11.0.3 to
    4.3.1: describe_configs."""

    cluster_default: bool = history({"0.8.0": False, "1.1": True})
    """Whether the broker "" means what was set for all brokers (KIP-226). Recorded from 0.11.0.3 to 4.3.1:
    describe_configs."""

    types_of_acls: bool = history({"0.8.0": True, "2.0": False})
    """Whether resource types are numbered like those of ACLs, with ANY (1) and GROUP (3). Recorded from 0.11.0.3 to
    4.3.1: describe_configs."""

    unknown_type: Literal["called 0", "kept"] = history({"0.8.0": "called 0", "2.7": "kept"})
    """An unknown resource type: the answer calls it 0 and explains the error; or repeats it, with the general text of
    error 42. Recorded from 0.11.0.3 to 4.3.1: describe_configs; 2.6.3 asked."""

    loggers: Literal["unknown", "fail", "none"] = history({"0.8.0": "unknown", "2.4": "fail", "4.1": "none"})
    """Log levels by request (KIP-412): not known; error -1, as where log4j is missing; or there are no loggers.
    Recorded from 0.11.0.3 to 4.3.1 without log4j: describe_configs. A broker with log4j lists its own."""

    @cached_property
    def knows_loggers(self) -> bool:
        """Whether a resource can be a broker's loggers."""
        match self.loggers:
            case "fail" | "none":
                return True
            case "unknown":
                return False
            case word:
                assert_never(word)

    @cached_property
    def logger_requests_fail(self) -> bool:
        """Whether every request about loggers fails, as where log4j is missing."""
        match self.loggers:
            case "fail":
                return True
            case "unknown" | "none":
                return False
            case word:
                assert_never(word)

    client_metrics: Literal["unknown", "refused", "own", "with defaults"] = history(
        {"0.8.0": "unknown", "3.7": "refused"}, kraft={"2.8": "unknown", "3.7": "own", "4.1": "with defaults"}
    )
    """Client metrics resources (KIP-714): not known; not under ZooKeeper; shown with what was set, as bare names and
    values, whatever is asked for; or with the defaults of the rest. Recorded from 0.11.0.3 to 4.3.1: describe_configs;
    3.7.2 and ZooKeeper 3.7.2 to 3.9.1 asked."""

    @cached_property
    def knows_client_metrics(self) -> bool:
        """Whether a resource can be client metrics."""
        match self.client_metrics:
            case "refused" | "own" | "with defaults":
                return True
            case "unknown":
                return False
            case word:
                assert_never(word)

    @cached_property
    def shows_bare_metrics(self) -> bool:
        """Whether what was set is shown whole, as bare names and values."""
        match self.client_metrics:
            case "own":
                return True
            case "unknown" | "refused" | "with defaults":
                return False
            case word:
                assert_never(word)

    topic_documentation: Literal["of the broker's", "of topics"] = history(
        {"0.8.0": "of the broker's", "2.6.1": "of topics"}
    )
    """Whose documentation a topic's configs come with: that of the broker's config of the same name, which most do not
    have, or their own (KAFKA-10557). Recorded from 2.6.0 to 2.6.1: documentation_questions."""

    order: Literal["of their map", "of all"] = history({"0.8.0": "of their map", "4.2": "of all"})
    """The order of configs that were asked for by name: that of a HashMap with just these, or the one that all would
    have. Recorded from 0.11.0.3 to 4.3.1: describe_configs; last seen with a map of its own in 4.1.1, first without in
    4.3.1. Recorded: late_questions."""

    groups: bool = history({"0.8.0": False, "4.0": True})
    """Whether groups have configs (KIP-848). Recorded from 0.11.0.3 to 4.3.1: describe_configs."""

    group_synonyms: bool = history({"0.8.0": False, "4.3": True})
    """Whether the broker's configs behind a group's are shown as synonyms; otherwise what the broker sets is a default.
    Recorded from 4.0.0 to 4.3.1: describe_configs; asked of 4.0.1, 4.2.1 (last without) and 4.3.0 (first with)."""

    one_id: bool = history({"0.8.0": False, "3.1": True})
    """Whether `broker.id` and `node.id` each set the other (KafkaConfig.populateSynonyms). Recorded from 3.0.2 to
    4.3.1: describe_configs--defaults."""

    protects_elr: bool = history({"0.8.0": False}, kraft={"2.8": False, "4.1": True})
    """Whether a new cluster sets min.insync.replicas for all brokers, as eligible leader replicas require (KIP-966);
    not where it was formed without that feature. Recorded from 4.0.0 to 4.3.1: describe_configs, odd_configs,
    late_questions."""
