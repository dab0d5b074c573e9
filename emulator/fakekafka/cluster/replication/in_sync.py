"""Which followers are in sync, as their leader sees it: those that have caught up, until they lag for too long.

The leader itself changes the set (Partition.maybeExpandIsr, maybeShrinkIsr); what happens to it when brokers come and
go is the controller's decision (`leadership`). Under ZooKeeper neither makes a new leader epoch; under KRaft a smaller
set does,
up to 3.5 (KAFKA-15021).
"""

from fakekafka.cluster.cluster_of import AnyNode, ClusterOf, Node
from fakekafka.ids import BrokerId, Offset
from fakekafka.storage.partition import Partition


def note_fetch(cluster: ClusterOf[AnyNode], partition: Partition, follower: BrokerId, offset: Offset) -> bool:
    """A follower asks for `offset`: it has everything before it. Returns whether it has just come in sync."""
    if partition.note_follower(follower, offset):
        cluster.waiters.wake(partition.key)
    state = partition.state
    joins = follower not in state.isr and follower in cluster.registered and offset >= partition.high_watermark
    if joins:
        cluster.change(partition.topic, state, isr=[*state.isr, follower], new_epoch=False)
    return joins


def drop_if_behind(cluster: ClusterOf[AnyNode], leader: Node, partition: Partition, follower: BrokerId) -> None:
    """A follower has lagged for `replica.lag.time.max.ms`: the leader no longer waits for it."""
    state = partition.state
    behind = partition.log_end_offset_of(follower) < partition.log.log_end_offset
    if behind and state.leader == leader.node_id and follower in state.isr:
        isr = [node for node in state.isr if node != follower]
        cluster.change(partition.topic, state, isr=isr, new_epoch=leader.profile.topics.epoch_by_smaller_isr)
