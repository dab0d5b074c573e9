"""What a new release does differently although no setting was changed: new defaults, and settings that no longer exist.

Both come from the tables of configs, which are compared with what brokers of every release report.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release

TOLD: Final = (
    "auto.leader.rebalance.enable", "group.initial.rebalance.delay.ms", "group.max.session.timeout.ms",
    "group.min.session.timeout.ms", "inter.broker.protocol.version", "leader.imbalance.check.interval.seconds",
    "log.cleaner.enable", "log.cleaner.min.cleanable.ratio", "log.message.format.version",
    "log.message.timestamp.after.max.ms", "log.message.timestamp.before.max.ms",
    "log.message.timestamp.difference.max.ms", "log.message.timestamp.type", "log.segment.bytes",
    "message.max.bytes", "min.insync.replicas", "num.recovery.threads.per.data.dir", "offsets.retention.minutes",
    "replica.lag.time.max.ms", "transaction.state.log.min.isr", "transactional.id.expiration.ms",
    "unclean.leader.election.enable", "zookeeper.session.timeout.ms", "request.timeout.ms", "compression.type",
    "group.coordinator.rebalance.protocols", "producer.id.expiration.ms", "log.retention.ms",
)  # fmt: skip
"""Settings whose defaults matter to users. Sizes of buffers and numbers of threads are left out."""

REPLACED_BY: Final = {
    "advertised.host.name": "advertised.listeners",
    "advertised.port": "advertised.listeners",
    "host.name": "listeners",
    "port": "listeners",
    "inter.broker.protocol.version": "the feature metadata.version",
    "log.message.format.version": "nothing: the format is always 2",
    "log.message.timestamp.difference.max.ms": "log.message.timestamp.before.max.ms and …after.max.ms",
    "log.message.downconversion.enable": "nothing: there is no conversion any more",
    "replica.lag.max.messages": "replica.lag.time.max.ms",
    "zookeeper.connect": "controller.quorum.voters or controller.quorum.bootstrap.servers",
    "broker.id": "node.id",
    "delegation.token.master.key": "delegation.token.secret.key",
    "quota.producer.default": "dynamic quotas (kafka-configs --entity-default)",
    "quota.consumer.default": "dynamic quotas (kafka-configs --entity-default)",
}
"""What to set instead of a setting that no longer exists."""


class ConfigChange(NamedTuple):
    """One setting; `after` is None if the release no longer has it."""

    name: str
    before: str
    after: str | None

    def __str__(self) -> str:
        if self.after is not None:
            return f"{self.name}: the default goes from {self.before or 'empty'} to {self.after or 'empty'}"
        instead = REPLACED_BY.get(self.name)
        return f"{self.name} is gone" + (f"; instead: {instead}" if instead else "")


def config_changes(before: Release, after: Release) -> Iterator[ConfigChange]:
    """Defaults that change for brokers that do not set them, and removed settings that have a successor or were widely
    used.
    """
    old, new = profile(before).broker_configs, profile(after).broker_configs
    for name in sorted(set(old) & {*TOLD, *REPLACED_BY}):
        was = str(old[name].default or "")
        if name not in new:
            yield ConfigChange(name, was, None)
        elif name in TOLD and str(new[name].default or "") != was and not name.endswith(".version"):
            yield ConfigChange(name, was, str(new[name].default or ""))
