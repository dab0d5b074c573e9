"""The records of `__consumer_offsets` for offsets and classic groups: the bytes that a release writes, and how it reads
those that it finds (GroupMetadataManager, GroupCoordinatorRecordHelpers). The shapes are in
`wire.internal.consumer_offsets`.

Which version of a value is written depends on the release, on inter.broker.protocol.version and, for offsets, on
whether there is an expiry timestamp.
"""

import struct
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from fakekafka.coordinators.groups.classic.group import Group
from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.errors import MalformedBytes
from fakekafka.ids import ZERO_UUID, PartitionIndex, TopicName, Uuid
from fakekafka.releases.coordinator_values import ValueVersions
from fakekafka.wire.codec import decode, encode_bytes
from fakekafka.wire.internal import consumer_offsets as shapes

OFFSET_TYPES = (0, 1)
GROUP_TYPE = 2
NO_EXPIRY = -1
_VERSION = struct.Struct(">h")


class OffsetKey(NamedTuple):
    """The key of a committed offset."""

    group: str
    topic: TopicName
    partition: PartitionIndex


class GroupKey(NamedTuple):
    """The key of a classic group's record."""

    group: str


class OtherKey(NamedTuple):
    """A key of another kind; `type` says which."""

    type: int


RecordKey: TypeAlias = OffsetKey | GroupKey | OtherKey

# ---- writing


def offset_key(key_type: int, group: str, topic: TopicName, partition: PartitionIndex) -> bytes:
    """The key of an offset; `key_type` 0 in 0.8.2, 1 later."""
    key = shapes.OffsetCommitKey(group=group, topic=topic, partition=partition)
    return _VERSION.pack(key_type) + encode_bytes(key, 0)


def offset_value(versions: ValueVersions, committed: Committed, topic_id: Uuid = ZERO_UUID) -> bytes:
    """The value of an offset; `topic_id`: the id of its topic, if the release writes it."""
    if versions.offset == 0:
        old = shapes.LegacyOffsetCommitValue(
            offset=committed.offset, metadata=committed.metadata, commit_timestamp=committed.commit_timestamp
        )
        return _VERSION.pack(0) + encode_bytes(old, 0)
    version = versions.offset if committed.expire_timestamp is None else 1
    value = shapes.OffsetCommitValue(
        offset=committed.offset,
        leader_epoch=committed.leader_epoch,
        metadata=committed.metadata,
        commit_timestamp=committed.commit_timestamp,
        topic_id=topic_id,
        expire_timestamp=NO_EXPIRY if committed.expire_timestamp is None else committed.expire_timestamp,
    )
    return _VERSION.pack(version) + encode_bytes(value, version)


def group_key(group: str) -> bytes:
    """The key of a classic group."""
    return _VERSION.pack(GROUP_TYPE) + encode_bytes(shapes.GroupMetadataKey(group=group), 0)


def group_value(versions: ValueVersions, group: Group, assignments: Mapping[str, bytes]) -> bytes:
    """The value of a classic group at the end of a rebalance, with the assignment of each member."""
    version = versions.group
    value = shapes.GroupMetadataValue(
        protocol_type=group.protocol_type or "",
        generation=group.generation,
        protocol=group.protocol_name,
        leader=group.leader,
        current_state_timestamp=-1 if group.state_since is None else group.state_since,
        members=[
            shapes.MemberMetadata(
                member_id=m.id,
                group_instance_id=m.instance_id,
                client_id=m.client_id,
                client_host=m.client_host,
                rebalance_timeout=m.rebalance_timeout_ms,
                session_timeout=m.session_timeout_ms,
                subscription=m.metadata(group.protocol_name or ""),
                assignment=assignments[m.id],
            )
            for m in group.members.values()
        ],
    )
    return _VERSION.pack(version) + encode_bytes(value, version)


# ---- reading


def read_key(data: bytes) -> RecordKey:
    """The key of a record. Raises `MalformedBytes`."""
    kind = _version(data)
    if kind in OFFSET_TYPES:
        key, _ = decode(shapes.OffsetCommitKey, 0, data, _VERSION.size)
        return OffsetKey(key.group, key.topic, key.partition)
    if kind == GROUP_TYPE:
        group, _ = decode(shapes.GroupMetadataKey, 0, data, _VERSION.size)
        return GroupKey(group.group)
    return OtherKey(kind)


def read_offset(data: bytes, newest: int) -> Committed:
    """A committed offset. Raises `MalformedBytes`, also for versions above `newest`."""
    version = _version(data)
    if version > newest or version not in shapes.OffsetCommitValue.VERSIONS:
        raise MalformedBytes(f"an offset of version {version}")
    if version == 0:
        old, _ = decode(shapes.LegacyOffsetCommitValue, 0, data, _VERSION.size)
        return Committed(old.offset, -1, old.metadata, old.commit_timestamp)
    value, _ = decode(shapes.OffsetCommitValue, version, data, _VERSION.size)
    expiry = value.expire_timestamp if version == 1 else None
    return Committed(value.offset, max(-1, value.leader_epoch), value.metadata, value.commit_timestamp, expiry)


def read_group(data: bytes, newest: int) -> tuple[int, shapes.GroupMetadataValue]:
    """Version and value of a group's record. Raises `MalformedBytes`, also for versions above `newest`."""
    version = _version(data)
    if version > newest or version not in shapes.GroupMetadataValue.VERSIONS:
        raise MalformedBytes(f"a group of version {version}")
    return version, decode(shapes.GroupMetadataValue, version, data, _VERSION.size)[0]


def _version(data: bytes) -> int:
    if len(data) < _VERSION.size:
        raise MalformedBytes("a record without version")
    version: int = _VERSION.unpack_from(data)[0]
    return version
