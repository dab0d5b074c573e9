"""remote_log_metadata"""

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
    remote_log_segment_id: RemoteLogSegmentIdEntry = field("0+")
    start_offset: int64 = field("0+")
    end_offset: int64 = field("0+")
    broker_id: int32 = field("0+")
    max_timestamp_ms: int64 = field("0+")
    event_timestamp_ms: int64 = field("0+")
    segment_leader_epochs: list[SegmentLeaderEpochEntry] = field("0+")
    segment_size_in_bytes: int32 = field("0+")
    custom_metadata: binary | None = field("0+", default=None)
    remote_log_segment_state: int8 = field("0+")
    txn_index_empty: boolean = field("0+", tag=0)


class RemoteLogSegmentMetadataSnapshotRecord(Message, versions="0", flexible="0+"):
    segment_id: uuid = field("0+")
    start_offset: int64 = field("0+")
    end_offset: int64 = field("0+")
    broker_id: int32 = field("0+")
    max_timestamp_ms: int64 = field("0+")
    event_timestamp_ms: int64 = field("0+")
    segment_leader_epochs: list[SegmentLeaderEpochEntry] = field("0+")
    segment_size_in_bytes: int32 = field("0+")
    custom_metadata: binary | None = field("0+", default=None)
    remote_log_segment_state: int8 = field("0+")
    txn_index_empty: boolean = field("0+", tag=0)


class RemoteLogSegmentMetadataUpdateRecord(Message, versions="0", flexible="0+"):
    remote_log_segment_id: RemoteLogSegmentIdEntry = field("0+")
    broker_id: int32 = field("0+")
    event_timestamp_ms: int64 = field("0+")
    custom_metadata: binary | None = field("0+", default=None)
    remote_log_segment_state: int8 = field("0+")


class RemotePartitionDeleteMetadataRecord(Message, versions="0", flexible="0+"):
    topic_id_partition: TopicIdPartitionEntry = field("0+")
    broker_id: int32 = field("0+")
    event_timestamp_ms: int64 = field("0+")
    remote_partition_delete_state: int8 = field("0+")
