"""The order in which answers about records list topics and partitions: that of the maps in which a broker gathers them
(`order_maps`).
"""

from fakekafka.jvm.chains import Chain
from fakekafka.releases.behaviours.behaviour import Behaviours, history
from fakekafka.releases.behaviours.order_maps import (
    AS_ASKED,
    COMPUTED,
    HASH_2_13,
    JAVA,
    MAP_2_12,
    MAP_2_13,
    MUTABLE_2_12,
    MUTABLE_2_13,
    Key,
    NamedKey,
    PartitionMaps,
)


class OrdersBehaviour(Behaviours):
    """The order of lists in answers about records (KafkaApis, and the classes of the requests and responses)."""

    produce: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((MUTABLE_2_12,), (MAP_2_12,), (MUTABLE_2_12, MAP_2_12)),
            "0.9.0": PartitionMaps((MUTABLE_2_12,) * 2, (MAP_2_12,), (MUTABLE_2_12, MAP_2_12)),
            "0.10.0": PartitionMaps((JAVA, MUTABLE_2_12), (MAP_2_12,), (JAVA,), (JAVA,)),
            "0.10.2": PartitionMaps((JAVA,), (MAP_2_12,), (JAVA,), (JAVA,)),
            "1.0": PartitionMaps((JAVA, MUTABLE_2_12), (MAP_2_12,), (JAVA,), (JAVA,)),
            "2.1": PartitionMaps((JAVA, MUTABLE_2_12), (MAP_2_12,), (COMPUTED,), (JAVA,)),
            "2.4": PartitionMaps((JAVA, MUTABLE_2_13), (MUTABLE_2_13,), (COMPUTED,), (JAVA,)),
            "2.8": PartitionMaps(answered=(MUTABLE_2_13,), later=(MUTABLE_2_13,)),
            "3.6": PartitionMaps(answered=(MAP_2_13,), first=(MUTABLE_2_13,), later=(MUTABLE_2_13,)),
            "3.7": PartitionMaps(answered=(MUTABLE_2_13,), later=(MUTABLE_2_13,)),
            "3.8": PartitionMaps(answered=(MAP_2_13,), first=(MUTABLE_2_13,), later=(MUTABLE_2_13,)),
        }
    )
    """Produce (ProduceRequest, ReplicaManager.appendRecords, ProduceResponse). Recorded: produce_refusals,
    produce_formats, produce_timestamps, acls_rules, fetch_manners, random_orders."""

    produce_without_logs: Chain = history({"0.8.0": (MAP_2_12,), "2.4": (MAP_2_13,)})
    """What the results pass instead if no partition is given to a log (KafkaApis.handleProduceRequest). Recorded from
    2.8.2: random_orders."""

    produce_refused: Chain = history({"0.8.0": (JAVA,), "2.8": (COMPUTED,)})
    """What partitions pass if the whole request is refused (ProduceRequest.getErrorResponse). Recorded:
    odd_requests."""

    produce_key: Key = history({"0.8.0": "TopicAndPartition", "0.10.0": "TopicPartition", "4.1": "TopicIdPartition"})
    """The keys of these maps (ProduceRequest). Recorded: produce_refusals."""

    fetch: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((MAP_2_12,), (), (MUTABLE_2_12, MAP_2_12), (MAP_2_12,)),
            "0.10.1": AS_ASKED,
        }
    )
    """Fetch (FetchRequest and FetchResponse in Scala, of which the keys are of its case class; KIP-74). Recorded:
    fetch_manners, fetch_formats."""

    list_offsets: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((MAP_2_12,), (), (MUTABLE_2_12, MAP_2_12)),
            "0.10.0": PartitionMaps((JAVA, MUTABLE_2_12), (MUTABLE_2_12,), (JAVA,), (JAVA,)),
            "2.1": PartitionMaps((JAVA, MUTABLE_2_12), (MUTABLE_2_12,), (COMPUTED,), (JAVA,)),
            "2.4": PartitionMaps((JAVA,), (MUTABLE_2_13,), (COMPUTED,), (JAVA,)),
            "2.7": AS_ASKED,
            "4.0": PartitionMaps((MUTABLE_2_13,), (), (HASH_2_13,), (), (MUTABLE_2_13,), late_apart=True),
        }
    )
    """ListOffsets (ListOffsetRequest, ListOffsetResponse; ReplicaManager.fetchOffset). Recorded: list_offsets,
    offsets."""

    list_offsets_key: NamedKey = history({"0.8.0": "TopicAndPartition", "0.10.0": "TopicPartition"})
    """The keys of these maps (ListOffsetRequest). Recorded: list_offsets."""

    delete_records: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((JAVA, MUTABLE_2_12), (MAP_2_12,), (JAVA,), (JAVA,)),
            "2.1": PartitionMaps((JAVA, MUTABLE_2_12), (MAP_2_12,), (COMPUTED,), (JAVA,)),
            "2.4": PartitionMaps((JAVA,), (MUTABLE_2_13,), (COMPUTED,), (JAVA,)),
            "2.6": PartitionMaps((), (MUTABLE_2_13,), (HASH_2_13,), (), (MUTABLE_2_13,), later=(MUTABLE_2_13,)),
        }
    )
    """DeleteRecords (ReplicaManager.deleteRecords, DeleteRecordsResponse). Recorded: acls, delete_records,
    odd_requests; from 2.6.3 to 3.3.2: random_orders."""

    delete_records_without_logs: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((JAVA, MUTABLE_2_12), (MAP_2_12,), (JAVA,), (JAVA,)),
            "2.1": PartitionMaps((JAVA, MUTABLE_2_12), (MAP_2_12,), (COMPUTED,), (JAVA,)),
            "2.4": PartitionMaps((JAVA,), (MAP_2_13,), (COMPUTED,), (JAVA,), later=(MUTABLE_2_13,)),
            "2.6": PartitionMaps((), (MAP_2_13,), (HASH_2_13,), grouped=(HASH_2_13,), later=(MUTABLE_2_13,)),
        }
    )
    """DeleteRecords if no partition is given to a log (KafkaApis.handleDeleteRecordsRequest). What is grouped out of a
    small map is in small maps, too. Recorded from 2.6.3 to 3.3.2: random_orders."""

    offset_for_leader_epoch: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((JAVA,), (MAP_2_12,), (JAVA,), (JAVA,)),
            "2.1": PartitionMaps((JAVA,), (MAP_2_12,), (COMPUTED,), (JAVA,)),
            "2.4": PartitionMaps((JAVA,), (MUTABLE_2_13,), (COMPUTED,), (JAVA,)),
            "2.8": AS_ASKED,
        }
    )
    """OffsetForLeaderEpoch (OffsetsForLeaderEpochRequest, ReplicaManager.lastOffsetForLeaderEpoch). Recorded:
    offset_for_leader_epoch."""
