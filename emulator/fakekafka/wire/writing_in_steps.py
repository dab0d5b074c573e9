"""Long answers are written in steps, so that others get their turn meanwhile. The bytes are those of `writers.py`.

A step ends when a number of pieces has been written, and only between two elements of an array of structs.
"""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, Final, TypeAlias

from fakekafka.pieces import Piece, Stepwise
from fakekafka.wire.frames import framed, joined_where_small
from fakekafka.wire.layout import in_place
from fakekafka.wire.message import FieldSpec, Response, Struct
from fakekafka.wire.writers import Writer, array_count, struct_writers, written

PIECES_PER_STEP: Final = 1000


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


StepsWriter: TypeAlias = Callable[[Any, _Output], Stepwise[None]]


def response_frame_in_steps(response: Response, version: int, correlation_id: int) -> Stepwise[list[Piece]]:
    """What `frames.response_frame` gives, made in steps."""
    output = _Output()
    yield from _response_writer(type(response), version)(response, output)  # type: ignore[arg-type]  # mypy: is a class hashable?
    output.end_step()
    return framed(output.done, type(response), version, correlation_id)


@cache
def _response_writer(cls: type[Response], version: int) -> StepsWriter:
    return _struct_writer(cls, version, version in cls.FLEXIBLE)


def _struct_writer(cls: type[Struct], version: int, flexible: bool) -> StepsWriter:
    writers = struct_writers(cls, version, flexible)
    in_steps: dict[int, StepsWriter] = {
        n: _array(part, cls.FIELDS[part], writers[n], version, flexible)
        for n, part in enumerate(in_place(cls, version))
        if isinstance(part, str) and cls.FIELDS[part].is_array and cls.FIELDS[part].struct is not None
    }

    def write(value: Any, output: _Output) -> Stepwise[None]:
        for n, write_part in enumerate(writers):
            if n in in_steps:
                yield from in_steps[n](value, output)
            else:
                write_part(value, output.append)

    return write


def _array(name: str, spec: FieldSpec, at_once: Writer, version: int, flexible: bool) -> StepsWriter:
    """The writer of an array of structs. `at_once`: the one that writes it in one step."""
    cls = spec.struct
    assert cls is not None
    get, writers = attrgetter(name), struct_writers(cls, version, flexible)
    has_arrays = any(s.is_array and version in s.versions for s in cls.FIELDS.values())
    write_one = _struct_writer(cls, version, flexible) if has_arrays else None

    def write(value: Any, output: _Output) -> Stepwise[None]:
        values, append = get(value), output.append
        if not values:
            at_once(value, append)
            return
        append(array_count(len(values), flexible))
        last = again = None
        for element in values:
            if element is last:
                again = again or written(writers, element)
                append(again)
            elif write_one is not None:
                yield from write_one(element, output)
            else:
                for write_part in writers:
                    write_part(element, append)
            last, again = element, again if element is last else None
            if output.is_full:
                output.end_step()
                yield

    return write
