"""The fields of a struct in one version, in the order of the bytes. Shared by readers and writers; no bytes here."""

import struct
from typing import NamedTuple

from fakekafka.wire.message import FieldSpec, FixedKind, Struct

FORMATS: dict[FixedKind, str] = {
    "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint16": "H", "uint32": "I", "float64": "d",
    "boolean": "?", "uuid": "16s",
}  # fmt: skip
"""Kinds of fixed width, as the `struct` module calls them."""

MAX_STRING = 0x7FFF
"""Longest string in bytes, also where the length is a varint."""


class Run(NamedTuple):
    """Neighbouring fields of fixed width: one `struct` call reads or writes them all."""

    names: tuple[str, ...]
    format: str

    def packer(self, padding: str = "") -> struct.Struct:
        return struct.Struct(">" + self.format + padding)


def in_place(cls: type[Struct], version: int) -> list[Run | str]:
    """Everything outside the tagged section: runs, and names of the fields between them."""
    steps: list[Run | str] = []
    for name, spec in cls.FIELDS.items():
        if not spec.in_place(version):
            continue
        width = fixed_format(spec)
        if width is None:
            steps.append(name)
        elif steps and isinstance(run := steps[-1], Run):
            steps[-1] = Run((*run.names, name), run.format + width)
        else:
            steps.append(Run((name,), width))
    return steps


def tagged(cls: type[Struct], version: int) -> list[tuple[int, str]]:
    """(tag, name) of the fields in the tagged section, in the order in which they are written."""
    return sorted((s.tag, name) for name, s in cls.FIELDS.items() if s.tag is not None and version in s.tagged)


def fixed_format(spec: FieldSpec) -> str | None:
    """What the `struct` module calls the field's kind; None unless every value takes the same number of bytes."""
    if spec.is_array:
        return None
    match spec.kind:
        case "string" | "binary" | "records" | "struct":
            return None
        case kind:
            return FORMATS[kind]


def is_compact(spec: FieldSpec, version: int, flexible: bool) -> bool:
    """Whether the field's length is a varint."""
    return flexible and version not in spec.fixed_length
