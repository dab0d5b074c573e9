"""The errors that a message holds, by name."""

from collections.abc import Iterator

from fakekafka.errors import ErrorCode
from fakekafka.wire.message import Struct


def error_names(message: Struct) -> list[str]:
    """The errors that an answer holds anywhere, each once; NONE is left out."""
    return list(dict.fromkeys(_error_names(message)))


def _error_names(value: object) -> Iterator[str]:
    if isinstance(value, Struct):
        for name in value.FIELDS:
            inner = getattr(value, name)
            if name.endswith("error_code") and inner != ErrorCode.NONE:
                yield _error_name(inner)
            yield from _error_names(inner)
    elif isinstance(value, (list, tuple)):
        for element in value:
            yield from _error_names(element)


def _error_name(code: int) -> str:
    return ErrorCode(code).name if code in ErrorCode.__members__.values() else str(code)
