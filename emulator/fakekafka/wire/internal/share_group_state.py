"""Records of __share_group_state: which records of a share partition are acknowledged (KIP-932).

    key     int16 record type | key (version 0)
    value   int16 version     | value

A snapshot holds the whole state of a share partition, the updates after it what changed. The layouts are those from 4.1
on; the early access in 3.9 and 4.0 had others.
"""

from fakekafka.wire.message import Message, Struct, field, int8, int16, int32, int64, string, uuid


class ShareSnapshotKey(Message, versions="0"):
    """Type 0."""

    group_id: string = field("0+")
    topic_id: uuid = field("0+")
    partition: int32 = field("0+")


class StateBatch(Struct):
    first_offset: int64 = field("0+")
    last_offset: int64 = field("0+")  # included
    delivery_state: int8 = field("0+")  # 0 available, 2 acknowledged, 4 archived
    delivery_count: int16 = field("0+")


class ShareSnapshotValue(Message, versions="0", flexible="0+"):
    """Type 0: the whole state."""

    snapshot_epoch: int32 = field("0+")
    state_epoch: int32 = field("0+")
    leader_epoch: int32 = field("0+")
    start_offset: int64 = field("0+")
    create_timestamp: int64 = field("0+")  # milliseconds
    write_timestamp: int64 = field("0+")  # milliseconds
    state_batches: list[StateBatch] = field("0+")
    delivery_complete_count: int32 = field("0+", default=-1, tag=0)  # since 4.2 (KIP-1226)


class ShareUpdateKey(Message, versions="0"):
    """Type 1."""

    group_id: string = field("0+")
    topic_id: uuid = field("0+")
    partition: int32 = field("0+")


class ShareUpdateValue(Message, versions="0", flexible="0+"):
    """Type 1: what changed since the snapshot of the same epoch."""

    snapshot_epoch: int32 = field("0+")
    leader_epoch: int32 = field("0+")
    start_offset: int64 = field("0+")  # -1: unchanged
    state_batches: list[StateBatch] = field("0+")
    delivery_complete_count: int32 = field("0+", default=-1, tag=0)  # since 4.2 (KIP-1226)


RECORDS: dict[int, tuple[type[Message], type[Message]]] = {
    0: (ShareSnapshotKey, ShareSnapshotValue),
    1: (ShareUpdateKey, ShareUpdateValue),
}
"""Record type -> (key, value)."""
