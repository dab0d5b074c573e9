"""The section about single brokers."""

from collections.abc import Mapping

from fakekafka.handle.section import Section
from fakekafka.ids import BrokerId, LeaderEpoch, PartitionIndex, TopicName
from fakekafka.runtime.assembly import move_leader
from fakekafka.storage.log_manager import Unsynced


class Brokers(Section):
    """Single brokers: stop, kill and start them, make them lag or lead.

    In an instant cluster, the others learn of this at once; with `pace="lifelike"` they learn of it later, on the
    broker's clock.
    """

    def stop_broker(self, node_id: BrokerId) -> None:
        """Stop one broker cleanly; the others continue, and lead what it led. Its port refuses connections.

        The stop of a whole cluster is `stop`. Raises `UsageError` if the broker does not run.
        """
        self._runtime.stop_broker(node_id)

    def kill_broker(self, node_id: BrokerId, *, unsynced: Unsynced = "kept") -> None:
        """Kill one broker. The others notice at once or, in a lifelike cluster, when its session ends or it returns:
        until then they name it as the leader of the partitions that it led. `unsynced`: as in `stop`. Raises
        `UsageError` if it does not run.
        """
        self._runtime.kill_broker(node_id, unsynced)

    def start_broker(
        self, node_id: BrokerId, release: str | None = None, config: Mapping[str, object] | None = None
    ) -> None:
        """Start a broker that was stopped or killed, on its port and its files, possibly as another release.

        `config` replaces the properties of this broker; None keeps them. In a lifelike cluster under ZooKeeper it
        serves no partition before it is told what it leads, about half a second later. Raises `BrokerWillNotStart`
        if a broker of that release would not start on these files, and `UsageError` if it runs.
        """
        self._runtime.start_broker(node_id, release, config)

    def brokers(self) -> dict[BrokerId, str]:
        """The running brokers, with the release of each."""
        running = self._on_loop(lambda: sorted(self._running.cluster.brokers))
        return {node_id: str(self._runtime.blueprint.of_broker(node_id).release) for node_id in running}

    def pause_replication(self, node_id: BrokerId) -> None:
        """Stop a broker from fetching from others, until `resume_replication`: it lags, and is out of sync after a
        while. Raises `UsageError` if it does not run.
        """
        self._on_loop(lambda: self._running.cluster.running(node_id).follower.pause(True))

    def resume_replication(self, node_id: BrokerId) -> None:
        """Let the broker fetch again. Raises `UsageError` if it does not run."""
        self._on_loop(lambda: self._running.cluster.running(node_id).follower.pause(False))

    def elect_leader(self, topic: TopicName, partition: PartitionIndex, broker: BrokerId | None = None) -> LeaderEpoch:
        """Have the partition's leader elected again; returns the new leader epoch. `broker`: the future leader, which
        must be in sync. None: the current leader. In a lifelike cluster the old leader hears of it first, and the new
        one a moment later. Raises `UsageError` if there is no such partition, or the broker cannot lead it.
        """
        from fakekafka.watching.stored import found_topic

        def elect() -> LeaderEpoch:
            cluster, known_topic = self._running.cluster, found_topic(self._running.cluster, topic, partition)
            if broker is None:
                return cluster.elect(known_topic, partition)
            return move_leader(cluster, known_topic, partition, broker)

        return self._on_loop(elect)
