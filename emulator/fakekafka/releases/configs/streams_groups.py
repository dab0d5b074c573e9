"""Streams groups (KIP-1071)."""

from typing import Final

from fakekafka.releases.configs.definition import INT, MAX_INT, Config, config
from fakekafka.releases.configs.validators import at_least

STREAMS_GROUPS: Final[tuple[Config, ...]] = (
    config("group.streams.assignment.interval.ms", INT, {"4.3": "1000"}, at_least(0), cluster_wide="4.3"),
    config("group.streams.heartbeat.interval.ms", INT, {"4.1": "5000"}, at_least(1)),
    config("group.streams.initial.rebalance.delay.ms", INT, {"4.2": "3000"}, at_least(0)),
    config("group.streams.max.assignment.interval.ms", INT, {"4.3": "15000"}, at_least(0)),
    config("group.streams.max.heartbeat.interval.ms", INT, {"4.1": "15000"}, at_least(1)),
    config("group.streams.max.session.timeout.ms", INT, {"4.1": "60000"}, at_least(1)),
    config("group.streams.max.size", INT, {"4.1": MAX_INT}, at_least(1)),
    config("group.streams.max.standby.replicas", INT, {"4.1": "2"}, at_least(0)),
    config("group.streams.min.assignment.interval.ms", INT, {"4.3": "0"}, at_least(0)),
    config("group.streams.min.heartbeat.interval.ms", INT, {"4.1": "5000"}, at_least(1)),
    config("group.streams.min.session.timeout.ms", INT, {"4.1": "45000"}, at_least(1)),
    config("group.streams.num.standby.replicas", INT, {"4.1": "0"}, at_least(0)),
    config("group.streams.session.timeout.ms", INT, {"4.1": "45000"}, at_least(1)),
)
