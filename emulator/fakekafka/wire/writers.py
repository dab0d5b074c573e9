"""Structs -> bytes: the half of the codec that encodes. The encodings are described in `codec.py`.

A *writer* takes a struct and gives pieces of bytes to `append`: one or a few neighbouring fields each, so that a struct
is the list of its writers. Record bytes are passed on as they are, never copied. Writers are closures, made once per
(class, version).

A value that does not fit its field raises `struct.error`, `ValueError`, `TypeError` or `AttributeError`: a defect of
the caller. One defect goes unnoticed: a uuid that is not 16 bytes long.
"""

import struct
from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, TypeAlias

from fakekafka.binary import uvarint
from fakekafka.ids import Buffer
from fakekafka.pieces import Piece, joined
from fakekafka.wire.layout import FORMATS, MAX_STRING, Run, in_place, is_compact, tagged
from fakekafka.wire.message import FieldSpec, Struct

Append: TypeAlias = Callable[[Piece], object]
Writer: TypeAlias = Callable[[Any, Append], None]
Get: TypeAlias = Callable[[Any], Any]

_INT16 = struct.Struct(">h").pack
_INT32 = struct.Struct(">i").pack
_UUID = struct.Struct("16s").pack
_PLUS_ONE = tuple(bytes([n + 1]) for n in range(0x7F))
"""Compact lengths of one byte."""


def struct_writer(cls: type[Struct], version: int, flexible: bool) -> Writer:
    """The writer of one `cls`."""
    writers = struct_writers(cls, version, flexible)
    if len(writers) == 1:
        return writers[0]

    def write(value: Any, append: Append) -> None:
        for write_part in writers:
            write_part(value, append)

    return write


def struct_writers(cls: type[Struct], version: int, flexible: bool) -> tuple[Writer, ...]:
    """The writers of a struct's parts: those that `in_place` lists, in their order, then that of its tagged section."""
    parts = in_place(cls, version)
    tags = tagged(cls, version)
    last = len(parts) - 1
    # An empty tagged section is one zero byte, which a run before it takes in as a pad byte.
    padded = flexible and not tags and isinstance(parts[-1] if parts else None, Run)
    writers = [
        _run(part, "x" if padded and n == last else "")
        if isinstance(part, Run)
        else _field(part, cls.FIELDS[part], version, flexible)
        for n, part in enumerate(parts)
    ]
    if flexible and not padded:
        writers.append(_tags(cls, version, tags) if tags else _no_tags)
    return tuple(writers)


def _field(name: str, spec: FieldSpec, version: int, flexible: bool, in_tag: bool = False) -> Writer:
    """The writer of one field."""
    nullable = version in spec.nullable
    compact = is_compact(spec, version, flexible)
    get = attrgetter(name)
    if spec.is_array:
        return _array(get, name, spec, version, flexible, nullable)
    match spec.kind:
        case "struct":
            assert spec.struct is not None
            write = struct_writer(spec.struct, version, flexible)
            return _nullable_struct(get, write, in_tag) if nullable else _struct(get, write)
        case "string":
            return _string(get, name, compact, nullable)
        case "binary":
            return _binary(get, name, compact, nullable)
        case "records":
            return _records(get, compact)
        case kind:
            return _run(Run((name,), FORMATS[kind]), "")


def _run(run: Run, padding: str) -> Writer:
    pack = run.packer(padding).pack
    get: Get = attrgetter(*run.names)  # one value, or a tuple of several

    def write_one(value: Any, append: Append) -> None:
        append(pack(get(value)))

    def write_many(value: Any, append: Append) -> None:
        append(pack(*get(value)))

    return write_one if len(run.names) == 1 else write_many


# ---- strings and bytes


def _string(get: Get, name: str, compact: bool, nullable: bool) -> Writer:
    def write(value: Any, append: Append) -> None:
        text = get(value)
        if text is None:
            append(_null(name, nullable, b"\0" if compact else b"\xff\xff"))
            return
        data = text.encode()
        length = len(data)
        if not compact:
            append(_INT16(length) + data)
        elif length < 0x7F:
            append(_PLUS_ONE[length] + data)
        elif length <= MAX_STRING:
            append(uvarint(length + 1) + data)
        else:
            raise ValueError(f"{name} has {length} bytes: a string has at most {MAX_STRING}")

    return write


def _binary(get: Get, name: str, compact: bool, nullable: bool) -> Writer:
    def write(value: Any, append: Append) -> None:
        data = get(value)
        if data is None:
            append(_null(name, nullable, b"\0" if compact else b"\xff\xff\xff\xff"))
            return
        append(uvarint(len(data) + 1) if compact else _INT32(len(data)))
        append(data)

    return write


def _records(get: Get, compact: bool) -> Writer:
    """Brokers answer with null records even where the definition does not allow them, so null can always be written."""

    def write(value: Any, append: Append) -> None:
        records = get(value)
        if records is None:
            append(b"\0" if compact else b"\xff\xff\xff\xff")
            return
        several = isinstance(records, list)
        size = sum(map(len, records)) if several else len(records)
        append(uvarint(size + 1) if compact else _INT32(size))
        if several:
            for piece in records:
                append(piece)
        else:
            append(records)

    return write


def _null(name: str, nullable: bool, encoded: bytes) -> bytes:
    if not nullable:
        raise TypeError(f"{name} must not be null")
    return encoded


# ---- structs in structs, arrays


def _struct(get: Get, write_struct: Writer) -> Writer:
    def write(value: Any, append: Append) -> None:
        write_struct(get(value), append)

    return write


def _nullable_struct(get: Get, write_struct: Writer, in_tag: bool) -> Writer:
    null = b"\0" if in_tag else b"\xff"

    def write(value: Any, append: Append) -> None:
        inner = get(value)
        if inner is None:
            append(null)
            return
        append(b"\1")
        write_struct(inner, append)

    return write


def _array(get: Get, name: str, spec: FieldSpec, version: int, flexible: bool, nullable: bool) -> Writer:
    match spec.kind:
        case "struct":
            assert spec.struct is not None
            run = _only_run(spec.struct, version, flexible)
            if run is not None:
                return _runs(get, name, *run, flexible, nullable)
            writers = struct_writers(spec.struct, version, flexible)
        case "string":
            writers = (_string(_itself, name, flexible, nullable=False),)
        case "uuid":
            writers = (_uuid,)
        case "binary" | "records":
            raise TypeError(f"no message has an array of {spec.kind}")
        case kind:
            return _numbers(get, name, FORMATS[kind], flexible, nullable)

    def write(value: Any, append: Append) -> None:
        values = get(value)
        if values is None:
            append(_null(name, nullable, b"\0" if flexible else b"\xff\xff\xff\xff"))
            return
        count = len(values)
        append(_INT32(count) if not flexible else _PLUS_ONE[count] if count < 0x7F else uvarint(count + 1))
        last = again = None
        for element in values:
            if element is last:
                again = again or written(writers, element)
                append(again)
                continue
            last, again = element, None
            for write_part in writers:
                write_part(element, append)

    return write


def array_count(count: int, compact: bool) -> bytes:
    """What stands before the elements of an array."""
    return uvarint(count + 1) if compact else _INT32(count)


def _only_run(cls: type[Struct], version: int, flexible: bool) -> tuple[Run, str] | None:
    """The run that is all of a struct, and its padding, if there is nothing else in it."""
    parts = in_place(cls, version)
    if len(parts) != 1 or not isinstance(parts[0], Run) or (flexible and tagged(cls, version)):
        return None
    return parts[0], "x" if flexible else ""


def _runs(get: Get, name: str, run: Run, padding: str, compact: bool, nullable: bool) -> Writer:
    """The writer of an array of structs that are a run each: all of them in one piece."""
    pack = run.packer(padding).pack
    several = len(run.names) > 1
    get_run: Get = attrgetter(*run.names)

    def write(value: Any, append: Append) -> None:
        values = get(value)
        if values is None:
            append(_null(name, nullable, b"\0" if compact else b"\xff\xff\xff\xff"))
            return
        append(uvarint(len(values) + 1) if compact else _INT32(len(values)))
        runs = map(get_run, values)
        append(b"".join([pack(*run) for run in runs] if several else map(pack, runs)))

    return write


def written(writers: Sequence[Writer], element: Any) -> Buffer:
    """An element in one piece, for arrays that have it more than once: 1,000 equal elements share one buffer."""
    pieces: list[Piece] = []
    for write_part in writers:
        write_part(element, pieces.append)
    return joined(pieces)


def _numbers(get: Get, name: str, format_: str, compact: bool, nullable: bool) -> Writer:
    short = _short_arrays(format_, compact)

    def write(value: Any, append: Append) -> None:
        values = get(value)
        if values is None:
            append(_null(name, nullable, b"\0" if compact else b"\xff\xff\xff\xff"))
            return
        count = len(values)
        if count < len(short):
            append(short[count](count + compact, *values))
        else:
            length = uvarint(count + 1) if compact else _INT32(count)
            append(length + struct.pack(f">{count}{format_}", *values))

    return write


@cache
def _short_arrays(format_: str, compact: bool) -> tuple[Callable[..., bytes], ...]:
    """Packers of a count and that many numbers: nearly all arrays are short (replicas, in-sync replicas)."""
    return tuple(struct.Struct(f">{'B' if compact else 'i'}{n}{format_}").pack for n in range(10))


def _uuid(value: bytes, append: Append) -> None:
    append(_UUID(value))


def _itself(value: Any) -> Any:
    return value


# ---- the tagged section


def _no_tags(_: Any, append: Append) -> None:
    append(b"\0")


def _tags(cls: type[Struct], version: int, tags: Sequence[tuple[int, str]]) -> Writer:
    get_all: Get = attrgetter(*(name for _, name in tags))  # one value, or a tuple of several
    fields = [
        (uvarint(tag), attrgetter(name), cls.FIELDS[name].default, _field(name, cls.FIELDS[name], version, True, True))
        for tag, name in tags
    ]
    defaults = fields[0][2] if len(fields) == 1 else tuple(default for _, _, default, _ in fields)

    def write(value: Any, append: Append) -> None:
        values = get_all(value)
        if values is defaults or values == defaults:  # comparing tuples checks identity first: defaults are shared
            append(b"\0")
            return
        present = [
            tag + _with_size(value, write_field)
            for tag, get, default, write_field in fields
            if not _is_default(get(value), default)
        ]
        append(uvarint(len(present)) + b"".join(present))

    return write


def _with_size(value: Any, write: Writer) -> bytes:
    pieces: list[Piece] = []
    write(value, pieces.append)
    payload = joined(pieces)
    return uvarint(len(payload)) + payload


def _is_default(value: Any, default: Any) -> bool:
    return value is default or bool(value == default) or (default == () and value == [])
