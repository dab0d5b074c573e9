"""Consumer groups, classic and KIP-848, and committed offsets."""

from typing import Final

from fakekafka.releases.configs.definition import BOOLEAN, GONE, INT, LIST, LONG, MAX_INT, SHORT, STRING, Config, config
from fakekafka.releases.configs.validators import any_case, at_least, each_of, elements

_ASSIGNORS: Final = "org.apache.kafka.coordinator.group.assignor."
_UNIFORM_AND_RANGE: Final = f"{_ASSIGNORS}UniformAssignor,{_ASSIGNORS}RangeAssignor"

GROUPS: Final[tuple[Config, ...]] = (
    config("group.consumer.assignment.interval.ms", INT, {"4.3": "1000"}, at_least(0), cluster_wide="4.3"),
    config(
        "group.consumer.assignors",
        LIST,
        {
            "3.5": "",
            "3.6": "org.apache.kafka.coordinator.group.assignor.RangeAssignor",
            "3.7": _UNIFORM_AND_RANGE,
            "4.0": "uniform,range",
        },
        {"4.2": elements(empty=False)},
        hidden_until="3.7",
    ),
    config("group.consumer.heartbeat.interval.ms", INT, {"3.5": "5000"}, at_least(1), hidden_until="3.7"),
    config("group.consumer.max.assignment.interval.ms", INT, {"4.3": "15000"}, at_least(0)),
    config("group.consumer.max.heartbeat.interval.ms", INT, {"3.5": "15000"}, at_least(1), hidden_until="3.7"),
    config("group.consumer.max.session.timeout.ms", INT, {"3.5": "60000"}, at_least(1), hidden_until="3.7"),
    config("group.consumer.max.size", INT, {"3.5": MAX_INT}, at_least(1), hidden_until="3.7"),
    config(
        "group.consumer.migration.policy",
        STRING,
        {"3.8": "disabled", "4.0": "bidirectional"},
        any_case("DISABLED", "DOWNGRADE", "UPGRADE", "BIDIRECTIONAL"),
        hidden={"3.8": False, "3.9": True, "4.0": False},
    ),
    config("group.consumer.min.assignment.interval.ms", INT, {"4.3": "0"}, at_least(0)),
    config("group.consumer.min.heartbeat.interval.ms", INT, {"3.5": "5000"}, at_least(1), hidden_until="3.7"),
    config("group.consumer.min.session.timeout.ms", INT, {"3.5": "45000"}, at_least(1), hidden_until="3.7"),
    config("group.consumer.regex.refresh.interval.ms", INT, {"4.1": "600000"}, at_least(10000), hidden=True),
    config("group.consumer.session.timeout.ms", INT, {"3.5": "45000"}, at_least(1), hidden_until="3.7"),
    config(
        "group.coordinator.append.linger.ms",
        INT,
        {"3.8": "10", "4.0": "5", "4.2": "-1"},
        {"3.8": at_least(0), "4.2": at_least(-1)},
    ),
    config("group.coordinator.background.threads", INT, {"4.3": "2"}, at_least(1)),
    config("group.coordinator.cached.buffer.max.bytes", INT, {"4.3": "1048588"}, at_least(524288), cluster_wide="4.3"),
    config("group.coordinator.new.enable", BOOLEAN, {"3.5": "false", "4.0": "true", "4.1": GONE}, hidden=True),
    config(
        "group.coordinator.rebalance.protocols",
        LIST,
        {"3.7": "classic", "4.0": "classic,consumer", "4.1": "classic,consumer,streams"},
        {
            "3.7": each_of("consumer", "classic"),
            "3.8": each_of("consumer", "classic", "unknown"),
            "3.9": each_of("consumer", "classic", "share", "unknown"),
            "4.0": each_of("consumer", "classic", "share"),
            "4.1": each_of("consumer", "classic", "share", "streams"),
            "4.2": elements("consumer", "classic", "share", "streams", empty=False),
        },
    ),
    config("group.coordinator.threads", INT, {"3.5": "1", "4.0": "4"}, at_least(1), hidden_until="3.7"),
    config("group.initial.rebalance.delay.ms", INT, {"0.11.0": "3000"}),
    config("group.max.session.timeout.ms", INT, {"0.9.0": "30000", "0.10.0": "300000", "2.3": "1800000"}),
    config("group.max.size", INT, {"2.2": MAX_INT}, at_least(1)),
    config("group.min.session.timeout.ms", INT, {"0.9.0": "6000"}),
    config("offset.metadata.max.bytes", INT, {"0.8.1": "1024", "0.8.2": "4096"}),
    config("offsets.commit.required.acks", SHORT, {"0.8.2": "-1", "4.0": GONE}, {"0.8.2": at_least(-1), "0.9.0": None}),
    config("offsets.commit.timeout.ms", INT, {"0.8.2": "5000"}, at_least(1)),
    config("offsets.load.buffer.size", INT, {"0.8.2": "5242880"}, at_least(1)),
    config("offsets.retention.check.interval.ms", LONG, {"0.8.2": "600000"}, at_least(1)),
    config("offsets.retention.minutes", INT, {"0.8.2": "1440", "2.0": "10080"}, at_least(1)),
    config("offsets.topic.compression.codec", INT, {"0.8.2": "0"}),
    config("offsets.topic.num.partitions", INT, {"0.8.2": "50"}, at_least(1)),
    config("offsets.topic.replication.factor", SHORT, {"0.8.2": "3"}, at_least(1)),
    config("offsets.topic.segment.bytes", INT, {"0.8.2": "104857600"}, at_least(1)),
)
