"""What happens to replicas while their brokers do not run."""

from collections.abc import Iterable

from fakekafka.ids import BrokerId, TopicName, TopicPartition


class AbsentReplicas:
    """The partitions that brokers must delete when they return, and the topics whose deletion waits for that."""

    def __init__(self) -> None:
        self._lost: dict[BrokerId, set[TopicPartition]] = {}
        self._awaited: dict[TopicName, set[BrokerId]] = {}

    def lose(self, node_id: BrokerId, key: TopicPartition) -> None:
        """A broker that does not run loses a partition."""
        self._lost.setdefault(node_id, set()).add(key)

    def await_all(self, name: TopicName, nodes: Iterable[BrokerId]) -> None:
        """A topic stays marked for deletion until these brokers have returned (TopicDeletionManager)."""
        if awaited := set(nodes):
            self._awaited[name] = awaited

    def is_being_deleted(self, name: TopicName) -> bool:
        """Whether a topic is still marked for deletion, although no broker knows it any more."""
        return name in self._awaited

    def take(self, node_id: BrokerId) -> set[TopicPartition]:
        """A broker starts. Returns the partitions that it has lost."""
        for awaited in self._awaited.values():
            awaited.discard(node_id)
        self._awaited = {name: awaited for name, awaited in self._awaited.items() if awaited}
        return self._lost.pop(node_id, set())

    def forget_topics(self) -> None:
        """The cluster is emptied: nothing is marked for deletion."""
        self._awaited.clear()
