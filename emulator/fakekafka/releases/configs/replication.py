"""Replication, elections, controlled shutdown, purgatories."""

from typing import Final

from fakekafka.releases.configs.definition import BOOLEAN, GONE, INT, LONG, MAX_INT, STRING, Config, config
from fakekafka.releases.configs.validators import at_least

REPLICATION: Final[tuple[Config, ...]] = (
    config("auto.leader.rebalance.enable", BOOLEAN, {"0.8.1": "false", "0.8.2": "true"}),
    config("controlled.shutdown.enable", BOOLEAN, {"0.8.0": "false", "0.8.2": "true"}),
    config("controlled.shutdown.max.retries", INT, {"0.8.0": "3", "4.0": GONE}),
    config("controlled.shutdown.retry.backoff.ms", {"0.8.0": INT, "0.9.0": LONG}, {"0.8.0": "5000", "4.0": GONE}),
    config("controller.message.queue.size", INT, {"0.8.0": "10", "0.8.2": MAX_INT, "0.9.0": GONE}),
    config("controller.socket.timeout.ms", INT, {"0.8.0": "30000"}),
    config("default.replication.factor", INT, {"0.8.0": "1"}),
    config("delete.records.purgatory.purge.interval.requests", INT, {"0.11.0": "1"}),
    config("eligible.leader.replicas.enable", BOOLEAN, {"3.7": "false", "4.0": GONE}),
    config("fetch.purgatory.purge.interval.requests", INT, {"0.8.0": "10000", "0.8.2": "1000"}),
    config(
        "leader.imbalance.check.interval.seconds", {"0.8.1": INT, "0.9.0": LONG}, {"0.8.1": "300"}, {"3.2": at_least(1)}
    ),
    config("leader.imbalance.per.broker.percentage", INT, {"0.8.1": "10", "4.0": GONE}),
    config("num.replica.alter.log.dirs.threads", INT, {"1.1": None}),
    config("num.replica.fetchers", INT, {"0.8.0": "1"}, {"4.2": at_least(1)}, cluster_wide="1.1"),
    config("producer.purgatory.purge.interval.requests", INT, {"0.8.0": "10000", "0.8.2": "1000"}),
    config("replica.fetch.backoff.ms", INT, {"0.9.0": "1000"}, at_least(0)),
    config("replica.fetch.max.bytes", INT, {"0.8.0": "1048576"}, {"0.10.1": at_least(0)}),
    config("replica.fetch.min.bytes", INT, {"0.8.0": "1"}),
    config("replica.fetch.response.max.bytes", INT, {"0.10.1": "10485760"}, at_least(0)),
    config("replica.fetch.wait.max.ms", INT, {"0.8.0": "500"}),
    config("replica.high.watermark.checkpoint.interval.ms", LONG, {"0.8.0": "5000"}),
    config("replica.lag.max.messages", LONG, {"0.8.0": "4000", "0.9.0": GONE}),
    config("replica.lag.time.max.ms", LONG, {"0.8.0": "10000", "2.5": "30000"}),
    config("replica.selector.class", STRING, {"2.4": None}),
    config("replica.socket.receive.buffer.bytes", INT, {"0.8.0": "65536"}),
    config("replica.socket.timeout.ms", INT, {"0.8.0": "30000"}),
    config("unclean.leader.election.enable", BOOLEAN, {"0.8.2": "true", "0.11.0": "false"}, cluster_wide="1.1"),
    config("unclean.leader.election.interval.ms", LONG, {"3.9": "300000"}, at_least(1), hidden=True),
)
