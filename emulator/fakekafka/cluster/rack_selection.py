"""Which replica a consumer should read from: one in its rack (KIP-392).

The leader asks its `replica.selector.class` before it reads (ReplicaManager.findPreferredReadReplica). Of Kafka's own
selectors, RackAwareReplicaSelector is played; the other one always selects the leader, as if there were none.
"""

from typing import Final

from fakekafka.cluster.broker import Broker
from fakekafka.ids import BrokerId, Offset
from fakekafka.storage.partition import Partition

RACK_AWARE: Final = "org.apache.kafka.common.replica.RackAwareReplicaSelector"


def selects_by_rack(broker: Broker) -> bool:
    """Whether the broker sends consumers to their rack."""
    return broker.config.text("replica.selector.class") == RACK_AWARE


def replica_in_rack(broker: Broker, rack: str, partition: Partition, offset: Offset) -> BrokerId | None:
    """The follower that a consumer in `rack` should ask for `offset`; None: the leader, which is `broker`.

    It has the offset, and is the furthest ahead of those in the rack; from 3.3.2 on it is in sync.
    """
    if broker.rack == rack:
        return None
    state, known, ends = partition.state, broker.cluster.known_brokers, {}
    for node_id in state.isr if broker.profile.fetch.rack_in_sync else state.replicas:
        is_there = node_id in known and known[node_id].rack == rack
        held = _held(broker, node_id, partition) if is_there else None
        if held is not None and offset in held:
            ends[node_id] = held[-1]
    return max(ends, key=lambda node_id: (ends[node_id], node_id), default=None)


def _held(leader: Broker, node_id: BrokerId, partition: Partition) -> range | None:
    """The offsets that a consumer may ask of a replica, its log end offset included; None if it cannot be named."""
    other = leader.cluster.brokers.get(node_id)
    if other is not None:
        copy = other.partitions.get((partition.topic.name, partition.index))
        return None if copy is None else range(copy.log.log_start_offset, copy.log.log_end_offset + 1)
    if leader.profile.fetch.rack_of_dead:
        return range(partition.log_start_offset, partition.log_end_offset_of(node_id) + 1)
    return None
