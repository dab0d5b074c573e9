"""Bytes -> structs: the half of the codec that decodes. The encodings are described in `codec.py`.

A *step* reads one or a few neighbouring fields at a position, puts them into the instance's dictionary and returns
the position after them; a struct is the list of its steps. Steps are closures, made once per (class, version), and
the loop that runs them is all that happens per message: this is the hot path of every request.

Malformed bytes raise `MalformedBytes`, `IndexError` or `struct.error`; `codec.decode` turns each into `MalformedBytes`.
A claimed length or count is compared with the bytes that are left before anything is allocated.

In details that clients get wrong, the steps do what Kafka's generated readers do: every negative length is null, bytes
that are not UTF-8 become U+FFFD, any byte but 0 is true, unknown tags are skipped, and a tag that the version does not
have is refused. The readers before them (`strict`) fail at a negative compact count.

The file is long because structs have arrays, and arrays have structs: two files would import each other.
"""

import struct
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from fakekafka.binary import read_uvarint
from fakekafka.errors import MalformedBytes
from fakekafka.ids import Buffer
from fakekafka.wire.layout import FORMATS, MAX_STRING, Run, in_place, is_compact, tagged
from fakekafka.wire.message import NEVER, FieldSpec, Struct

Fields: TypeAlias = dict[str, Any]
Reader: TypeAlias = Callable[[Buffer, int], tuple[Any, int]]
FieldReader: TypeAlias = Callable[[Buffer, int, Fields], int]

_INT16 = struct.Struct(">h").unpack_from
_LARGEST: Final = 1 << 31
"""The largest compact length or count, which is written plus one."""
_NEGATIVE: Final = (1 << 32) + 1
"""What makes a larger one the negative number that Java reads, which is null like any other."""
_INT32 = struct.Struct(">i").unpack_from


def struct_reader(cls: type[Struct], version: int, flexible: bool, strict: bool = False) -> Reader:
    """The reader of one `cls`. `strict`: a negative compact count is an error, and not null."""
    new = object.__new__
    steps = _steps(cls, version, flexible, strict)
    read_tags = tags_reader(cls, version, strict)

    def read(buffer: Buffer, at: int) -> tuple[Any, int]:
        value = new(cls)
        fields = value.__dict__
        for step in steps:
            at = step(buffer, at, fields)
        return value, at

    def read_flexible(buffer: Buffer, at: int) -> tuple[Any, int]:
        value = new(cls)
        fields = value.__dict__
        for step in steps:
            at = step(buffer, at, fields)
        return value, read_tags(buffer, at, fields) if buffer[at] else at + 1

    return read_flexible if flexible else read


def _steps(cls: type[Struct], version: int, flexible: bool, strict: bool) -> tuple[FieldReader, ...]:
    return tuple(
        run_reader(part) if isinstance(part, Run) else field_reader(part, cls.FIELDS[part], version, flexible, strict)
        for part in in_place(cls, version)
    )


def field_reader(
    name: str, spec: FieldSpec, version: int, flexible: bool, strict: bool, in_tag: bool = False
) -> FieldReader:
    """The step that reads one field."""
    nullable = version in spec.nullable
    compact = is_compact(spec, version, flexible)
    if spec.is_array:
        return _array(name, spec, version, flexible, strict)
    match spec.kind:
        case "struct":
            assert spec.struct is not None
            read = struct_reader(spec.struct, version, flexible, strict)
            return _nullable_struct(name, read, in_tag) if nullable else _struct(name, read)
        case "string":
            return (_compact_string if compact else _string)(name, nullable)
        case "binary":
            return _binary(name, compact, nullable, copy=True)
        case "records":
            return _binary(name, compact, nullable, copy=False)
        case kind:
            return run_reader(Run((name,), FORMATS[kind]))


# ---- fields of fixed width


def run_reader(run: Run) -> FieldReader:
    packer = run.packer()
    unpack, size, names = packer.unpack_from, packer.size, run.names
    first, second = names[0], names[-1]

    def read_one(buffer: Buffer, at: int, fields: Fields) -> int:
        (fields[first],) = unpack(buffer, at)
        return at + size

    def read_two(buffer: Buffer, at: int, fields: Fields) -> int:
        fields[first], fields[second] = unpack(buffer, at)
        return at + size

    def read_many(buffer: Buffer, at: int, fields: Fields) -> int:
        for name, value in zip(names, unpack(buffer, at)):  # half the time of dict.update
            fields[name] = value
        return at + size

    return {1: read_one, 2: read_two}.get(len(names), read_many)


# ---- strings and bytes


def _string(name: str, nullable: bool) -> FieldReader:
    def read(buffer: Buffer, at: int, fields: Fields) -> int:
        (length,) = _INT16(buffer, at)
        at += 2
        if length < 0:
            fields[name] = _null(name, nullable)
            return at
        end: int = at + length
        if end > len(buffer):
            raise _too_long(name, length)
        fields[name] = str(buffer[at:end], "utf-8", "replace")
        return end

    return read


def _compact_string(name: str, nullable: bool) -> FieldReader:
    def read(buffer: Buffer, at: int, fields: Fields) -> int:
        length, at = buffer[at] - 1, at + 1
        if length >= 0x7F:
            length, at = _long_length(buffer, at - 1)
            if length > MAX_STRING:
                raise _too_long(name, length)
        if length < 0:
            fields[name] = _null(name, nullable)
            return at
        end = at + length
        if end > len(buffer):
            raise _too_long(name, length)
        fields[name] = str(buffer[at:end], "utf-8", "replace")
        return end

    return read


def _binary(name: str, compact: bool, nullable: bool, copy: bool) -> FieldReader:
    """`copy`: values are copies; otherwise they point into the frame."""

    def read(buffer: Buffer, at: int, fields: Fields) -> int:
        if compact:
            length, at = read_uvarint(buffer, at)
            length -= 1 if length <= _LARGEST else _NEGATIVE
        else:
            (length,) = _INT32(buffer, at)
            at += 4
        if length < 0:
            fields[name] = _null(name, nullable)
            return at
        end = at + length
        if end > len(buffer):
            raise _too_long(name, length)
        fields[name] = bytes(buffer[at:end]) if copy else memoryview(buffer)[at:end]
        return end

    return read


def _long_length(buffer: Buffer, at: int) -> tuple[int, int]:
    """A compact length or count, which is written plus one, and the position after it."""
    length, at = read_uvarint(buffer, at)
    return length - (1 if length <= _LARGEST else _NEGATIVE), at


def _null(name: str, nullable: bool) -> Any:
    if not nullable:
        raise MalformedBytes(f"{name} is null")
    return None


def _too_long(name: str, length: int) -> MalformedBytes:
    return MalformedBytes(f"{name} cannot have a length of {length}")


# ---- structs in structs


def _struct(name: str, read: Reader) -> FieldReader:
    def read_struct(buffer: Buffer, at: int, fields: Fields) -> int:
        fields[name], at = read(buffer, at)
        return at

    return read_struct


def _nullable_struct(name: str, read: Reader, in_tag: bool) -> FieldReader:
    """A mark says whether there is a struct: in a tag 0 is null, elsewhere a negative int8 is."""

    def read_struct(buffer: Buffer, at: int, fields: Fields) -> int:
        mark = buffer[at]
        if mark == 0 if in_tag else mark > 0x7F:
            fields[name] = None
            return at + 1
        fields[name], at = read(buffer, at + 1)
        return at

    return read_struct


# ---- arrays


def _array(name: str, spec: FieldSpec, version: int, flexible: bool, strict: bool) -> FieldReader:
    least = least_count(version in spec.nullable, strict and flexible)
    if spec.struct is not None and _only_run(spec.struct, version) is None:
        return _structs(name, spec.struct, version, flexible, strict, least)
    return _counted(name, flexible, least, elements_reader(name, spec, version, flexible, strict))


def elements_reader(name: str, spec: FieldSpec, version: int, flexible: bool, strict: bool) -> "ReadAll":
    """What reads as many elements of an array as it is told."""
    match spec.kind:
        case "struct":
            assert spec.struct is not None
            run = _only_run(spec.struct, version)
            if run is not None:
                return _fixed_structs(spec.struct, run, version, flexible)
            return _each(struct_reader(spec.struct, version, flexible, strict))
        case "string" | "binary" | "records" | "uuid":
            element = spec._replace(is_array=False, nullable=NEVER)
            return _elements(field_reader(name, element, version, flexible, strict))
        case kind:
            return _numbers(FORMATS[kind])


def _only_run(cls: type[Struct], version: int) -> Run | None:
    """The run that is all of a struct but its tagged section, if there is nothing else in it."""
    parts = in_place(cls, version)
    return parts[0] if len(parts) == 1 and isinstance(parts[0], Run) else None


def least_count(nullable: bool, strict: bool) -> int:
    """The lowest count that an array may have: below 0 it is null."""
    if not nullable:
        return 0
    return -1 if strict else -_LARGEST


ReadAll: TypeAlias = Callable[[Buffer, int, int], tuple[list[Any], int]]


def count_reader(compact: bool) -> Callable[[Buffer, int], tuple[int, int]]:
    """What reads the count of an array by itself."""

    def read(buffer: Buffer, at: int) -> tuple[int, int]:
        return _INT32(buffer, at)[0], at + 4

    return _long_length if compact else read


def _counted(name: str, compact: bool, least: int, read_all: ReadAll) -> FieldReader:
    """A count, then what `read_all` reads."""

    def read(buffer: Buffer, at: int, fields: Fields) -> int:
        if compact:
            count, at = buffer[at] - 1, at + 1
            if count >= 0x7F:
                count, at = _long_length(buffer, at - 1)
        else:
            (count,) = _INT32(buffer, at)
            at += 4
        if 0 < count <= len(buffer) - at:  # no element is shorter than one byte
            fields[name], at = read_all(buffer, at, count)
        else:
            fields[name] = no_elements(name, least, count)
        return at

    return read


def _structs(name: str, cls: type[Struct], version: int, flexible: bool, strict: bool, least: int) -> FieldReader:
    """An array of structs: `_counted` and `struct_reader` in one function, because all topics and partitions pass
    through it.
    """
    new = object.__new__
    steps = _steps(cls, version, flexible, strict)
    read_tags = tags_reader(cls, version, strict)

    def read(buffer: Buffer, at: int, fields: Fields) -> int:
        if flexible:
            count, at = buffer[at] - 1, at + 1
            if count >= 0x7F:
                count, at = _long_length(buffer, at - 1)
        else:
            (count,) = _INT32(buffer, at)
            at += 4
        if not 0 < count <= len(buffer) - at:
            fields[name] = no_elements(name, least, count)
            return at
        values = fields[name] = []
        for _ in range(count):
            value = new(cls)
            inner = value.__dict__
            for step in steps:
                at = step(buffer, at, inner)
            if flexible:
                at = read_tags(buffer, at, inner) if buffer[at] else at + 1
            values.append(value)
        return at

    return read


def no_elements(name: str, least: int, count: int) -> list[Any] | None:
    """The value for a count that no element follows."""
    if count > 0:
        raise _too_long(name, count)
    return [] if count == 0 else _null(name, count >= least)


def _fixed_structs(cls: type[Struct], run: Run, version: int, flexible: bool) -> ReadAll:
    """Structs of equal size, all read with one call. Flexible structs qualify as long as the tagged section of each is
    empty.
    """
    new = object.__new__
    packer = run.packer("B" if flexible else "")
    names, size, iter_unpack = run.names, packer.size, packer.iter_unpack
    read_each = _each(struct_reader(cls, version, flexible))

    def read(buffer: Buffer, at: int, count: int) -> tuple[list[Any], int]:
        end = at + size * count
        if end > len(buffer):
            raise MalformedBytes(f"{count} {cls.__name__} take {size * count} bytes")
        if flexible and any(buffer[at + size - 1 : end : size]):
            return read_each(buffer, at, count)
        values = []
        for row in iter_unpack(memoryview(buffer)[at:end]):
            value = new(cls)
            fields = value.__dict__
            for name, field in zip(names, row):
                fields[name] = field
            values.append(value)
        return values, end

    return read


def _each(read_one: Reader) -> ReadAll:
    """Structs, one after the other."""

    def read(buffer: Buffer, at: int, count: int) -> tuple[list[Any], int]:
        values = []
        for _ in range(count):
            value, at = read_one(buffer, at)
            values.append(value)
        return values, at

    return read


def _numbers(format_: str) -> ReadAll:
    size = struct.calcsize(">" + format_)

    def read(buffer: Buffer, at: int, count: int) -> tuple[list[Any], int]:
        return list(struct.unpack_from(f">{count}{format_}", buffer, at)), at + size * count

    return read


def _elements(step: FieldReader) -> ReadAll:
    """Strings and uuids: the step of one field, repeated."""

    def read(buffer: Buffer, at: int, count: int) -> tuple[list[Any], int]:
        values: list[Any] = []
        last: Fields = {}
        for _ in range(count):
            at = step(buffer, at, last)
            values.append(*last.values())
        return values, at

    return read


# ---- the tagged section


def tags_reader(cls: type[Struct], version: int, strict: bool) -> FieldReader:
    steps = {
        tag: field_reader(name, cls.FIELDS[name], version, True, strict, in_tag=True)
        for tag, name in tagged(cls, version)
    }
    elsewhere = {spec.tag for spec in cls.FIELDS.values()} - steps.keys()

    def read(buffer: Buffer, at: int, fields: Fields) -> int:
        count, at = read_uvarint(buffer, at)
        for _ in range(count):
            tag, at = read_uvarint(buffer, at)
            size, at = read_uvarint(buffer, at)
            end = at + size
            if end > len(buffer):
                raise _too_long(f"tag {tag}", size)
            if tag in steps:
                at = steps[tag](buffer, at, fields)
                if at != end:
                    raise MalformedBytes(f"tag {tag} claims {size} bytes and has {size + at - end}")
            elif tag in elsewhere:
                raise MalformedBytes(f"tag {tag} does not belong into version {version}")
            at = end
        return at

    return read
