"""Records of `__consumer_offsets` that are not about classic groups or offsets (CoordinatorRecordSerde).

    key     int16 record type | key (version 0)
    value   int16 version, 0  | value

The modules of each kind of group list its types.
"""

import struct
from collections.abc import Mapping
from typing import Final, TypeAlias

from fakekafka.errors import MalformedBytes
from fakekafka.wire.codec import decode, encode_bytes
from fakekafka.wire.message import Message

KeyValue: TypeAlias = tuple[bytes, bytes | None]
"""A record as bytes, as in the log; a value of None is a tombstone."""
TypedRecord: TypeAlias = tuple[Message, Message | None]
CoordinatorRecord: TypeAlias = tuple[Message | bytes, Message | bytes | None]
"""A record as messages; or as bytes, if it is about a classic group."""
Shapes: TypeAlias = tuple[type[Message], type[Message]]
"""The messages of the key and of the value."""
_PREFIX: Final = struct.Struct(">h")


class RecordTypes:
    """The record types of one kind of group, by their numbers."""

    def __init__(self, shapes: Mapping[int, Shapes]) -> None:
        self._shapes = shapes
        self._types = {key: number for number, (key, _) in shapes.items()}

    @property
    def shapes(self) -> dict[int, Shapes]:
        """Key and value of each type."""
        return dict(self._shapes)

    def __contains__(self, number: int) -> bool:
        return number in self._shapes

    def encoded(self, record: CoordinatorRecord) -> KeyValue:
        """A record's key and value as bytes."""
        key, value = record
        if isinstance(key, bytes):
            assert not isinstance(value, Message)
            return key, value
        assert not isinstance(value, bytes)
        return _PREFIX.pack(self._types[type(key)]) + encode_bytes(key, 0), None if value is None else self.value(value)

    def value(self, value: Message) -> bytes:
        """The bytes of a value."""
        return _PREFIX.pack(0) + encode_bytes(value, 0)

    def decoded(self, number: int, key: bytes, value: bytes | None) -> TypedRecord:
        """A record of one of these types. Raises `MalformedBytes`."""
        key_shape, value_shape = self._shapes[number]
        typed_key = decode(key_shape, 0, key, _PREFIX.size)[0]
        if value is None:
            return typed_key, None
        if len(value) < _PREFIX.size or _PREFIX.unpack_from(value)[0] != 0:
            raise MalformedBytes(f"a record of type {number} in another version than 0")
        return typed_key, decode(value_shape, 0, value, _PREFIX.size)[0]


def group_of(record: TypedRecord) -> str:
    """The id of the group that a record is about."""
    group_id: str = record[0].group_id  # type: ignore[attr-defined]  # every key of these records has one
    return group_id
