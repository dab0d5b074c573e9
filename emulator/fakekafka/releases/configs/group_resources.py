"""What can be configured for a single group (KIP-848, KIP-932, KIP-1071), from 4.0 on."""

from typing import Final

from fakekafka.releases.configs.definition import BOOLEAN, INT, STRING, Config, config
from fakekafka.releases.configs.validators import OffsetReset, at_least, one_of

GROUP_RESOURCES: Final[tuple[Config, ...]] = (
    config("consumer.session.timeout.ms", INT, {"4.0": "45000"}, at_least(1)),
    config("consumer.heartbeat.interval.ms", INT, {"4.0": "5000"}, at_least(1)),
    config("share.session.timeout.ms", INT, {"4.0": "45000"}, at_least(1)),
    config("share.heartbeat.interval.ms", INT, {"4.0": "5000"}, at_least(1)),
    config("share.record.lock.duration.ms", INT, {"4.0": "30000"}, at_least(1000)),
    config("share.auto.offset.reset", STRING, {"4.0": "latest"}, OffsetReset()),
    config("share.isolation.level", STRING, {"4.1": "read_uncommitted"}, one_of("read_committed", "read_uncommitted")),
    config("streams.session.timeout.ms", INT, {"4.1": "45000"}, at_least(1)),
    config("streams.heartbeat.interval.ms", INT, {"4.1": "5000"}, at_least(1)),
    config("streams.num.standby.replicas", INT, {"4.1": "0"}, at_least(0)),
    config("streams.initial.rebalance.delay.ms", INT, {"4.2": "3000"}, at_least(0)),
    config("consumer.assignment.interval.ms", INT, {"4.3": "1000"}, at_least(0)),
    config("share.delivery.count.limit", INT, {"4.3": "5"}, at_least(2)),
    config("share.partition.max.record.locks", INT, {"4.3": "2000"}, at_least(100)),
    config("share.renew.acknowledge.enable", BOOLEAN, {"4.3": "true"}),
    config("share.assignment.interval.ms", INT, {"4.3": "1000"}, at_least(0)),
    config("streams.assignment.interval.ms", INT, {"4.3": "1000"}, at_least(0)),
)
