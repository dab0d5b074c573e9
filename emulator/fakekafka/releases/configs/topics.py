"""What can be configured for a single topic, in the order of LogConfig: of several wrong values it names the first."""

from typing import Final

from fakekafka.releases.configs.definition import (
    BOOLEAN,
    DOUBLE,
    GONE,
    INT,
    LIST,
    LONG,
    MAX_LONG,
    STRING,
    Config,
    config,
)
from fakekafka.releases.configs.validators import THROTTLED, AutoOr, at_least, between, each_of, elements, one_of
from fakekafka.releases.configs.versions import FORMAT_DEFAULTS, TOPIC_VERSION_NAMES

TOPICS: Final[tuple[Config, ...]] = (
    config("segment.bytes", INT, {"0.8.1": "1073741824"}, {"0.9.0": at_least(14), "4.1": at_least(1048576)}),
    config("segment.ms", LONG, {"0.8.1": "604800000"}, {"0.9.0": at_least(0), "2.0": at_least(1)}),
    config("segment.jitter.ms", LONG, {"0.8.2": "0"}, {"0.9.0": at_least(0)}),
    config("segment.index.bytes", INT, {"0.8.1": "10485760"}, {"0.9.0": at_least(0), "3.3": at_least(4)}),
    config("flush.messages", LONG, {"0.8.1": MAX_LONG}, {"0.9.0": at_least(0), "3.3": at_least(1)}),
    config("flush.ms", LONG, {"0.8.1": MAX_LONG}, {"0.9.0": at_least(0)}),
    config("retention.bytes", LONG, {"0.8.1": "-1"}),
    config("retention.ms", LONG, {"0.8.1": "604800000"}, {"2.2": at_least(-1)}),
    config("max.message.bytes", INT, {"0.8.1": "1000012", "2.5": "1048588"}, {"0.9.0": at_least(0)}),
    config("index.interval.bytes", INT, {"0.8.1": "4096"}, {"0.9.0": at_least(0)}),
    config("delete.retention.ms", LONG, {"0.8.1": "86400000"}, {"0.9.0": at_least(0)}),
    config("min.compaction.lag.ms", LONG, {"0.10.1": "0"}, at_least(0)),
    config("max.compaction.lag.ms", LONG, {"2.3": MAX_LONG}, at_least(1)),
    config("file.delete.delay.ms", {"0.8.1": INT, "0.9.0": LONG}, {"0.8.1": "60000"}, {"0.9.0": at_least(0)}),
    config("min.cleanable.dirty.ratio", DOUBLE, {"0.8.1": "0.5"}, {"0.9.0": between(0, 1)}),
    config(
        "cleanup.policy",
        {"0.8.1": STRING, "0.10.1": LIST},
        {"0.8.1": "delete"},
        {
            "0.9.0": one_of("compact", "delete"),
            "0.10.1": each_of("compact", "delete"),
            "4.2": elements("compact", "delete"),
        },
    ),
    config("unclean.leader.election.enable", BOOLEAN, {"0.8.2": "true", "0.11.0": "false"}),
    config("min.insync.replicas", INT, {"0.8.2": "1"}, at_least(1)),
    config(
        "compression.type",
        STRING,
        {"0.9.0": "producer"},
        {
            "0.9.0": one_of("uncompressed", "snappy", "lz4", "gzip", "producer"),
            "2.1": one_of("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
        },
    ),
    config("compression.gzip.level", INT, {"3.8": "-1"}, AutoOr(1, 9, "Value must be between 1 and 9 or equal to -1")),
    config("compression.lz4.level", INT, {"3.8": "9"}, between(1, 17)),
    config("compression.zstd.level", INT, {"3.8": "3"}, between(-131072, 22)),
    config("preallocate", BOOLEAN, {"0.9.0": "false"}),
    config("message.format.version", STRING, FORMAT_DEFAULTS, TOPIC_VERSION_NAMES),
    config("message.timestamp.type", STRING, {"0.10.0": "CreateTime"}, {"2.0": one_of("CreateTime", "LogAppendTime")}),
    config("message.timestamp.difference.max.ms", LONG, {"0.10.0": MAX_LONG, "4.0": GONE}, at_least(0)),
    config("message.timestamp.before.max.ms", LONG, {"3.6": MAX_LONG}, at_least(0)),
    config("message.timestamp.after.max.ms", LONG, {"3.6": MAX_LONG, "4.0": "3600000"}, at_least(0)),
    config("leader.replication.throttled.replicas", LIST, {"0.10.1": ""}, THROTTLED),
    config("follower.replication.throttled.replicas", LIST, {"0.10.1": ""}, THROTTLED),
    config("message.downconversion.enable", BOOLEAN, {"2.0": "true", "4.0": GONE}),
    config("remote.storage.enable", BOOLEAN, {"3.0": "false"}, hidden={"3.0.1": True, "3.6": False}),
    config("local.retention.ms", LONG, {"3.0": "-2"}, at_least(-2), hidden={"3.0.1": True, "3.6": False}),
    config("local.retention.bytes", LONG, {"3.0": "-2"}, at_least(-2), hidden={"3.0.1": True, "3.6": False}),
    config("remote.log.copy.disable", BOOLEAN, {"3.9": "false"}),
    config("remote.log.delete.on.disable", BOOLEAN, {"3.9": "false"}),
    config("internal.segment.bytes", INT, {"4.1": None}, hidden=True),
)
