"""Records of consumer, share and streams groups without the values that differ in each run, as made-up ids do.

    the hash of the topics        labelled
    the order of topics           that of a hash map of their ids: sorted by their labels
    the order of members          that of a hash map, too: sorted, if one of their ids is made up
    the version of a pattern      how long the metadata log is: left out

The form is each record's key and value with their sizes before them: offsets, times and headers of single records are
not in it.
"""

from collections.abc import Callable
from typing import Any

from fakekafka.records.batch import Batch
from fakekafka.wire.codec import decode, encode_bytes
from fakekafka.wire.internal import consumer_group_records as shapes
from fakekafka.wire.internal import share_group_records as shared
from fakekafka.wire.internal import streams_group_records as streams
from fakekafka.wire.message import Message

from tests.golden.form import Labels

_PREFIX = 2
_TARGET = b"\0\7"
_MANY = 8
"""Ids that a broker makes up have more different characters; those of the recorded clients have fewer."""


def is_about_consumer_groups(batch: Batch) -> bool:
    """Whether the batch begins with a record that only such groups have."""
    first = next(iter(batch.records()), None)
    if first is None or first.key is None or len(first.key) < _PREFIX:
        return False
    return any(bytes(r.key or b"")[:_PREFIX] in _SHAPES for r in batch.records())


def comparable(batch: Batch, labels: Labels) -> bytes:
    """The records of `batch`."""
    rows = [(bytes(r.key or b""), _value(bytes(r.key or b""), r.value, labels)) for r in batch.records()]
    return b"".join(_sized(key) + _sized(value) for key, value in _in_order(rows, labels))


def _sized(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def _in_order(rows: list[tuple[bytes, bytes]], labels: Labels) -> list[tuple[bytes, bytes]]:
    """The records, with neighbouring target assignments of members sorted if a member's id is made up."""
    labelled = [(labels.in_bytes(key), value) for key, value in rows]
    start = 0
    while start < len(rows):
        end = start
        while end < len(rows) and rows[end][0].startswith(_TARGET):
            end += 1
        if any(_is_made_up(key) for key, _ in rows[start:end]):
            labelled[start:end] = sorted(labelled[start:end])
        start = end + 1
    return labelled


def _is_made_up(key: bytes) -> bool:
    found, _ = decode(shapes.ConsumerGroupTargetAssignmentMemberKey, 0, key, _PREFIX)
    return len(set(found.member_id)) > _MANY


def _value(key: bytes, value: bytes | None, labels: Labels) -> bytes:
    if value is None:
        return b"(tombstone)"
    found = _SHAPES.get(key[:_PREFIX])
    if found is None:
        return labels.in_bytes(value)
    shape, normalise = found
    message, end = decode(shape, 0, value, _PREFIX)
    assert end == len(value)
    as_it_was = encode_bytes(message, 0) == value[_PREFIX:]
    normalise(message, labels)
    rest = b"" if as_it_was else value[-4:]  # what is only written because it is null
    return labels.in_bytes(value[:_PREFIX] + encode_bytes(message, 0)) + rest


def _hash(message: Any, labels: Labels) -> None:
    if message.metadata_hash:
        message.metadata_hash = int.from_bytes(labels.of("H", message.metadata_hash).encode().ljust(8)[:8], "big")


def _topics(field: str) -> Callable[[Any, Labels], None]:
    def sort(message: Any, labels: Labels) -> None:
        rows = getattr(message, field)
        rows.sort(key=lambda row: labels.in_bytes(row.topic_id))

    return sort


def _current(message: Any, labels: Labels) -> None:
    _topics("assigned_partitions")(message, labels)
    _topics("partitions_pending_revocation")(message, labels)


def _pattern(message: Any, _: Labels) -> None:
    message.version = 0


def _nothing(message: Any, _: Labels) -> None:
    """Leave the value as it is."""


_SHAPES: dict[bytes, tuple[type[Message], Callable[[Any, Labels], None]]] = {
    b"\0\3": (shapes.ConsumerGroupMetadataValue, _hash),
    b"\0\4": (shapes.ConsumerGroupPartitionMetadataValue, _topics("topics")),
    b"\0\5": (shapes.ConsumerGroupMemberMetadataValue, _nothing),
    b"\0\6": (shapes.ConsumerGroupTargetAssignmentMetadataValue, _nothing),
    b"\0\7": (shapes.ConsumerGroupTargetAssignmentMemberValue, _topics("topic_partitions")),
    b"\0\10": (shapes.ConsumerGroupCurrentMemberAssignmentValue, _current),
    b"\0\13": (shared.ShareGroupMetadataValue, _hash),
    b"\0\15": (shared.ShareGroupTargetAssignmentMemberValue, _topics("topic_partitions")),
    b"\0\16": (shared.ShareGroupCurrentMemberAssignmentValue, _topics("assigned_partitions")),
    b"\0\20": (shapes.ConsumerGroupRegularExpressionValue, _pattern),
    b"\0\21": (streams.StreamsGroupMetadataValue, _hash),
    b"\0\23": (streams.StreamsGroupMemberMetadataValue, _nothing),
    b"\0\24": (streams.StreamsGroupTargetAssignmentMetadataValue, _nothing),
    b"\0\25": (streams.StreamsGroupTargetAssignmentMemberValue, _nothing),
    b"\0\26": (streams.StreamsGroupCurrentMemberAssignmentValue, _nothing),
    b"\0\27": (streams.StreamsGroupTopologyValue, _nothing),
}
"""By how the key begins, which is the type of the record."""
