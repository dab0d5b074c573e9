"""The groups of one broker in the order in which they came into the maps of its coordinator.

The Scala coordinator has one map for all, the Java one a map for each partition of the offsets topic. ListGroups gives
groups back in the order of these maps, which depends on how full they have ever been: no map shrinks.
"""

from fakekafka.ids import PartitionIndex


class GroupMap:
    """One of these maps."""

    __slots__ = ("ids", "most")

    def __init__(self) -> None:
        self.ids: dict[str, None] = {}
        self.most = 0
        """How many groups it has had at once."""

    def add(self, group_id: str) -> None:
        """A group has come. One that is there keeps its place."""
        self.ids.setdefault(group_id)
        self.most = max(self.most, len(self.ids))

    def remove(self, group_id: str) -> None:
        """A group has gone."""
        self.ids.pop(group_id, None)


class Arrivals:
    """All maps of a broker."""

    def __init__(self) -> None:
        self.maps: dict[PartitionIndex, GroupMap] = {}
        """Keyed by partition of the offsets topic; one map for all groups is at 0."""

    def add(self, index: PartitionIndex, group_id: str) -> None:
        """A group has come."""
        self.maps.setdefault(index, GroupMap()).add(group_id)

    def remove(self, index: PartitionIndex, group_id: str) -> None:
        """A group has gone."""
        if index in self.maps:
            self.maps[index].remove(group_id)
