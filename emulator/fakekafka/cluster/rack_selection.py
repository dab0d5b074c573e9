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
    state, place, ends = partition.state, (partition.topic.name, partition.index), {}
    for node_id in state.isr if broker.profile.fetch.rack_in_sync else state.replicas:
        other = broker.cluster.brokers.get(node_id)
        copy = None if other is None or other.rack != rack else other.partitions.get(place)
        if copy is not None and copy.log.log_start_offset <= offset <= copy.log.log_end_offset:
            ends[node_id] = copy.log.log_end_offset
    return max(ends, key=lambda node_id: (ends[node_id], node_id), default=None)
