"""What a broker property does here: it is played; it is not played, although a client would notice; or it is not
played, and nobody would notice.

A property that code names is played. The other names are classified here, by pattern (`*` stands for anything); those
of listeners, SASL and TLS that are not played are in `unplayed_security`, with the reason for each. Where several
patterns fit, "not played" counts first, and a name counts before a pattern. A test sets each property in each release
that has it, so a property that is added must be classified.
"""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Final

PLAYED: Final = (
    "group.consumer.*", "group.share.*", "group.streams.*",  # read by prefix, see `coordinators.groups`
    "log.*",  # what topics fall back on, see `synonyms`
    "*.per.topic",
    "compression.*.level",
    "*.num.partitions",
    "offsets.topic.segment.bytes", "transaction.state.log.segment.bytes", "share.coordinator.state.topic.*",
    "ssl.*", "sasl.*", "principal.*",  # read by listener, see `security.listeners`
    "broker.id", "node.id", "advertised.*", "inter.broker.listener.name", "security.inter.broker.protocol",
    "socket.listen.backlog.size",
    "unstable.*.versions.enable",
)  # fmt: skip
"""Names that the code composes when it reads them, or reads under another name."""

UNPLAYED: Final[Mapping[str, str]] = {
    "create.topic.policy.class.name": "creating topics is refused as the policy says (KIP-108)",
    "alter.config.policy.*": "changing configs is refused as the policy says (KIP-133)",
    "client.quota.callback.class": "quotas are what the callback says (KIP-257)",
    "config.providers": "values are looked up elsewhere (KIP-297)",
    "*.replication.throttled.rate": "followers are slowed down (KIP-73)",
    "replica.alter.log.dirs.io.max.bytes.per.second": "moves between directories are slowed down",
    "remote.*": "old segments are read from remote storage (KIP-405)",
    "log.local.*": "old segments are read from remote storage (KIP-405)",
    "follower.fetch.last.tiered.offset.enable": "followers begin behind what is in remote storage",
    "cordoned.log.dirs": "new partitions are not placed there (KIP-1066)",
    "eligible.leader.replicas.enable": "replicas that were in sync may lead again (KIP-966)",
    "share.coordinator.write.timeout.ms": "writing the state of a share group may time out",
}
"""What a client, or an operator using one, would notice about it."""

_ASSIGNOR: Final = "org.apache.kafka.coordinator.group.assignor."
CLASSES_PLAYED: Final[Mapping[str, tuple[str, ...]]] = {
    "replica.selector.class": tuple(
        f"org.apache.kafka.common.replica.{name}" for name in ("RackAwareReplicaSelector", "LeaderSelector")
    ),
    "group.consumer.assignors": ("uniform", "range", f"{_ASSIGNOR}UniformAssignor", f"{_ASSIGNOR}RangeAssignor"),
    "group.share.assignors": ("simple", f"{_ASSIGNOR}SimpleAssignor"),
}
"""Kafka's own classes, by the property that names one of them or several. A broker starts with any other class that it
finds (asked of 2.8.2, 3.9.1 and 4.3.1).
"""

UNSEEN: Final = (
    "*.threads", "*.thread.pool.size", "*purgatory.purge.interval.requests", "queued.max.*", "socket.*", "replica.*",
    "metrics.*", "kafka.metrics.*", "auto.include.jmx.reporter",
    "zookeeper.*", "controller.*",
    "metadata.*", "internal.metadata.*", "initial.broker.registration.timeout.ms", "broker.heartbeat.interval.ms",
    "broker.session.timeout.ms", "broker.id.generation.enable", "reserved.broker.max.id", "server.max.startup.time.ms",
    "controlled.shutdown.*", "unclean.leader.election.interval.ms", "log.dir.failure.timeout.ms",
    "*quota.window.*", "add.partitions.to.txn.retry.backoff*", "group.coordinator.*",
    "share.coordinator.*", "share.fetch.max.fetch.records", "delegation.token.expiry.check.interval.ms",
)  # fmt: skip
"""How brokers work inside, and how they talk to each other."""


def unplayed(name: str) -> str | None:
    """What a client would notice about a property that is not played here; None if it is played, or nobody would
    notice.
    """
    return next((what for pattern, what in UNPLAYED.items() if fnmatchcase(name, pattern)), None)


def unplayed_classes(name: str, text: str | None) -> str | None:
    """What a client would notice about the classes that a property names; None if they are Kafka's own, or it names
    none.
    """
    own = CLASSES_PLAYED.get(name, ())
    others = [one for one in (text or "").replace(" ", "").split(",") if one and one not in own]
    return f"the Java class {' and '.join(others)} decides" if own and others else None


def fits(name: str, patterns: Iterable[str]) -> bool:
    """Whether a name matches one of the patterns."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)
