"""Long answers are written in steps, so that others get their turn meanwhile. The bytes are those of `writers.py`.

A step ends when a number of pieces has been written, and only between two elements of an array of structs.
"""

from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

from fakekafka.pieces import Piece, Stepwise
from fakekafka.wire.frames import framed, joined_where_small
from fakekafka.wire.layout import in_place
from fakekafka.wire.message import FieldSpec, Response, Struct
from fakekafka.wire.writers import Writer, array_count, struct_writers, written

PIECES_PER_STEP: Final = 2000
FEW: Final = 20
"""An array of no more elements is written at once."""


class _Output:
    """What has been written: `done`, and the pieces of the current step."""

    __slots__ = ("append", "done", "pieces")

    def __init__(self) -> None:
        self.done: list[Piece] = []
        self.pieces: list[Piece] = []
        self.append = self.pieces.append

    @property
    def is_full(self) -> bool:
        """Whether the step is over."""
        return len(self.pieces) >= PIECES_PER_STEP

    def end_step(self) -> None:
        """Join the pieces of the step."""
        self.done += joined_where_small(self.pieces)
        self.pieces.clear()


StructsWriter: TypeAlias = Callable[[Sequence[Any], _Output], Stepwise[None]]


class _Part(NamedTuple):
    """What writes a field, or neighbouring fields of fixed width."""

    at_once: Writer
    get: Callable[[Any], Any] | None = None
    """For arrays of structs: what gets the elements."""
    few: int = 0
    """How many of them are written at once: none if they have arrays, which may be long."""
    in_steps: StructsWriter | None = None


def response_frame_in_steps(response: Response, version: int, correlation_id: int) -> Stepwise[list[Piece]]:
    """What `frames.response_frame` gives, made in steps."""
    output = _Output()
    yield from _response_writer(type(response), version)([response], output)  # type: ignore[arg-type]  # mypy: is a class hashable?
    output.end_step()
    return framed(output.done, type(response), version, correlation_id)


@cache
def _response_writer(cls: type[Response], version: int) -> StructsWriter:
    return _structs_writer(cls, version, version in cls.FLEXIBLE)


def _structs_writer(cls: type[Struct], version: int, flexible: bool) -> StructsWriter:
    """What writes a number of `cls`, one after the other."""
    writers = struct_writers(cls, version, flexible)
    names = [part if isinstance(part, str) else "" for part in in_place(cls, version)]
    names += [""] * (len(writers) - len(names))  # the tagged section has no name
    parts = [_part(n, cls.FIELDS.get(n), write, version, flexible) for n, write in zip(names, writers, strict=True)]

    def write(values: Sequence[Any], output: _Output) -> Stepwise[None]:
        append = output.append
        last = again = None
        for value in values:
            if value is last:
                again = again or written(writers, value)
                append(again)
                continue
            last, again = value, None
            for at_once, get, few, in_steps in parts:
                if get is None or in_steps is None or len(elements := get(value) or ()) <= few:
                    at_once(value, append)
                else:
                    append(array_count(len(elements), flexible))
                    yield from in_steps(elements, output)
            if output.is_full:
                output.end_step()
                yield

    return write


def _part(name: str, spec: FieldSpec | None, at_once: Writer, version: int, flexible: bool) -> _Part:
    if spec is None or not spec.is_array or spec.struct is None:
        return _Part(at_once)
    has_arrays = any(s.is_array and version in s.versions for s in spec.struct.FIELDS.values())
    return _Part(at_once, attrgetter(name), 0 if has_arrays else FEW, _structs_writer(spec.struct, version, flexible))
