"""A requested topic, and the plan for creating it."""

from collections.abc import Mapping
from typing import NamedTuple

from fakekafka.ids import BrokerId, PartitionIndex, TopicName

UNSET = -1
"""The number of partitions or replicas that stands for the broker's default, or for that of the assignment."""


class NewTopic(NamedTuple):
    """One topic of a CreateTopics request."""

    name: TopicName
    partitions: int = UNSET
    replication_factor: int = UNSET
    assignment: tuple[tuple[PartitionIndex, list[BrokerId]], ...] = ()
    """Replicas by partition; empty: the broker assigns."""
    configs: tuple[tuple[str, str | None], ...] = ()
    """Names and values as in the request; names may repeat, values may be null."""

    @property
    def counts_and_assignment(self) -> bool:
        """Whether counts and an assignment are both given, which is refused."""
        return bool(self.assignment) and (self.partitions, self.replication_factor) != (UNSET, UNSET)

    @property
    def overrides(self) -> dict[str, str]:
        """The configs that are not null; of a name given twice the last value counts."""
        configs = dict(self.configs)
        return {name: value for name, value in configs.items() if value is not None} if configs else {}

    @property
    def null_configs(self) -> list[str]:
        return [name for name, value in self.configs if value is None]


class Plan(NamedTuple):
    """What will be created."""

    replicas: Mapping[PartitionIndex, list[BrokerId]]
    overrides: Mapping[str, str]
