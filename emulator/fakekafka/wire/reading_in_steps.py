"""Long messages are read in steps, so that other clients get their turn meanwhile. The result is that of `readers.py`.

A step ends when a number of elements of arrays has been read. What is in a tagged section is read in one step.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeAlias

from fakekafka.ids import Buffer
from fakekafka.pieces import Stepwise
from fakekafka.wire.layout import Run, in_place
from fakekafka.wire.message import FieldSpec, Message, Struct
from fakekafka.wire.readers import (
    FieldReader,
    Fields,
    count_reader,
    elements_reader,
    field_reader,
    least_count,
    no_elements,
    run_reader,
    tags_reader,
)

ELEMENTS_PER_STEP: Final = 1000


class Steps:
    """Knows when a step is over."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = ELEMENTS_PER_STEP

    def is_over(self, more: int) -> bool:
        """Whether the step is over with this many more elements. If so, the next one begins."""
        self._left -= more
        if self._left > 0:
            return False
        self._left = ELEMENTS_PER_STEP
        return True


Reader: TypeAlias = Callable[[Buffer, int, Steps], Stepwise[tuple[Any, int]]]
ArrayReader: TypeAlias = Callable[[Buffer, int, Fields, Steps], Stepwise[int]]


@cache
def reader_in_steps(message: type[Message], version: int, strict: bool = False) -> Reader:
    """What reads a long message. `strict`: see `readers.struct_reader`."""
    return _struct_reader(message, version, version in message.FLEXIBLE, strict)


def _struct_reader(cls: type[Struct], version: int, flexible: bool, strict: bool) -> Reader:
    parts = [
        (run_reader(part), None) if isinstance(part, Run) else _part(part, cls.FIELDS[part], version, flexible, strict)
        for part in in_place(cls, version)
    ]
    read_tags = tags_reader(cls, version, strict)

    def read(buffer: Buffer, at: int, steps: Steps) -> Stepwise[tuple[Any, int]]:
        value = object.__new__(cls)
        fields = value.__dict__
        for read_field, read_array in parts:
            if read_array is not None:
                at = yield from read_array(buffer, at, fields, steps)
            elif read_field is not None:
                at = read_field(buffer, at, fields)
        if flexible:
            at = read_tags(buffer, at, fields)
        return value, at

    return read


def _part(
    name: str, spec: FieldSpec, version: int, flexible: bool, strict: bool
) -> tuple[FieldReader | None, ArrayReader | None]:
    """What reads a field: in one step, or in several."""
    if not spec.is_array:
        return field_reader(name, spec, version, flexible, strict), None
    inner = spec.struct
    if inner is not None and any(s.is_array and version in s.versions for s in inner.FIELDS.values()):
        return None, _nested(name, spec, version, flexible, strict)
    return None, _flat(name, spec, version, flexible, strict)


def _flat(name: str, spec: FieldSpec, version: int, flexible: bool, strict: bool) -> ArrayReader:
    """An array whose elements have no arrays."""
    least = least_count(version in spec.nullable, strict and flexible)
    read_count, read_some = count_reader(flexible), elements_reader(name, spec, version, flexible, strict)

    def read(buffer: Buffer, at: int, fields: Fields, steps: Steps) -> Stepwise[int]:
        count, at = read_count(buffer, at)
        if not 0 < count <= len(buffer) - at:
            fields[name] = no_elements(name, least, count)
            return at
        values: list[Any] = []
        while count:
            some, at = read_some(buffer, at, min(count, ELEMENTS_PER_STEP))
            values += some
            count -= len(some)
            if steps.is_over(len(some)):
                yield
        fields[name] = values
        return at

    return read


def _nested(name: str, spec: FieldSpec, version: int, flexible: bool, strict: bool) -> ArrayReader:
    """An array whose elements have arrays."""
    assert spec.struct is not None
    least = least_count(version in spec.nullable, strict and flexible)
    read_count, read_one = count_reader(flexible), _struct_reader(spec.struct, version, flexible, strict)

    def read(buffer: Buffer, at: int, fields: Fields, steps: Steps) -> Stepwise[int]:
        count, at = read_count(buffer, at)
        if not 0 < count <= len(buffer) - at:
            fields[name] = no_elements(name, least, count)
            return at
        values = fields[name] = []
        for _ in range(count):
            value, at = yield from read_one(buffer, at, steps)
            values.append(value)
            if steps.is_over(1):
                yield
        return at

    return read
