"""Share groups (KIP-932)."""

from typing import Final

from fakekafka.releases.configs.definition import BOOLEAN, GONE, INT, LIST, MAX_INT, SHORT, STRING, Config, config
from fakekafka.releases.configs.validators import at_least, between, elements

SHARE_GROUPS: Final[tuple[Config, ...]] = (
    config("group.share.assignment.interval.ms", INT, {"4.3": "1000"}, at_least(0), cluster_wide="4.3"),
    config("group.share.assignors", LIST, {"4.1": "simple"}, {"4.2": elements(empty=False)}),
    config("group.share.delivery.count.limit", INT, {"3.9": "5"}, between(2, 10)),
    config("group.share.enable", BOOLEAN, {"3.9": "false", "4.3": GONE}, hidden=True),
    config("group.share.heartbeat.interval.ms", INT, {"3.9": "5000"}, at_least(1)),
    config("group.share.initialize.retry.interval.ms", INT, {"4.2": "30000"}, at_least(1), hidden=True),
    config("group.share.max.assignment.interval.ms", INT, {"4.3": "15000"}, at_least(0)),
    config("group.share.max.delivery.count.limit", INT, {"4.3": "10"}, between(5, 25)),
    config("group.share.max.groups", SHORT, {"3.9": "10", "4.1": GONE}, between(1, 100)),
    config("group.share.max.heartbeat.interval.ms", INT, {"3.9": "15000"}, at_least(1)),
    config("group.share.max.partition.max.record.locks", INT, {"4.3": "4000"}, between(2000, 10000)),
    config("group.share.max.record.lock.duration.ms", INT, {"3.9": "60000"}, between(30000, 3600000)),
    config("group.share.max.session.timeout.ms", INT, {"3.9": "60000"}, at_least(1)),
    config("group.share.max.share.sessions", INT, {"4.1": "2000"}, at_least(1)),
    config(
        "group.share.max.size",
        {"3.9": SHORT, "4.0": INT},
        {"3.9": "200"},
        {"3.9": between(10, 1000), "4.0": between(1, 1000)},
    ),
    config("group.share.min.assignment.interval.ms", INT, {"4.3": "0"}, at_least(0)),
    config("group.share.min.delivery.count.limit", INT, {"4.3": "2"}, between(2, 5)),
    config("group.share.min.heartbeat.interval.ms", INT, {"3.9": "5000"}, at_least(1)),
    config("group.share.min.partition.max.record.locks", INT, {"4.3": "100"}, between(100, 2000)),
    config("group.share.min.record.lock.duration.ms", INT, {"3.9": "15000"}, between(1000, 30000)),
    config("group.share.min.session.timeout.ms", INT, {"3.9": "45000"}, at_least(1)),
    config("group.share.partition.max.record.locks", INT, {"3.9": "200", "4.1": "2000"}, between(100, 10000)),
    config(
        "group.share.persister.class.name",
        STRING,
        {"4.0": "org.apache.kafka.server.share.persister.DefaultStatePersister"},
        hidden=True,
    ),
    config(
        "group.share.record.lock.duration.ms",
        INT,
        {"3.9": "30000"},
        {"3.9": between(1000, 60000), "4.0": between(1000, 3600000)},
    ),
    config("group.share.session.timeout.ms", INT, {"3.9": "45000"}, at_least(1)),
    config(
        "share.coordinator.append.linger.ms",
        INT,
        {"4.0": "10", "4.1": "5", "4.2": "-1"},
        {"4.0": at_least(0), "4.2": at_least(-1)},
    ),
    config("share.coordinator.cached.buffer.max.bytes", INT, {"4.3": "1048588"}, at_least(524288), cluster_wide="4.3"),
    config("share.coordinator.cold.partition.snapshot.interval.ms", INT, {"4.1": "300000"}, at_least(1), hidden=True),
    config("share.coordinator.load.buffer.size", INT, {"4.0": "5242880"}, at_least(1)),
    config(
        "share.coordinator.snapshot.update.records.per.snapshot",
        INT,
        {"4.0": "500"},
        {"4.0": at_least(0), "4.3": between(0, 500)},
    ),
    config("share.coordinator.state.topic.compression.codec", INT, {"4.0": "0"}),
    config("share.coordinator.state.topic.min.isr", SHORT, {"4.0": "2"}, at_least(1)),
    config("share.coordinator.state.topic.num.partitions", INT, {"4.0": "50"}, at_least(1)),
    config("share.coordinator.state.topic.prune.interval.ms", INT, {"4.0": "300000"}, at_least(1), hidden=True),
    config("share.coordinator.state.topic.replication.factor", SHORT, {"4.0": "3"}, at_least(1)),
    config("share.coordinator.state.topic.segment.bytes", INT, {"4.0": "104857600"}, at_least(1)),
    config("share.coordinator.threads", INT, {"4.0": "1"}, at_least(1)),
    config("share.coordinator.write.timeout.ms", INT, {"4.0": "5000"}, at_least(1)),
    config("share.fetch.max.fetch.records", INT, {"4.0": MAX_INT, "4.1": GONE}, hidden=True),
    config("share.fetch.purgatory.purge.interval.requests", INT, {"4.0": "1000"}),
)
