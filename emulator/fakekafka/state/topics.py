"""What the controller knows about a topic: its partitions, who leads them, its config overrides. No bytes."""

import base64
from collections.abc import Mapping
from copy import copy
from operator import attrgetter
from typing import Final, NamedTuple

from fakekafka.ids import ZERO_UUID, BrokerId, LeaderEpoch, PartitionIndex, TopicName, Uuid

CONSUMER_OFFSETS: Final = "__consumer_offsets"
TRANSACTION_STATE: Final = "__transaction_state"
SHARE_GROUP_STATE: Final = "__share_group_state"
COMMIT_LOG: Final = "offset-commit-log"
"""Where offsets are kept with the draft "atomic-offset-log". No release has it."""
INTERNAL_TOPICS: Final = frozenset({CONSUMER_OFFSETS, TRANSACTION_STATE, SHARE_GROUP_STATE})
"""The internal topics of all releases; `metadata.internal_topics` says which ones a release knows."""
NO_LEADER: Final = -1


class PartitionState:
    """Leadership of one partition."""

    __slots__ = (
        "adding",
        "eligible",
        "index",
        "isr",
        "isr_of_epoch",
        "last_known",
        "leader",
        "leader_epoch",
        "removing",
        "replicas",
    )

    def __init__(self, index: PartitionIndex, replicas: list[BrokerId], leader_epoch: LeaderEpoch = 0) -> None:
        self.index = index
        self.replicas = replicas
        """In order of preference: the first is the preferred leader."""
        self.isr = list(replicas)
        self.isr_of_epoch = self.isr
        """The replicas that were in sync when the leader epoch began: what old brokers report to their clients."""
        self.leader: BrokerId = replicas[0] if replicas else NO_LEADER
        self.leader_epoch = leader_epoch
        self.adding: list[BrokerId] = []
        """Replicas that a reassignment under way brings (KIP-455); they are in `replicas`, too."""
        self.removing: list[BrokerId] = []
        """Replicas that the reassignment removes."""
        self.eligible: list[BrokerId] = []
        """Replicas that are not in sync and may lead if no replica is (KIP-966)."""
        self.last_known: list[BrokerId] = []
        """The last leader, while no replica leads and none is in sync (KIP-966)."""


def leaderless(state: PartitionState) -> PartitionState:
    """A copy of `state` as a broker knows it that cannot lead the partition, whatever the controller says."""
    known = copy(state)
    known.leader = NO_LEADER
    return known


class Addition(NamedTuple):
    """Partitions that were added to a topic."""

    size_before: int
    """How many the topic had."""
    most_told: int
    """The most new partitions that the controller had announced at once by then, these included."""

    telling: int
    """Which of the controller's announcements named them."""


class Topic:
    """One topic. `overrides` are its own configs, by Kafka's names, as text."""

    __slots__ = ("additions", "id", "name", "overrides", "partitions", "withheld_id")

    def __init__(self, name: TopicName, id: Uuid, overrides: dict[str, str]) -> None:
        self.name = name
        self.id = id
        """All zero in releases without topic ids (before 2.8), and under an older inter.broker.protocol.version."""
        self.withheld_id: Uuid = ZERO_UUID
        """The id that ZooKeeper has, while the controller does not tell it to brokers."""
        self.partitions: list[PartitionState] = []
        """By index, without a gap; but ZooKeeper brokers up to 2.2 create topics whose indexes have gaps."""
        self.additions: tuple[Addition, ...] = ()
        """Each time that partitions were added, the first time included."""
        self.overrides = overrides

    @property
    def id_text(self) -> str:
        """The id in 22 characters of URL-safe base64, as Kafka writes it."""
        return base64.urlsafe_b64encode(self.id).decode().rstrip("=")

    @property
    def is_internal(self) -> bool:
        return self.name in INTERNAL_TOPICS

    def add_without_leaders(
        self, replicas: Mapping[PartitionIndex, list[BrokerId]], most_told: int = 0, telling: int = 0
    ) -> list[PartitionState]:
        """Add partitions that no broker knows about yet, on the brokers `replicas[n]`, and return them."""
        states = [PartitionState(index, nodes) for index, nodes in replicas.items()]
        for state in states:
            state.isr = state.isr_of_epoch = []
            state.leader = NO_LEADER
        self.additions += (Addition(len(self.partitions), most_told, telling),)
        self.partitions += states
        self.partitions.sort(key=attrgetter("index"))
        return states

    def partition(self, index: PartitionIndex) -> PartitionState | None:
        """The partition with this number, or None."""
        if 0 <= index < len(self.partitions) and self.partitions[index].index == index:
            return self.partitions[index]
        if not self.partitions or self.partitions[-1].index < len(self.partitions):  # they have no gaps
            return None
        return next((state for state in self.partitions if state.index == index), None)


def assign_replicas(
    brokers: list[BrokerId], partitions: int, replication_factor: int, start: int, first_index: PartitionIndex = 0
) -> list[list[BrokerId]]:
    """The replicas of each partition, from number `first_index` on, as AdminUtils spreads them.

    Leaders go round robin from broker number `start` on, followers after them with a growing shift.
    """
    count = len(brokers)
    out = []
    shift = start
    for index in range(first_index, first_index + partitions):
        if index > 0 and index % count == 0:
            shift += 1
        first = (index + start) % count
        replicas = [brokers[first]]
        for k in range(replication_factor - 1):
            replicas.append(brokers[(first + 1 + (shift + k) % (count - 1)) % count])
        out.append(replicas)
    return out
