"""Records of `__consumer_offsets` without the values that differ in each run: the order of a group's members, which is
that of a hash map of their random ids, and the topic ids in committed offsets.

Everything keeps its length. Records with other meanings, and compressed records, stay as they are.
"""

import re

from fakekafka.errors import MalformedBytes
from fakekafka.records.batch import Batch
from fakekafka.wire.codec import decode, encode_bytes
from fakekafka.wire.internal.consumer_offsets import GroupMetadataValue, OffsetCommitValue

from tests.golden import consumer_group_values
from tests.golden.form import UUID, Labels

_VERSION_BYTES = 2
_OFFSET, _GROUP = b"\0\1", b"\0\2"
"""Types of records, by how their keys begin."""
_ONE_TAG = re.compile(rb"\x01\x00\x10.{16}", re.DOTALL)
"""A single tagged field, 0, of 16 bytes: a topic id (Kafka 4.1)."""


def comparable(data: bytes, batch: Batch, labels: Labels) -> bytes:
    """`data`, in which the records of `batch` lie uncompressed, with labels in place of made-up values."""
    try:
        if consumer_group_values.is_about_consumer_groups(batch):
            return consumer_group_values.comparable(batch, labels)
        if len(UUID.findall(data)) > 1:
            data = _with_members_in_order(data, batch, labels)
        if _ONE_TAG.search(data):
            _learn_topic_ids(batch, labels)
    except MalformedBytes:  # not from the offsets topic
        pass
    return labels.in_bytes(data)


def _with_members_in_order(data: bytes, batch: Batch, labels: Labels) -> bytes:
    for record in batch.records():
        value = record.value
        if value and record.key and record.key[:_VERSION_BYTES] == _GROUP:
            data = data.replace(value, _in_order(value, labels))
    return data


def _in_order(value: bytes, labels: Labels) -> bytes:
    version = int.from_bytes(value[:_VERSION_BYTES], "big")
    if version not in GroupMetadataValue.VERSIONS:
        return value
    group, _ = decode(GroupMetadataValue, version, value, _VERSION_BYTES)
    group.members.sort(key=lambda member: labels.in_bytes(member.member_id.encode()))
    ordered = value[:_VERSION_BYTES] + encode_bytes(group, version)
    return ordered if len(ordered) == len(value) else value


def _learn_topic_ids(batch: Batch, labels: Labels) -> None:
    for record in batch.records():
        value = record.value
        if not value or not record.key or record.key[:_VERSION_BYTES] != _OFFSET:
            continue
        version = int.from_bytes(value[:_VERSION_BYTES], "big")
        if version in OffsetCommitValue.VERSIONS:
            commit, _ = decode(OffsetCommitValue, version, value, _VERSION_BYTES)
            if any(commit.topic_id):
                labels.of("T", commit.topic_id)
