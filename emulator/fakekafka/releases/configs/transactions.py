"""Transactions and producer ids."""

from typing import Final

from fakekafka.releases.configs.definition import BOOLEAN, INT, SHORT, Config, config
from fakekafka.releases.configs.validators import at_least

TRANSACTIONS: Final[tuple[Config, ...]] = (
    config("add.partitions.to.txn.retry.backoff.max.ms", INT, {"4.0": "100"}, at_least(0)),
    config("add.partitions.to.txn.retry.backoff.ms", INT, {"4.0": "20"}, at_least(1)),
    config("producer.id.expiration.check.interval.ms", INT, {"3.4": "600000"}, at_least(1), hidden=True),
    config("producer.id.expiration.ms", INT, {"3.4": "86400000"}, at_least(1), cluster_wide="3.4"),
    config(
        "transaction.abort.timed.out.transaction.cleanup.interval.ms",
        INT,
        {"0.11.0": "60000", "2.5": "10000"},
        at_least(1),
    ),
    config("transaction.max.timeout.ms", INT, {"0.11.0": "900000"}, at_least(1)),
    config("transaction.partition.verification.enable", BOOLEAN, {"3.6": "true"}, cluster_wide="3.6"),
    config("transaction.remove.expired.transaction.cleanup.interval.ms", INT, {"0.11.0": "3600000"}, at_least(1)),
    config("transaction.state.log.load.buffer.size", INT, {"0.11.0": "5242880"}, at_least(1)),
    config("transaction.state.log.min.isr", INT, {"0.11.0": "2"}, at_least(1)),
    config("transaction.state.log.num.partitions", INT, {"0.11.0": "50"}, at_least(1)),
    config("transaction.state.log.replication.factor", SHORT, {"0.11.0": "3"}, at_least(1)),
    config("transaction.state.log.segment.bytes", INT, {"0.11.0": "104857600"}, at_least(1)),
    config("transaction.two.phase.commit.enable", BOOLEAN, {"4.1": "false"}),
    config("transactional.id.expiration.ms", INT, {"0.11.0": "604800000"}, at_least(1)),
)
