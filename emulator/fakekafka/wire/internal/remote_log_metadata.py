"""Records of __remote_log_metadata: which segments are in tiered storage (KIP-405).

    uvarint frame version, 1 | uvarint record key | uvarint version | body

The layouts are those from 3.6 on; the early access before that had others.
"""

from fakekafka.wire.message import Message, Struct, binary, boolean, field, int8, int32, int64, string, uuid


class TopicIdPartitionEntry(Struct):
    name: string = field("0+")
    id: uuid = field("0+")
    partition: int32 = field("0+")


class RemoteLogSegmentIdEntry(Struct):
    topic_id_partition: TopicIdPartitionEntry = field("0+")
    id: uuid = field("0+")


class SegmentLeaderEpochEntry(Struct):
    leader_epoch: int32 = field("0+")
    offset: int64 = field("0+")


class RemoteLogSegmentMetadataRecord(Message, versions="0", flexible="0+"):
    """Key 0: a segment is being copied, with everything that is known about it."""

    remote_log_segment_id: RemoteLogSegmentIdEntry = field("0+")
    start_offset: int64 = field("0+")
    end_offset: int64 = field("0+")
    broker_id: int32 = field("0+")  # the broker that wrote this
    max_timestamp_ms: int64 = field("0+")
    event_timestamp_ms: int64 = field("0+")
    segment_leader_epochs: list[SegmentLeaderEpochEntry] = field("0+")
    segment_size_in_bytes: int32 = field("0+")
    custom_metadata: binary | None = field("0+", default=None)
    remote_log_segment_state: int8 = field("0+")  # 0 copy started, 1 copied, 2 deletion started, 3 deleted
    txn_index_empty: boolean = field("0+", tag=0)  # since 4.0


class RemoteLogSegmentMetadataSnapshotRecord(Message, versions="0", flexible="0+"):
    """Key 3: key 0 without the topic, in snapshot files."""

    segment_id: uuid = field("0+")
    start_offset: int64 = field("0+")
    end_offset: int64 = field("0+")
    broker_id: int32 = field("0+")
    max_timestamp_ms: int64 = field("0+")
    event_timestamp_ms: int64 = field("0+")
    segment_leader_epochs: list[SegmentLeaderEpochEntry] = field("0+")
    segment_size_in_bytes: int32 = field("0+")
    custom_metadata: binary | None = field("0+", default=None)
    remote_log_segment_state: int8 = field("0+")  # 0 copy started, 1 copied, 2 deletion started, 3 deleted
    txn_index_empty: boolean = field("0+", tag=0)  # since 4.0


class RemoteLogSegmentMetadataUpdateRecord(Message, versions="0", flexible="0+"):
    """Key 1: the copy or the deletion of a segment has advanced."""

    remote_log_segment_id: RemoteLogSegmentIdEntry = field("0+")
    broker_id: int32 = field("0+")
    event_timestamp_ms: int64 = field("0+")
    custom_metadata: binary | None = field("0+", default=None)
    remote_log_segment_state: int8 = field("0+")  # 0 copy started, 1 copied, 2 deletion started, 3 deleted


class RemotePartitionDeleteMetadataRecord(Message, versions="0", flexible="0+"):
    """Key 2: a whole partition is being deleted."""

    topic_id_partition: TopicIdPartitionEntry = field("0+")
    broker_id: int32 = field("0+")
    event_timestamp_ms: int64 = field("0+")
    remote_partition_delete_state: int8 = field("0+")  # 0 marked, 1 started, 2 finished


RECORDS: dict[int, type[Message]] = {
    0: RemoteLogSegmentMetadataRecord,
    1: RemoteLogSegmentMetadataUpdateRecord,
    2: RemotePartitionDeleteMetadataRecord,
    3: RemoteLogSegmentMetadataSnapshotRecord,
}
"""Record key -> record."""
