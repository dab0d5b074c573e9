"""Single brokers of a running cluster: stopping, killing and starting one while the others go on.

What happens at once here takes a real cluster some time: the controller is informed of a clean stop, or misses a killed
broker after its session (zookeeper.session.timeout.ms, broker.session.timeout.ms).
"""

from fakekafka.cluster.cluster import Cluster
from fakekafka.cluster.leadership import balance_later, broker_left
from fakekafka.errors import UsageError
from fakekafka.ids import BrokerId, LeaderEpoch, PartitionIndex
from fakekafka.runtime.assembly import Storage, boot_broker
from fakekafka.settings.blueprint import Blueprint
from fakekafka.state.topics import Topic
from fakekafka.storage.log_manager import Unsynced


def stop_broker(cluster: Cluster, node_id: BrokerId) -> None:
    """A clean stop of one broker; the others take over. Raises `UsageError` if it does not run."""
    broker = cluster.running(node_id)
    broker.shut_down(others_stay=len(cluster.brokers) > 1)
    _take_over(cluster, node_id, controlled=broker.config.bool("controlled.shutdown.enable", absent=True))


def kill_broker(cluster: Cluster, node_id: BrokerId, unsynced: Unsynced) -> None:
    """One broker dies; the others take over. Raises `UsageError` if it does not run."""
    cluster.running(node_id).crash(unsynced)
    _take_over(cluster, node_id, controlled=False)


def _take_over(cluster: Cluster, node_id: BrokerId, *, controlled: bool) -> None:
    del cluster.brokers[node_id]
    if cluster.brokers:
        broker_left(cluster, node_id, controlled=controlled)


def start_broker(cluster: Cluster, blueprint: Blueprint, storage: Storage, node_id: BrokerId) -> None:
    """Start one broker. Raises `UsageError` if it runs or does not exist, and `BrokerWillNotStart`."""
    if node_id in cluster.brokers:
        raise UsageError(f"broker {node_id} is already running")
    if node_id not in storage.directories:
        raise UsageError(f"there is no broker {node_id}; there are {sorted(storage.directories)}")
    boot_broker(cluster, blueprint, storage, node_id)


def move_leader(cluster: Cluster, topic: Topic, index: PartitionIndex, node_id: BrokerId) -> LeaderEpoch:
    """Have a replica lead in a new epoch. Raises `UsageError` if it would lack acknowledged records."""
    state = topic.partition(index)
    assert state is not None
    if node_id not in state.isr or node_id not in cluster.brokers:
        there = [node for node in state.isr if node in cluster.brokers]
        raise UsageError(f"broker {node_id} cannot lead {topic.name}-{index}: in sync are {there}")
    epoch = cluster.elect(topic, index, node_id)
    balance_later(cluster)
    return epoch
