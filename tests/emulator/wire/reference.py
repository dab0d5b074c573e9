"""A second encoder: slow, plain, made from the facts instead of our classes. The codec must write the same bytes."""

import struct
from typing import Any

from tests.emulator.wire.facts import Fact, has, messages, snake

FIXED = {"bool": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint16": "H", "uint32": "I",
         "float64": "d", "uuid": "16s"}  # fmt: skip

UNKNOWN_TAGS = ((9999, b"\x00\x01\x02"), (2**31 - 1, b""))


def encode(name: str, version: int, message: Any, unknown_tags: bool = False) -> bytes:
    """`message` as bytes. With `unknown_tags`, each tagged section ends with two tags that no release knows."""
    fact = messages()[name]
    return _struct(fact["fields"], version, message, has(fact, "flexible", version), unknown_tags)


def _struct(fields: list[Fact], version: int, value: Any, flexible: bool, unknown_tags: bool) -> bytes:
    out = b""
    tagged = []
    for fact in fields:
        if not has(fact, "versions", version):
            continue
        own = getattr(value, snake(fact["name"]))
        if has(fact, "tagged", version):
            payload = _field(fact, version, own, flexible, unknown_tags, in_tag=True)
            if not _is_default(fact, own):
                tagged.append((fact["tag"], payload))
        else:
            out += _field(fact, version, own, flexible, unknown_tags)
    if flexible:
        tagged += UNKNOWN_TAGS if unknown_tags else ()
        out += uvarint(len(tagged))
        for tag, payload in sorted(tagged):
            out += uvarint(tag) + uvarint(len(payload)) + payload
    return out


def _field(fact: Fact, version: int, value: Any, flexible: bool, unknown_tags: bool, in_tag: bool = False) -> bytes:
    compact = flexible and not has(fact, "strict", version)
    type_: str = fact["type"]
    if type_.startswith("[]"):
        element = {**fact, "type": type_[2:], "nullable": "none"}
        count = _length(None if value is None else len(value), compact, ">i")
        return count + b"".join(_field(element, version, v, flexible, unknown_tags) for v in value or ())
    if type_ == "{}":
        if not has(fact, "nullable", version):
            return _struct(fact["fields"], version, value, flexible, unknown_tags)
        if value is None:
            return b"\0" if in_tag else b"\xff"
        return b"\1" + _struct(fact["fields"], version, value, flexible, unknown_tags)
    if type_ in FIXED:
        return struct.pack(">" + FIXED[type_], value)
    data = value.encode() if isinstance(value, str) else b"".join(value) if isinstance(value, list) else value
    length = _length(None if data is None else len(data), compact, ">h" if type_ == "string" else ">i")
    return length + bytes(data or b"")


def _is_default(fact: Fact, value: Any) -> bool:
    if "default" in fact and fact["type"] not in ("uuid", "{}"):
        return bool(value == fact["default"])
    if fact["type"] == "{}":
        if value is None or has(fact, "nullable", 0) or "default" in fact:
            return value is None
        return all(_is_default(inner, getattr(value, snake(inner["name"]))) for inner in fact["fields"])
    return value is not None and (value == bytes(16) if fact["type"] == "uuid" else not value)


def _length(length: int | None, compact: bool, format_: str) -> bytes:
    if compact:
        return uvarint(0 if length is None else length + 1)
    return struct.pack(format_, -1 if length is None else length)


def uvarint(value: int) -> bytes:
    out = []
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
