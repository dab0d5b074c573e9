"""Messages as plain data, dicts and lists as JSON has them, and back: for people, journals and stories.

Bytes are `{"$hex": "…"}`. A field that a version does not have is left out.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from fakekafka.errors import UsageError
from fakekafka.pieces import buffers
from fakekafka.wire.message import FieldSpec, Struct

Plain: TypeAlias = dict[str, Any]
HEX = "$hex"


def to_plain(message: Struct, version: int) -> Plain:
    """The fields of a message in `version`."""
    fields = message.FIELDS.items()
    return {name: _plain(getattr(message, name), version) for name, spec in fields if version in spec.versions}


def from_plain(cls: type[Struct], fields: Mapping[str, object]) -> Any:
    """An instance of `cls` with these fields, the others with their defaults. Raises `UsageError` for unknown names."""
    for name in fields:
        if name not in cls.FIELDS:
            raise UsageError(f"{cls.__name__} has no field {name!r}; it has {', '.join(cls.FIELDS)}")
    return cls(**{name: _value(cls.FIELDS[name], value) for name, value in fields.items()})


def _plain(value: Any, version: int) -> Any:
    if isinstance(value, Struct):
        return to_plain(value, version)
    if isinstance(value, bytes | bytearray | memoryview):
        return {HEX: bytes(value).hex()}
    if isinstance(value, list) and value and not isinstance(value[0], Struct | int | str | list | tuple):
        return {HEX: b"".join(bytes(piece) for piece in buffers(value)).hex()}  # records in pieces
    if isinstance(value, list | tuple):
        return [_plain(one, version) for one in value]
    return value


def _value(spec: FieldSpec, value: Any) -> Any:
    if spec.is_array and value is not None and not isinstance(value, Mapping):
        return [_value(spec._replace(is_array=False), one) for one in value]
    if isinstance(value, Mapping):
        return bytes.fromhex(value[HEX]) if HEX in value else from_plain(_struct(spec), value)
    return value


def _struct(spec: FieldSpec) -> type[Struct]:
    if spec.struct is None:
        raise UsageError(f"a {spec.kind} is not a group of fields")
    return spec.struct
