"""Quotas and their windows."""

from typing import Final

from fakekafka.releases.configs.definition import CLASS, GONE, INT, LONG, MAX_LONG, Config, config
from fakekafka.releases.configs.validators import at_least

QUOTAS: Final[tuple[Config, ...]] = (
    config("alter.log.dirs.replication.quota.window.num", INT, {"1.1": "11"}, at_least(1)),
    config("alter.log.dirs.replication.quota.window.size.seconds", INT, {"1.1": "1"}, at_least(1)),
    config("client.quota.callback.class", CLASS, {"2.0": None}),
    config("controller.quota.window.num", INT, {"2.7": "11"}, at_least(1)),
    config("controller.quota.window.size.seconds", INT, {"2.7": "1"}, at_least(1)),
    config("quota.consumer.default", LONG, {"0.9.0": MAX_LONG, "3.0": GONE}, at_least(1)),
    config("quota.producer.default", LONG, {"0.9.0": MAX_LONG, "3.0": GONE}, at_least(1)),
    config("quota.window.num", INT, {"0.9.0": "11"}, at_least(1)),
    config("quota.window.size.seconds", INT, {"0.9.0": "1"}, at_least(1)),
    config("replication.quota.window.num", INT, {"0.10.1": "11"}, at_least(1)),
    config("replication.quota.window.size.seconds", INT, {"0.10.1": "1"}, at_least(1)),
    config(
        "follower.replication.throttled.rate",
        LONG,
        {"0.10.1": MAX_LONG},
        at_least(0),
        cluster_wide="0.10.1",
        hidden=True,
    ),
    config(
        "leader.replication.throttled.rate",
        LONG,
        {"0.10.1": MAX_LONG},
        at_least(0),
        cluster_wide="0.10.1",
        hidden=True,
    ),
    config(
        "replica.alter.log.dirs.io.max.bytes.per.second",
        LONG,
        {"1.1": MAX_LONG},
        at_least(0),
        cluster_wide="1.1",
        hidden=True,
    ),
)

ONLY_DYNAMIC: Final = frozenset(
    {
        "follower.replication.throttled.rate",
        "leader.replication.throttled.rate",
        "replica.alter.log.dirs.io.max.bytes.per.second",
    }
)
"""Configs that a broker's file cannot have: those of DynamicConfig.Broker, which KafkaConfig does not define."""
