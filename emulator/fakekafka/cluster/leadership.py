"""Leaders, and replicas in sync: what the controller decides when brokers come and go, and what a leader knows.

The first running replica in sync leads. Without one the partition has no leader, unless the topic allows an unclean
election: then any running replica leads, and what it lacks is lost. The last replica in sync stays in sync, whether it
runs or not: only it may lead again. Preferred leaders that have returned lead again when leaders are balanced, one
check interval later. (KafkaController and PartitionStateMachine; ReplicationControlManager of KRaft.)
"""

from collections.abc import Iterable
from typing import Final

from fakekafka.cluster.cluster_of import ClusterOf
from fakekafka.cluster.node import AnyNode, Node
from fakekafka.ids import BrokerId, Offset, PartitionIndex
from fakekafka.releases.protocol_effects import ALTER_ISR
from fakekafka.state.topics import NO_LEADER, PartitionState, Topic
from fakekafka.storage.partition import Partition

MIN_IN_SYNC: Final = "min.insync.replicas"
UNCLEAN: Final = "unclean.leader.election.enable"


def broker_left(cluster: ClusterOf[AnyNode], node_id: BrokerId, *, controlled: bool) -> None:
    """A broker has left: others lead what it led, and nothing waits for it. `controlled`: it has announced this."""
    rules = _controller(cluster).profile.topics
    for topic, state in _partitions(cluster):
        if state.leader == node_id:
            elect(cluster, topic, state)
            if state.leader == NO_LEADER and controlled:
                state.leader_epoch += rules.epochs_by_lost_leader - 1
        elif node_id in state.isr and len(state.isr) > 1:
            isr = [node for node in state.isr if node != node_id]
            new_epoch = rules.epoch_by_lost_replica and (controlled or not _lags_first(cluster.brokers[state.leader]))
            cluster.change(topic, state, isr=isr, new_epoch=new_epoch)


def minimum_changed(cluster: ClusterOf[AnyNode], topics: Iterable[Topic]) -> None:
    """`min.insync.replicas` has been set or removed: no replica is eligible any longer, even if no other may lead."""
    if cluster.keeps_eligible:
        for state in (state for topic in topics for state in topic.partitions):
            state.eligible, state.last_known = [], []


def replica_lost(cluster: ClusterOf[AnyNode], topic: Topic, index: PartitionIndex, node_id: BrokerId) -> None:
    """A broker that runs has lost the log directory in which a partition lies (KIP-112), if the controller is told."""
    state, told = topic.partition(index), cluster.brokers[node_id].profile.log_directory.lost_directories_told
    if state is None or not told:
        return
    if state.leader == node_id:
        elect(cluster, topic, state)
    elif node_id in state.isr and len(state.isr) > 1:
        cluster.change(topic, state, isr=[node for node in state.isr if node != node_id])


def broker_comes(cluster: ClusterOf[AnyNode], node_id: BrokerId) -> None:
    """A broker is about to start, and others run: for them, the partitions that it led when it stopped as the last
    broker have no leader.
    """
    for _, state in _partitions(cluster):
        if state.leader == node_id:
            state.leader = NO_LEADER


def broker_returns_uncleanly(cluster: ClusterOf[AnyNode], node_id: BrokerId) -> None:
    """A broker that did not stop cleanly is about to start: it may have lost records."""
    for _, state in _partitions(cluster):
        if node_id in state.eligible:
            state.eligible = [node for node in state.eligible if node != node_id]


def broker_came(cluster: ClusterOf[AnyNode]) -> None:
    """A broker has started: partitions that no broker could lead may have a leader again."""
    profile = _controller(cluster).profile
    notes_dead, has_quorum = profile.topics.epoch_by_found_dead, profile.has_quorum
    for topic, state in _partitions(cluster):
        if state.leader not in (*cluster.brokers, NO_LEADER) and notes_dead:
            cluster.change(topic, state, leader=NO_LEADER)
        if not state.isr and not has_quorum and not cluster.is_being_made(topic):
            cluster.lead_first(topic, [state])  # it never had a leader
        elif state.leader not in cluster.brokers and candidate(cluster, topic, state) is not None:
            elect(cluster, topic, state)
    balance_later(cluster)


def elect(cluster: ClusterOf[AnyNode], topic: Topic, state: PartitionState) -> None:
    """Begin a new epoch under the best available leader, or without one."""
    leader = candidate(cluster, topic, state)
    if leader is None:
        cluster.change(topic, state, leader=NO_LEADER, isr=[] if cluster.keeps_eligible else None)
        return
    in_sync = [node for node in state.isr if cluster.has_replica(node, topic.name, state.index)]
    cluster.change(topic, state, leader=leader, isr=in_sync if leader in in_sync else [leader])


def candidate(cluster: ClusterOf[AnyNode], topic: Topic, state: PartitionState) -> BrokerId | None:
    """The broker that would lead a partition whose leader has left."""
    there = [node for node in state.replicas if cluster.has_replica(node, topic.name, state.index)]
    in_sync = [node for node in there if node in state.isr]
    if not in_sync and (cluster.keeps_eligible or not state.isr):
        in_sync = [node for node in there if node in state.eligible]
    asks_last = cluster.keeps_eligible and not state.isr and not state.eligible
    if asks_last and state.last_known and state.last_known[0] in there:
        return state.last_known[0]  # no replica is left that is sure to have everything
    if not in_sync and there and _controller(cluster).topic_config(topic).bool(UNCLEAN, absent=True):
        return there[0]
    return in_sync[0] if in_sync else None


def balance_later(cluster: ClusterOf[AnyNode]) -> None:
    """Have leaders balanced after `leader.imbalance.check.interval.seconds`, if there is something to balance."""
    config = _controller(cluster).config
    if config.bool("auto.leader.rebalance.enable") and any(_not_preferred(cluster).values()):
        delay_ms = 1000 * config.int("leader.imbalance.check.interval.seconds", 300)
        _controller(cluster).timers.after(delay_ms, lambda: balance(cluster))


def balance(cluster: ClusterOf[AnyNode]) -> None:
    """Let preferred replicas lead again: those of brokers that lack more than `leader.imbalance.per.broker.percentage`
    of what they should lead; under KRaft, all.
    """
    controller = _controller(cluster)
    allowed = 0
    if controller.profile.topics.imbalance_allowed:
        allowed = controller.config.int("leader.imbalance.per.broker.percentage", 10)
    preferred = [state.replicas[0] for _, state in _partitions(cluster) if state.replicas]
    for node_id, missed in _not_preferred(cluster).items():
        if 100 * len(missed) > allowed * preferred.count(node_id):
            for topic, state in missed:
                if node_id in state.isr and not state.adding:
                    cluster.change(topic, state, leader=node_id)


def _not_preferred(cluster: ClusterOf[AnyNode]) -> dict[BrokerId, list[tuple[Topic, PartitionState]]]:
    """The partitions that running brokers should lead and do not."""
    missed: dict[BrokerId, list[tuple[Topic, PartitionState]]] = {node_id: [] for node_id in cluster.brokers}
    for topic, state in _partitions(cluster):
        if state.replicas and state.replicas[0] in missed and state.leader != state.replicas[0]:
            missed[state.replicas[0]].append((topic, state))
    return missed


def _controller(cluster: ClusterOf[AnyNode]) -> AnyNode:
    return cluster.brokers[cluster.controller_id]


def _partitions(cluster: ClusterOf[AnyNode]) -> list[tuple[Topic, PartitionState]]:
    return [(topic, state) for topic in cluster.topics.values() for state in topic.partitions]


# ---- a leader's followers


def note_fetch(cluster: ClusterOf[AnyNode], partition: Partition, follower: BrokerId, offset: Offset) -> bool:
    """A follower asks for `offset`: it has everything before it. Returns whether it has just come in sync."""
    if partition.note_follower(follower, offset):
        cluster.waiters.wake(partition.key)
    state = partition.state
    joins = follower not in state.isr and follower in cluster.registered and offset >= partition.high_watermark
    if joins:
        isr = _as_leader_orders(cluster.brokers[partition.node_id], [*state.isr, follower])
        cluster.change(partition.topic, state, isr=isr, new_epoch=False)
    return joins


def drop_if_behind(cluster: ClusterOf[AnyNode], leader: Node, partition: Partition, follower: BrokerId) -> None:
    """A follower has lagged for `replica.lag.time.max.ms`: the leader no longer waits for it."""
    state, idle_lags = partition.state, leader.profile.topics.idle_follower_lags
    behind = idle_lags or partition.log_end_offset_of(follower) < partition.log.log_end_offset
    if behind and state.leader == leader.node_id and follower in state.isr:
        isr = _as_leader_orders(leader, [node for node in state.isr if node != follower])
        if _is_told_later(leader):
            partition.hold_high_watermark()
        cluster.change(partition.topic, state, isr=isr, new_epoch=leader.profile.topics.epoch_by_smaller_isr)


def _lags_first(leader: Node) -> bool:
    """Whether a leader drops a follower that has died before the controller notices the death."""
    if not leader.profile.topics.idle_follower_lags:
        return False
    lag_ms = leader.config.int("replica.lag.time.max.ms", 10_000)
    return lag_ms < leader.config.int("zookeeper.session.timeout.ms", 6_000)


def _as_leader_orders(leader: Node, isr: list[BrokerId]) -> list[BrokerId]:
    return sorted(isr) if leader.profile.topics.leader_sorts_isr else isr


def _is_told_later(leader: Node) -> bool:
    """Whether a leader learns later that the set in sync has shrunk, and does not look at the high watermark then."""
    stays = leader.profile.topics.high_watermark_after_lag == "stays"
    return stays and leader.profile.allows(ALTER_ISR, leader.config.text("inter.broker.protocol.version"))
