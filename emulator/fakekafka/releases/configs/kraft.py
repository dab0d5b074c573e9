"""KRaft (KIP-500): the quorum, the metadata log, the broker's registration."""

from typing import Final

from fakekafka.releases.configs.definition import BOOLEAN, GONE, INT, LIST, LONG, STRING, Config, config
from fakekafka.releases.configs.validators import at_least, each_of, elements

KRAFT: Final[tuple[Config, ...]] = (
    config("broker.heartbeat.interval.ms", INT, {"2.8": "2000"}, hidden_until="3.0"),
    config("broker.session.timeout.ms", INT, {"2.8": "9000"}, hidden_until="3.0"),
    config(
        "controller.listener.names",
        {"2.8": STRING, "4.2": LIST},
        {"2.8": None},
        {"4.2": elements(empty=False)},
        hidden_until="3.0",
    ),
    config("controller.performance.always.log.threshold.ms", LONG, {"4.0": "2000"}, at_least(0), hidden=True),
    config("controller.performance.sample.period.ms", LONG, {"4.0": "60000"}, at_least(100), hidden=True),
    config("controller.quorum.append.linger.ms", INT, {"2.8": "25"}, {"4.1": at_least(0)}, hidden_until="3.0"),
    config("controller.quorum.auto.join.enable", BOOLEAN, {"4.2": "false"}),
    config("controller.quorum.bootstrap.servers", LIST, {"3.8": ""}, hidden_until="3.9"),
    config("controller.quorum.election.backoff.max.ms", INT, {"2.8": "1000"}, {"4.1": at_least(0)}, hidden_until="3.0"),
    config("controller.quorum.election.timeout.ms", INT, {"2.8": "1000"}, {"4.1": at_least(0)}, hidden_until="3.0"),
    config("controller.quorum.fetch.max.bytes", INT, {"4.3": "1048576"}, at_least(1)),
    config("controller.quorum.fetch.snapshot.max.bytes", INT, {"4.3": "1048576"}, at_least(1)),
    config("controller.quorum.fetch.timeout.ms", INT, {"2.8": "2000"}, {"4.1": at_least(0)}, hidden_until="3.0"),
    config("controller.quorum.request.timeout.ms", INT, {"2.8": "2000"}, {"4.1": at_least(0)}, hidden_until="3.0"),
    config("controller.quorum.retry.backoff.ms", INT, {"2.8": "20"}, {"4.1": at_least(0)}, hidden_until="3.0"),
    config("controller.quorum.voters", LIST, {"2.8": ""}, hidden_until="3.0"),
    config("early.start.listeners", {"3.3": STRING, "4.2": LIST}, {"3.3": None}, {"4.2": elements()}),
    config("initial.broker.registration.timeout.ms", INT, {"2.8": "60000"}, hidden_until="3.0"),
    config("internal.metadata.delete.delay.millis", LONG, {"4.1": "60000"}, hidden=True),
    config("internal.metadata.log.segment.bytes", INT, {"4.1": None}, hidden=True),
    config("internal.metadata.max.batch.size.in.bytes", INT, {"4.1": "8388608"}, hidden=True),
    config("internal.metadata.max.fetch.size.in.bytes", INT, {"4.1": "8388608", "4.3": GONE}, hidden=True),
    config("metadata.log.dir", STRING, {"2.8": None}, hidden_until="3.0"),
    config("metadata.log.max.record.bytes.between.snapshots", LONG, {"3.0": "20971520"}, at_least(1)),
    config("metadata.log.max.snapshot.interval.ms", LONG, {"3.4": "3600000"}, at_least(0)),
    config("metadata.log.segment.bytes", INT, {"3.0": "1073741824"}, {"3.0": at_least(12), "4.1": at_least(8388608)}),
    config("metadata.log.segment.min.bytes", INT, {"3.0": "8388608", "4.1": GONE}, at_least(12), hidden=True),
    config("metadata.log.segment.ms", LONG, {"3.0": "604800000"}),
    config("metadata.max.idle.interval.ms", INT, {"3.3": "500"}, at_least(0)),
    config("metadata.max.retention.bytes", LONG, {"3.0": "-1", "3.4": "104857600"}),
    config("metadata.max.retention.ms", LONG, {"3.0": "604800000"}),
    config("node.id", INT, {"2.8": "-1", "4.0": None}, {"4.0": at_least(0)}, hidden_until="3.0"),
    config(
        "process.roles",
        LIST,
        {"2.8": "", "4.0": None},
        {"2.8": each_of("broker", "controller"), "4.2": elements("broker", "controller", empty=False)},
        hidden_until="3.0",
    ),
)
