"""share_group_state"""

from fakekafka.wire.message import Message, Struct, field, int8, int16, int32, int64, string, uuid


class ShareSnapshotKey(Message, versions="0"):
    group_id: string = field("0+")
    topic_id: uuid = field("0+")
    partition: int32 = field("0+")


class StateBatch(Struct):
    first_offset: int64 = field("0+")
    last_offset: int64 = field("0+")
    delivery_state: int8 = field("0+")
    delivery_count: int16 = field("0+")


class ShareSnapshotValue(Message, versions="0", flexible="0+"):
    snapshot_epoch: int32 = field("0+")
    state_epoch: int32 = field("0+")
    leader_epoch: int32 = field("0+")
    start_offset: int64 = field("0+")
    create_timestamp: int64 = field("0+")
    write_timestamp: int64 = field("0+")
    state_batches: list[StateBatch] = field("0+")
    delivery_complete_count: int32 = field("0+", default=-1, tag=0)


class ShareUpdateKey(Message, versions="0"):
    group_id: string = field("0+")
    topic_id: uuid = field("0+")
    partition: int32 = field("0+")


class ShareUpdateValue(Message, versions="0", flexible="0+"):
    snapshot_epoch: int32 = field("0+")
    leader_epoch: int32 = field("0+")
    start_offset: int64 = field("0+")
    state_batches: list[StateBatch] = field("0+")
    delivery_complete_count: int32 = field("0+", default=-1, tag=0)
