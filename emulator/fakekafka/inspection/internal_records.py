"""What records of internal topics mean: `__consumer_offsets`, `__transaction_state`, the metadata log and so on.

A record that cannot be decoded is shown as its bytes: showing one never fails.
"""

from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from struct import Struct
from typing import Final, TypeAlias

from fakekafka.errors import MalformedBytes
from fakekafka.ids import TopicName
from fakekafka.inspection.row import Value
from fakekafka.records.record import Record
from fakekafka.wire import message as wire
from fakekafka.wire.codec import decode
from fakekafka.wire.internal import (
    cluster_metadata,
    consumer_offsets,
    control_records,
    share_group_state,
    transaction_state,
)
from fakekafka.wire.internal.consumer_protocol import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from fakekafka.wire.message import Message

Meaning: TypeAlias = dict[str, Value]
"""What a record means: `key` and `value`, each as the name of its kind with its fields."""

METADATA: Final = "__cluster_metadata"
_TYPE: Final = Struct(">h")
_MEMBER_BYTES: Final[Mapping[str, type[Message]]] = {
    "subscription": ConsumerProtocolSubscription,
    "assignment": ConsumerProtocolAssignment,
}
"""The fields of a consumer group's record whose bytes are themselves a message."""


def meaning(topic: TopicName, record: Record) -> Meaning | None:
    """What a record of an internal topic means; None for other topics, and for records that cannot be decoded."""
    read = READERS.get(topic)
    if read is None:
        return None
    try:
        return read(record)
    except MalformedBytes:
        return None


def control_meaning(record: Record) -> Meaning | None:
    """What a record of a control batch means."""
    try:
        version, kind = _two_numbers(record.key)
        value_type = control_records.RECORDS.get(kind)
        if value_type is None or record.value is None:
            return {"key": {"control": kind, "version": version}}
        name = {0: "ABORT", 1: "COMMIT"}.get(kind, value_type.__name__)
        return {"key": {"control": name}, "value": _versioned(value_type, record.value)}
    except MalformedBytes:
        return None


def _two_numbers(key: bytes | None) -> tuple[int, int]:
    if key is None or len(key) < 2 * _TYPE.size:
        raise MalformedBytes("a control record's key has four bytes")
    return _TYPE.unpack_from(key)[0], _TYPE.unpack_from(key, _TYPE.size)[0]


def _coordinator(records: Mapping[int, tuple[type[Message], type[Message]]]) -> Callable[[Record], Meaning]:
    """Reads records whose key begins with its type, and whose value with its version."""

    def read(record: Record) -> Meaning:
        if record.key is None or len(record.key) < _TYPE.size:
            raise MalformedBytes("a key without a type")
        (kind,) = _TYPE.unpack_from(record.key)
        if kind not in records:
            raise MalformedBytes(f"a key of type {kind}")
        key_type, value_type = records[kind]
        key = _decoded(key_type, 0, record.key, _TYPE.size)
        value = None if record.value is None else {value_type.__name__: _versioned(value_type, record.value)}
        return {"key": {key_type.__name__: key}, "value": value}

    return read


def _metadata(record: Record) -> Meaning:
    """A record of the metadata log: frame version, key, version, body (KIP-631)."""
    if record.value is None:
        raise MalformedBytes("a metadata record without a value")
    frame, at = _uvarint(record.value, 0)
    kind, at = _uvarint(record.value, at)
    version, at = _uvarint(record.value, at)
    record_type = cluster_metadata.RECORDS.get(kind)
    if frame != 1 or record_type is None:
        raise MalformedBytes(f"a metadata record of frame {frame}, key {kind}")
    return {"value": {record_type.__name__: _decoded(record_type, version, record.value, at), "version": version}}


def _uvarint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while at < len(data) and shift < 35:
        byte = data[at]
        number, shift, at = number | (byte & 0x7F) << shift, shift + 7, at + 1
        if byte < 0x80:
            return number, at
    raise MalformedBytes("a number that does not end")


def _versioned(kind: type[Message], data: bytes) -> Meaning:
    """A value that begins with its version."""
    if len(data) < _TYPE.size:
        raise MalformedBytes("a value without a version")
    (version,) = _TYPE.unpack_from(data)
    return _decoded(kind, version, data, _TYPE.size)


def _decoded(kind: type[Message], version: int, data: bytes, at: int) -> Meaning:
    if version not in kind.VERSIONS:
        raise MalformedBytes(f"{kind.__name__} has no version {version}")
    return _fields(decode(kind, version, data, at)[0], version)


def _fields(struct: wire.Struct, version: int) -> Meaning:
    """The fields that a message has in a version, including those of its structs."""
    has = (name for name, spec in type(struct).FIELDS.items() if version in spec.versions)
    return {name: _value(name, getattr(struct, name), version) for name in has}


def _value(name: str, value: Value, version: int) -> Value:
    if isinstance(value, wire.Struct):
        return _fields(value, version)
    if isinstance(value, list | tuple):
        return [_value(name, item, version) for item in value]
    if isinstance(value, bytes | bytearray | memoryview):
        return _bytes(name, bytes(value))
    return value


def _bytes(name: str, data: bytes) -> Value:
    if name in _MEMBER_BYTES and data:
        with suppress(MalformedBytes):
            return _versioned(_MEMBER_BYTES[name], data)
    return urlsafe_b64encode(data).decode().rstrip("=") if name.endswith("_id") else data


READERS: Final[Mapping[TopicName, Callable[[Record], Meaning]]] = {
    "__consumer_offsets": _coordinator(consumer_offsets.RECORDS),
    "__transaction_state": _coordinator(transaction_state.RECORDS),
    "__share_group_state": _coordinator(share_group_state.RECORDS),
    METADATA: _metadata,
}
"""The decoders by topic."""
