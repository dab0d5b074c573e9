"""What the controller knows of a topic: its partitions, who leads them, its config overrides. No bytes."""

from typing import Final

from fakekafka.ids import BrokerId, LeaderEpoch, PartitionIndex, TopicName, Uuid

CONSUMER_OFFSETS: Final = "__consumer_offsets"
TRANSACTION_STATE: Final = "__transaction_state"
SHARE_GROUP_STATE: Final = "__share_group_state"
INTERNAL_TOPICS: Final = frozenset({CONSUMER_OFFSETS, TRANSACTION_STATE})
MAX_NAME_LENGTH: Final = 249
NO_LEADER: Final = -1


class PartitionState:
    """Leadership of one partition."""

    __slots__ = ("index", "isr", "leader", "leader_epoch", "replicas")

    def __init__(self, index: PartitionIndex, replicas: list[BrokerId], leader_epoch: LeaderEpoch = 0) -> None:
        self.index = index
        self.replicas = replicas
        """In order of preference: the first is the preferred leader."""
        self.isr = list(replicas)
        self.leader: BrokerId = replicas[0] if replicas else NO_LEADER
        self.leader_epoch = leader_epoch


class Topic:
    """One topic. `overrides` are its own configs, by Kafka's names, as text."""

    __slots__ = ("id", "name", "overrides", "partitions")

    def __init__(self, name: TopicName, id: Uuid, overrides: dict[str, str]) -> None:
        self.name = name
        self.id = id
        """All zero in releases without topic ids (before 2.8)."""
        self.partitions: list[PartitionState] = []
        self.overrides = overrides

    @property
    def is_internal(self) -> bool:
        return self.name in INTERNAL_TOPICS

    def partition(self, index: PartitionIndex) -> PartitionState | None:
        """The partition, or None when there is none of this number."""
        return self.partitions[index] if 0 <= index < len(self.partitions) else None


def illegal_name(name: TopicName) -> str | None:
    """Why a topic may not be called so (Topic.validate), or None. The words are the broker's."""
    if not name:
        return "the empty string is not allowed"
    if name in (".", ".."):
        return f"'{name}' is not allowed"
    if len(name) > MAX_NAME_LENGTH:
        return f"the length of '{name}' is longer than the max allowed length {MAX_NAME_LENGTH}"
    if not all(c.isascii() and (c.isalnum() or c in "._-") for c in name):
        return f"'{name}' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'"
    return None


def collides(one: TopicName, other: TopicName) -> bool:
    """Whether two names differ only in "." and "_", which metric names do not tell apart."""
    return one.replace(".", "_") == other.replace(".", "_")


def assign_replicas(
    brokers: list[BrokerId], partitions: int, replication_factor: int, start: int
) -> list[list[BrokerId]]:
    """Replicas of each partition, as AdminUtils spreads them: leaders round robin, followers with a growing shift."""
    count = len(brokers)
    out = []
    shift = start
    for index in range(partitions):
        if index > 0 and index % count == 0:
            shift += 1
        first = (index + start) % count
        others = [(first + 1 + (shift + k) % (count - 1)) % count for k in range(replication_factor - 1)]
        out.append([brokers[i] for i in (first, *others)])
    return out
