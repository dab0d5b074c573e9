"""Records of `__consumer_offsets` that are not about classic groups or offsets (CoordinatorRecordSerde).

    key     int16 record type | key (version 0)
    value   int16 version, 0  | value

Which types there are say the modules of each kind of group.
"""

import struct
from collections.abc import Mapping
from typing import Final, TypeAlias

from fakekafka.errors import MalformedBytes
from fakekafka.wire.codec import decode, encode_bytes
from fakekafka.wire.message import Message

TypedRecord: TypeAlias = tuple[Message, Message | None]
Shapes: TypeAlias = tuple[type[Message], type[Message]]
"""Of the key and of the value."""
_PREFIX: Final = struct.Struct(">h")


def types_of(kinds: Mapping[int, Shapes]) -> dict[type[Message], int]:
    """The record type of each key's shape."""
    return {key: kind for kind, (key, _) in kinds.items()}


def to_bytes(types: Mapping[type[Message], int], record: TypedRecord) -> tuple[bytes, bytes | None]:
    """A record's key and value as they lie in the log; `types`: by the key's shape."""
    key, value = record
    data = None if value is None else _PREFIX.pack(0) + encode_bytes(value, 0)
    return _PREFIX.pack(types[type(key)]) + encode_bytes(key, 0), data


def from_bytes(kinds: Mapping[int, Shapes], kind: int, key: bytes, value: bytes | None) -> TypedRecord:
    """A record of one of `kinds`. Raises `MalformedBytes`."""
    key_shape, value_shape = kinds[kind]
    found = decode(key_shape, 0, key, _PREFIX.size)[0]
    if value is None:
        return found, None
    if len(value) < _PREFIX.size or _PREFIX.unpack_from(value)[0] != 0:
        raise MalformedBytes(f"a record of type {kind} in another version than 0")
    return found, decode(value_shape, 0, value, _PREFIX.size)[0]
