"""Long messages are read in steps, so that other clients get their turn meanwhile. The result is that of `readers.py`.

A step ends when a number of elements of arrays has been read. What is in a tagged section is read in one step.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

from fakekafka.ids import Buffer
from fakekafka.pieces import Stepwise
from fakekafka.wire.layout import Run, in_place
from fakekafka.wire.message import FieldSpec, Message, Struct
from fakekafka.wire.readers import (
    FieldReader,
    Fields,
    ReadAll,
    count_reader,
    elements_reader,
    field_reader,
    least_count,
    no_elements,
    run_reader,
    tags_reader,
)

ELEMENTS_PER_STEP: Final = 1000
FEW: Final = 20
"""An array of no more elements is read at once."""


class Steps:
    """Knows when a step is over."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = ELEMENTS_PER_STEP + 1  # the message counts as an element, too

    def is_over(self, more: int) -> bool:
        """Whether the step is over with this many more elements. If so, the next one begins."""
        self._left -= more
        if self._left > 0:
            return False
        self._left = ELEMENTS_PER_STEP
        return True


Reader: TypeAlias = Callable[[Buffer, int, Steps], Stepwise[tuple[Any, int]]]
StructsReader: TypeAlias = Callable[[Buffer, int, int, Steps], Stepwise[tuple[list[Any], int]]]
ArrayReader: TypeAlias = Callable[[Buffer, int, Fields, Steps], Stepwise[int]]


class _Part(NamedTuple):
    """What reads a field, or neighbouring fields of fixed width."""

    at_once: FieldReader | None
    """None for an array whose elements have arrays, which may be long however few they are."""
    in_steps: ArrayReader | None = None
    """For arrays."""
    read_count: Callable[[Buffer, int], tuple[int, int]] | None = None
    """What reads how many elements follow."""


@cache
def reader_in_steps(message: type[Message], version: int, strict: bool = False) -> Reader:
    """What reads a long message. `strict`: see `readers.struct_reader`."""
    read_structs = _structs_reader(message, version, version in message.FLEXIBLE, strict)

    def read(buffer: Buffer, at: int, steps: Steps) -> Stepwise[tuple[Any, int]]:
        (value,), at = yield from read_structs(buffer, at, 1, steps)
        return value, at

    return read


def _structs_reader(cls: type[Struct], version: int, flexible: bool, strict: bool) -> StructsReader:
    """What reads a number of `cls`, one after the other."""
    new = object.__new__
    parts = [
        _Part(run_reader(part)) if isinstance(part, Run) else _part(part, cls.FIELDS[part], version, flexible, strict)
        for part in in_place(cls, version)
    ]
    read_tags = tags_reader(cls, version, strict)

    def read(buffer: Buffer, at: int, number: int, steps: Steps) -> Stepwise[tuple[list[Any], int]]:
        values = []
        for _ in range(number):
            value = new(cls)
            fields, elements = value.__dict__, 1
            for at_once, in_steps, read_count in parts:
                count = 0 if read_count is None else read_count(buffer, at)[0]
                if at_once is not None and count <= FEW:
                    at = at_once(buffer, at, fields)
                    elements += max(0, count)  # null arrays have a negative count
                elif in_steps is not None:
                    at = yield from in_steps(buffer, at, fields, steps)
            if flexible:
                at = read_tags(buffer, at, fields) if buffer[at] else at + 1
            values.append(value)
            if steps.is_over(elements):
                yield
        return values, at

    return read


def _part(name: str, spec: FieldSpec, version: int, flexible: bool, strict: bool) -> _Part:
    at_once = field_reader(name, spec, version, flexible, strict)
    if not spec.is_array:
        return _Part(at_once)
    inner, least = spec.struct, least_count(version in spec.nullable, strict and flexible)
    if inner is not None and any(s.is_array and version in s.versions for s in inner.FIELDS.values()):
        return _Part(None, _array(name, _structs_reader(inner, version, flexible, strict), flexible, least))
    elements = _without_arrays(elements_reader(name, spec, version, flexible, strict))
    return _Part(at_once, _array(name, elements, flexible, least), count_reader(flexible))


def _without_arrays(read_some: ReadAll) -> StructsReader:
    """What reads a number of elements that have no arrays."""

    def read(buffer: Buffer, at: int, count: int, steps: Steps) -> Stepwise[tuple[list[Any], int]]:
        values: list[Any] = []
        while count:
            some, at = read_some(buffer, at, min(count, ELEMENTS_PER_STEP))
            values += some
            count -= len(some)
            if steps.is_over(len(some)):
                yield
        return values, at

    return read


def _array(name: str, read_elements: StructsReader, flexible: bool, least: int) -> ArrayReader:
    """A count, then what `read_elements` reads."""
    read_count = count_reader(flexible)

    def read(buffer: Buffer, at: int, fields: Fields, steps: Steps) -> Stepwise[int]:
        count, at = read_count(buffer, at)
        if 0 < count <= len(buffer) - at:
            fields[name], at = yield from read_elements(buffer, at, count, steps)
        else:
            fields[name] = no_elements(name, least, count)
        return at

    return read
