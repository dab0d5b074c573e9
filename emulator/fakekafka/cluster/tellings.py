"""What a controller under ZooKeeper tells brokers about partitions, as far as the order follows from it in which they
list them (ControllerBrokerRequestBatch, UpdateMetadataRequest; see `handlers.orders.metadata`).
"""

from collections.abc import Iterable

from fakekafka.state.topics import Topic


class Tellings:
    """How often the controller has announced partitions to brokers, and how many new ones at once."""

    def __init__(self) -> None:
        self.times = 0
        self.most_new = 0
        """The most new partitions in one telling. The map that has them does not shrink (PartitionStateMachine)."""

    def tell(self, new: int = 0) -> int:
        """Announce some partitions, among them new ones. Returns the most new ones in one telling so far."""
        self.times += 1
        self.most_new = max(self.most_new, new)
        return self.most_new

    def begin(self) -> None:
        """Another broker is the controller, or the only broker has started: the maps are new."""
        self.times += 1
        self.most_new = 0


class ToldAtStart:
    """The partitions that a broker heard about when it started, all at once."""

    def __init__(self, topics: Iterable[Topic], times_told: int) -> None:
        self.times = times_told
        self.partitions = {topic: tuple(state.index for state in topic.partitions) for topic in topics}
