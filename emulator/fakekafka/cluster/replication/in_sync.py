"""Which followers are in sync, as their leader sees it: who has caught up is, who lags for too long is not any more.

The leader itself changes the set (Partition.maybeExpandIsr, maybeShrinkIsr); what becomes of it when brokers come and
go is the controller's (`leadership`). Under ZooKeeper neither makes a new leader epoch; under KRaft a smaller set does,
up to 3.5 (KAFKA-15021).
"""

from typing import TYPE_CHECKING

from fakekafka.ids import BrokerId, Offset
from fakekafka.storage.partition import Partition

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


def note_fetch(leader: "Broker", partition: Partition, follower: BrokerId, offset: Offset) -> None:
    """A follower asks for `offset`: it has all before it."""
    if partition.note_follower(follower, offset):
        leader.waiters.wake(partition.key)
    cluster, state = leader.cluster, partition.state
    if follower not in state.isr and follower in cluster.registered and offset >= partition.high_watermark:
        cluster.change(partition.topic, state, isr=[*state.isr, follower], new_epoch=False)
        if state.adding:
            from fakekafka.admin.reassignments import complete_if_in_sync  # few brokers ever need it

            complete_if_in_sync(leader, partition.topic, state)


def drop_if_behind(leader: "Broker", partition: Partition, follower: BrokerId) -> None:
    """A follower has lagged for `replica.lag.time.max.ms`: it is not waited for any more."""
    state = partition.state
    behind = partition.log_end_offset_of(follower) < partition.log.log_end_offset
    if behind and state.leader == leader.node_id and follower in state.isr:
        isr = [node for node in state.isr if node != follower]
        leader.cluster.change(partition.topic, state, isr=isr, new_epoch=leader.profile.topics.epoch_by_smaller_isr)
