"""Messages <-> bytes: one reader and one writer per (message class, version), compiled on first use.

    bool        one byte                                        uuid     16 bytes
    intN        N/8 bytes, big endian                           float64  8 bytes, IEEE 754
                        not flexible                  flexible (KIP-482)
    string      int16 length, -1 null                 uvarint length + 1, 0 null
    binary      int32 length, -1 null                 uvarint length + 1, 0 null          (records likewise)
    array       int32 count, -1 null                  uvarint count + 1, 0 null
    struct      its fields one after the other        the same, then a tagged section
    struct | None   int8 -1 null, 1 present, then the struct; inside a tag: uvarint 0 null, 1 present
    tagged section  uvarint count, then per field uvarint tag, uvarint size, payload; ascending; defaults left out

Compiling gives closures, not source text: a reader is `(buffer, at) -> (value, at)`, a writer `(value, append) -> None`
where `append` takes pieces of bytes. Neighbouring fields of fixed width become one `struct` call; an array of
structs that have nothing else becomes one `iter_unpack`. Record bytes are never copied: readers give a `memoryview`,
writers pass the buffers on.

Whatever is wrong with the bytes, `decode` raises `MalformedBytes`. No claimed length or count allocates anything
before it has been compared with the bytes that are left.
"""

import struct
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

from fakekafka.binary import read_uvarint, uvarint
from fakekafka.errors import MalformedBytes
from fakekafka.ids import Buffer
from fakekafka.wire.message import NEVER, FieldSpec, Message, Struct

M = TypeVar("M", bound=Message)
Reader = Callable[[Buffer, int], tuple[Any, int]]
Append = Callable[[Buffer], None]
Writer = Callable[[Any, Append], None]

FORMATS = {"int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint16": "H", "uint32": "I", "float64": "d",
           "boolean": "?", "uuid": "16s"}  # fmt: skip


def decode(message: type[M], version: int, buffer: Buffer, at: int = 0) -> tuple[M, int]:
    """The message that starts at `at`, and the position behind it. Raises `MalformedBytes`."""
    try:
        value, end = reader(message, version)(buffer, at)  # type: ignore[arg-type]  # mypy: is a class hashable?
    except (IndexError, struct.error, UnicodeDecodeError) as e:
        raise MalformedBytes(f"{message.__name__} v{version}: {e}") from None
    if end > len(buffer):
        raise MalformedBytes(f"{message.__name__} v{version} ends {end - len(buffer)} bytes behind the buffer")
    return value, end


def encode(message: Message, version: int) -> list[Buffer]:
    """The message as pieces that follow each other; record bytes stay pieces of their own."""
    pieces: list[Buffer] = []
    writer(type(message), version)(message, pieces.append)  # type: ignore[arg-type]
    return pieces


def encode_bytes(message: Message, version: int) -> bytes:
    """The message in one piece."""
    return b"".join(encode(message, version))


@cache
def reader(message: type[Message], version: int) -> Reader:
    """The reader of `message` in `version`."""
    return _struct_reader(message, version, version in message.FLEXIBLE)


@cache
def writer(message: type[Message], version: int) -> Writer:
    """The writer of `message` in `version`."""
    return _struct_writer(message, version, version in message.FLEXIBLE)


# ---- the plan of a struct: runs of fixed-width fields between the others


def _steps(cls: type[Struct], version: int) -> list[list[str]]:
    """Names of the in-place fields in order; neighbours of fixed width stand in one list."""
    steps: list[list[str]] = []
    run: list[str] | None = None
    for name, spec in cls.FIELDS.items():
        if not spec.in_place(version):
            continue
        if spec.kind in FORMATS and not spec.is_array:
            if run is None:
                steps.append(run := [])
            run.append(name)
        else:
            steps.append([name])
            run = None
    return steps


def _run_format(cls: type[Struct], names: list[str]) -> struct.Struct | None:
    """The struct of a run; None when `names` is a single field that is not of fixed width."""
    specs = [cls.FIELDS[name] for name in names]
    if specs[0].is_array or specs[0].kind not in FORMATS:
        return None
    return struct.Struct(">" + "".join(FORMATS[spec.kind] for spec in specs))


def _tagged(cls: type[Struct], version: int) -> dict[int, str]:
    return {s.tag: name for name, s in cls.FIELDS.items() if s.tag is not None and version in s.tagged}


# ---- readers


def _struct_reader(cls: type[Struct], version: int, flexible: bool) -> Reader:
    plan = [(names, _run_format(cls, names)) for names in _steps(cls, version)]
    if not flexible and len(plan) == 1 and plan[0][1] is not None:
        return _fixed_struct_reader(cls, plan[0][0], plan[0][1])
    new = object.__new__
    steps = tuple(step for names, fixed in plan for step in _read_steps(cls, version, flexible, names, fixed))
    read_tags = _tags_reader(cls, version)

    def read(buffer: Buffer, at: int) -> tuple[Any, int]:
        value = new(cls)
        fields = value.__dict__
        for name, read_one, size in steps:
            if size:
                fields.update(zip(name, read_one(buffer, at)))
                at += size
            else:
                fields[name], at = read_one(buffer, at)
        return value, at

    def read_flexible(buffer: Buffer, at: int) -> tuple[Any, int]:  # the loop again: a call more costs 5 %
        value = new(cls)
        fields = value.__dict__
        for name, read_one, size in steps:
            if size:
                fields.update(zip(name, read_one(buffer, at)))
                at += size
            else:
                fields[name], at = read_one(buffer, at)
        return value, read_tags(buffer, at, fields) if buffer[at] else at + 1

    return read_flexible if flexible else read


def _read_steps(
    cls: type[Struct], version: int, flexible: bool, names: list[str], fixed: struct.Struct | None
) -> list[tuple[Any, Any, int]]:
    """[(name or names, reader, size)]: size is 0 for a reader of one field. Short runs are cheaper one by one."""
    if fixed is None:
        return [(names[0], _field_reader(cls.FIELDS[names[0]], version, flexible), 0)]
    if len(names) > 2:
        return [(tuple(names), fixed.unpack_from, fixed.size)]
    return [(name, _fixed_reader(FORMATS[cls.FIELDS[name].kind]), 0) for name in names]


def _fixed_reader(format_: str) -> Reader:
    fixed = struct.Struct(">" + format_)
    unpack, size = fixed.unpack_from, fixed.size

    def read(buffer: Buffer, at: int) -> tuple[Any, int]:
        return unpack(buffer, at)[0], at + size

    return read


def _fixed_struct_reader(cls: type[Struct], names: list[str], fixed: struct.Struct) -> Reader:
    new, unpack, size = object.__new__, fixed.unpack_from, fixed.size

    def read(buffer: Buffer, at: int) -> tuple[Any, int]:
        value = new(cls)
        value.__dict__.update(zip(names, unpack(buffer, at)))
        return value, at + size

    return read


def _field_reader(spec: FieldSpec, version: int, flexible: bool, in_tag: bool = False) -> Reader:
    """Reader of one field that is not of fixed width, or of any field inside a tag."""
    nullable = version in spec.nullable
    compact = flexible and version not in spec.fixed_length
    if spec.is_array:
        return _array_reader(spec, version, flexible, nullable)
    if spec.kind in FORMATS:
        return _fixed_reader(FORMATS[spec.kind])
    if spec.kind == "struct":
        assert spec.struct is not None
        read = _struct_reader(spec.struct, version, flexible)
        return _nullable_struct_reader(read, in_tag) if nullable else read
    if spec.kind == "string":
        return _string_reader(compact, nullable)
    return _binary_reader(compact, nullable, memoryview if spec.kind == "records" else bytes)


def _string_reader(compact: bool, nullable: bool) -> Reader:
    unpack = struct.Struct(">h").unpack_from

    def read_compact(buffer: Buffer, at: int) -> tuple[Any, int]:
        length = buffer[at]
        if length < 0x80:
            at += 1
        else:
            length, at = read_uvarint(buffer, at)
        if not length:
            return _null(nullable, "string"), at
        end = at + length - 1
        if end > len(buffer):
            raise _too_long("string", length - 1)
        return str(buffer[at:end], "utf-8"), end

    def read(buffer: Buffer, at: int) -> tuple[Any, int]:
        length: int = unpack(buffer, at)[0]
        at += 2
        if length < 0:
            return _null(nullable, "string", length), at
        end = at + length
        if end > len(buffer):
            raise _too_long("string", length)
        return str(buffer[at:end], "utf-8"), end

    return read_compact if compact else read


def _binary_reader(compact: bool, nullable: bool, keep: Callable[[Any], Any]) -> Reader:
    """`keep`: `bytes` copies, `memoryview` only points into the frame."""
    unpack = struct.Struct(">i").unpack_from

    def read(buffer: Buffer, at: int) -> tuple[Any, int]:
        if compact:
            length, at = read_uvarint(buffer, at)
            length -= 1
        else:
            length = unpack(buffer, at)[0]
            at += 4
        if length < 0:
            return _null(nullable, "bytes", length), at
        end = at + length
        if end > len(buffer):
            raise _too_long("bytes", length)
        view = memoryview(buffer)[at:end]
        return view if keep is memoryview else keep(view), end

    return read


def _null(nullable: bool, what: str, length: int = -1) -> Any:
    """None, where it is legal."""
    if length < -1:
        raise MalformedBytes(f"{what} of length {length}")
    if not nullable:
        raise MalformedBytes(f"null where {what} must be")
    return None


def _too_long(what: str, length: int) -> MalformedBytes:
    return MalformedBytes(f"{what} of {length} bytes is longer than what is left")


def _array_reader(spec: FieldSpec, version: int, flexible: bool, nullable: bool) -> Reader:
    if spec.kind in FORMATS:
        return _counted(_numbers_reader(FORMATS[spec.kind]), flexible, nullable)
    if spec.struct is not None and not flexible:
        steps = _steps(spec.struct, version)
        if len(steps) == 1 and (fixed := _run_format(spec.struct, steps[0])) is not None:
            return _counted(_fixed_structs_reader(spec.struct, steps[0], fixed), flexible, nullable)
    element = spec._replace(is_array=False, nullable=NEVER)
    return _counted(_each_reader(_field_reader(element, version, flexible)), flexible, nullable)


def _counted(read_all: Callable[[Buffer, int, int], tuple[list[Any], int]], compact: bool, nullable: bool) -> Reader:
    """Reads a count, then that many elements."""
    unpack = struct.Struct(">i").unpack_from

    def read(buffer: Buffer, at: int) -> tuple[Any, int]:
        if not compact:
            count: int = unpack(buffer, at)[0]
            at += 4
        elif (count := buffer[at] - 1) < 0x7F:
            at += 1
        else:
            count, at = read_uvarint(buffer, at)
            count -= 1
        if count < 0:
            return _null(nullable, "array", count), at
        if count > len(buffer) - at:  # no element is shorter than one byte
            raise MalformedBytes(f"array of {count} elements is longer than what is left")
        return read_all(buffer, at, count)

    return read


def _each_reader(read_one: Reader) -> Callable[[Buffer, int, int], tuple[list[Any], int]]:
    def read(buffer: Buffer, at: int, count: int) -> tuple[list[Any], int]:
        if count == 1:  # most arrays of most requests
            value, at = read_one(buffer, at)
            return [value], at
        out = []
        for _ in range(count):
            value, at = read_one(buffer, at)
            out.append(value)
        return out, at

    return read


def _numbers_reader(format_: str) -> Callable[[Buffer, int, int], tuple[list[Any], int]]:
    size = struct.calcsize(">" + format_)
    whole_array = format_ != "16s"

    def read(buffer: Buffer, at: int, count: int) -> tuple[list[Any], int]:
        if whole_array:
            return list(struct.unpack_from(f">{count}{format_}", buffer, at)), at + size * count
        end = at + size * count
        if end > len(buffer):
            raise _too_long("array", size * count)
        return [bytes(buffer[i : i + size]) for i in range(at, end, size)], end

    return read


def _fixed_structs_reader(
    cls: type[Struct], names: list[str], fixed: struct.Struct
) -> Callable[[Buffer, int, int], tuple[list[Any], int]]:
    new, iter_unpack, size = object.__new__, fixed.iter_unpack, fixed.size

    def read(buffer: Buffer, at: int, count: int) -> tuple[list[Any], int]:
        end = at + size * count
        if end > len(buffer):
            raise _too_long("array", size * count)
        out = []
        for values in iter_unpack(memoryview(buffer)[at:end]):
            value = new(cls)
            value.__dict__.update(zip(names, values))
            out.append(value)
        return out, end

    return read


def _nullable_struct_reader(read: Reader, in_tag: bool) -> Reader:
    def read_nullable(buffer: Buffer, at: int) -> tuple[Any, int]:
        mark = buffer[at]
        if mark == 1:
            return read(buffer, at + 1)
        if mark == (0 if in_tag else 0xFF):
            return None, at + 1
        raise MalformedBytes(f"{mark} where a struct or null must start")

    return read_nullable


def _tags_reader(cls: type[Struct], version: int) -> Callable[[Buffer, int, dict[str, Any]], int]:
    readers = {
        tag: (name, _field_reader(cls.FIELDS[name], version, True, in_tag=True))
        for tag, name in _tagged(cls, version).items()
    }
    known = {s.tag for s in cls.FIELDS.values()}

    def read_tags(buffer: Buffer, at: int, fields: dict[str, Any]) -> int:
        count, at = read_uvarint(buffer, at)
        for _ in range(count):
            tag, at = read_uvarint(buffer, at)
            size, at = read_uvarint(buffer, at)
            end = at + size
            if end > len(buffer):
                raise _too_long("tagged field", size)
            if tag in readers:
                name, read = readers[tag]
                fields[name], stop = read(buffer, at)
                if stop != end:
                    raise MalformedBytes(f"tag {tag} has {size} bytes, its value {stop - at}")
            elif tag in known:  # as Kafka's generated readers: a known tag outside its versions is an error
                raise MalformedBytes(f"tag {tag} does not belong into version {version}")
            at = end
        return at

    return read_tags


# ---- writers


def _struct_writer(cls: type[Struct], version: int, flexible: bool) -> Writer:
    steps = tuple(_write_step(cls, version, flexible, names) for names in _steps(cls, version))
    tags = _tagged(cls, version)
    write_tags = _tags_writer(cls, version, tags) if tags else None

    def write(value: Any, append: Append) -> None:
        for get, pack, write_one in steps:
            if pack is None:
                write_one(get(value), append)
            else:
                append(pack(*get(value)))
        if write_tags is not None:
            write_tags(value, append)
        elif flexible:
            append(b"\0")

    return write


def _write_step(cls: type[Struct], version: int, flexible: bool, names: list[str]) -> tuple[Any, Any, Any]:
    """(getter, packer of the values got or None, writer of the one value got or None)."""
    fixed = _run_format(cls, names)
    if fixed is None:
        return attrgetter(names[0]), None, _field_writer(cls.FIELDS[names[0]], version, flexible)
    if len(names) == 1:
        pack = fixed.pack
        return attrgetter(names[0]), None, lambda value, append: append(pack(value))
    return attrgetter(*names), fixed.pack, None


def _field_writer(spec: FieldSpec, version: int, flexible: bool, in_tag: bool = False) -> Writer:
    nullable = version in spec.nullable
    compact = flexible and version not in spec.fixed_length
    if spec.is_array:
        return _array_writer(spec, version, flexible, nullable)
    if spec.kind in FORMATS:
        pack = struct.Struct(">" + FORMATS[spec.kind]).pack
        return lambda value, append: append(pack(value))
    if spec.kind == "struct":
        assert spec.struct is not None
        write = _struct_writer(spec.struct, version, flexible)
        return _nullable_struct_writer(write, in_tag) if nullable else write
    if spec.kind == "string":
        return _string_writer(compact, nullable)
    if spec.kind == "records":
        return _records_writer(compact)
    return _binary_writer(compact, nullable)


def _length(compact: bool, format_: str) -> Callable[[int], bytes]:
    pack = struct.Struct(format_).pack
    return (lambda n: uvarint(n + 1)) if compact else pack


def _string_writer(compact: bool, nullable: bool) -> Writer:
    length = _length(compact, ">h")

    def write(value: Any, append: Append) -> None:
        if value is None:
            append(length(_minus_one(nullable, "string")))
            return
        data = value.encode()
        append(length(len(data)) + data)

    return write


def _binary_writer(compact: bool, nullable: bool) -> Writer:
    length = _length(compact, ">i")

    def write(value: Any, append: Append) -> None:
        if value is None:
            append(length(_minus_one(nullable, "bytes")))
            return
        append(length(len(value)))
        append(value)

    return write


def _records_writer(compact: bool) -> Writer:
    """Brokers answer null records also where the definition does not allow them, so null is always written."""
    length = _length(compact, ">i")

    def write(value: Any, append: Append) -> None:
        if value is None:
            append(length(-1))
        elif isinstance(value, list):
            append(length(sum(map(len, value))))
            for buffer in value:
                append(buffer)
        else:
            append(length(len(value)))
            append(value)

    return write


def _minus_one(nullable: bool, what: str) -> int:
    if not nullable:
        raise TypeError(f"null where {what} must be")
    return -1


def _array_writer(spec: FieldSpec, version: int, flexible: bool, nullable: bool) -> Writer:
    length = _length(flexible, ">i")
    if spec.kind in FORMATS and spec.kind != "uuid":
        format_ = FORMATS[spec.kind]
        write_all: Writer = lambda value, append: append(struct.pack(f">{len(value)}{format_}", *value))  # noqa: E731
    else:
        write_all = _each(_field_writer(spec._replace(is_array=False, nullable=NEVER), version, flexible))

    def write(value: Any, append: Append) -> None:
        if value is None:
            append(length(_minus_one(nullable, "array")))
            return
        append(length(len(value)))
        write_all(value, append)

    return write


def _each(write_one: Writer) -> Writer:
    def write(value: Any, append: Append) -> None:
        for element in value:
            write_one(element, append)

    return write


def _nullable_struct_writer(write: Writer, in_tag: bool) -> Writer:
    null = b"\0" if in_tag else b"\xff"

    def write_nullable(value: Any, append: Append) -> None:
        if value is None:
            append(null)
        else:
            append(b"\1")
            write(value, append)

    return write_nullable


def _tags_writer(cls: type[Struct], version: int, tags: dict[int, str]) -> Writer:
    writers = [
        (uvarint(tag), name, cls.FIELDS[name].default, _field_writer(cls.FIELDS[name], version, True, in_tag=True))
        for tag, name in sorted(tags.items())
    ]

    def write_tags(value: Any, append: Append) -> None:
        present = [
            (t, getattr(value, n), w) for t, n, default, w in writers if not _is_default(getattr(value, n), default)
        ]
        append(uvarint(len(present)))
        for tag, field_value, write in present:
            pieces: list[Buffer] = []
            write(field_value, pieces.append)
            payload = b"".join(pieces)
            append(tag + uvarint(len(payload)) + payload)

    return write_tags


def _is_default(value: Any, default: Any) -> bool:
    return value is default or bool(value == default) or (default == () and value == [])
