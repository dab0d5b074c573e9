"""What a controller under ZooKeeper tells brokers of partitions, as far as the order follows from it in which they list
them (ControllerBrokerRequestBatch, UpdateMetadataRequest; see `handlers.orders.metadata`).
"""

from collections.abc import Iterable

from fakekafka.state.topics import Topic


class Tellings:
    """How often the controller has told brokers of partitions, and of how many at once."""

    def __init__(self) -> None:
        self.times = 0
        self.most = 0
        """Of how many it has told at once. Its map of them does not shrink."""

    def tell(self, partitions: int) -> int:
        """Tell of some partitions. Returns of how many it has told at once by now."""
        self.times += 1
        self.most = max(self.most, partitions)
        return self.most

    def begin(self, partitions: int) -> None:
        """Another broker is the controller, or the only broker has started: it tells of all partitions."""
        self.times += 1
        self.most = partitions


class ToldAtStart:
    """The partitions of which a broker was told when it started, all at once."""

    def __init__(self, topics: Iterable[Topic], tellings: Tellings) -> None:
        self.times = tellings.times
        self.most = tellings.most
        self.partitions = {topic: tuple(state.index for state in topic.partitions) for topic in topics}
