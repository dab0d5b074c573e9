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

Readers and writers are closures (`readers.py`, `writers.py`), not generated source. Neighbouring fields of fixed width
are one `struct` call; an array of structs with only such fields is one `iter_unpack`. Record bytes are never copied:
readers give a `memoryview` of the frame, writers pass the buffers on.

Whatever is wrong with the bytes, `decode` raises `MalformedBytes`. Nothing is allocated for a claimed length or count
before it has been compared with the bytes that are left.
"""

import struct
from functools import cache
from typing import TypeVar

from fakekafka.errors import MalformedBytes, UsageError
from fakekafka.ids import Buffer
from fakekafka.pieces import Chunks, Piece, buffers
from fakekafka.wire.message import Message
from fakekafka.wire.readers import Reader, struct_reader
from fakekafka.wire.writers import Writer, struct_writer

M = TypeVar("M", bound=Message)


def decode(message: type[M], version: int, buffer: Buffer, at: int = 0) -> tuple[M, int]:
    """The message that starts at `at`, and the position after it. Raises `MalformedBytes`."""
    try:
        return reader(message, version)(buffer, at)  # type: ignore[arg-type]  # mypy: is a class hashable?
    except (MalformedBytes, IndexError, struct.error) as e:
        raise MalformedBytes(f"{message.__name__} v{version}: {e}") from None


def encode(message: Message, version: int) -> list[Piece]:
    """The message as pieces that follow each other; record bytes stay separate pieces."""
    pieces: list[Piece] = []
    writer(type(message), version)(message, pieces.append)  # type: ignore[arg-type]
    return pieces


def encode_bytes(message: Message, version: int) -> bytes:
    """The message in one piece."""
    pieces = encode(message, version)
    if Chunks in map(type, pieces):
        return b"".join(buffers(pieces))
    return b"".join(pieces)  # type: ignore[arg-type]  # all are buffers


@cache
def reader(message: type[Message], version: int, strict: bool = False) -> Reader:
    """The reader of `message` in `version`. Raises `UsageError` for a version that the message does not have. `strict`:
    see `struct_reader`.
    """
    _check(message, version)
    return struct_reader(message, version, version in message.FLEXIBLE, strict)


@cache
def writer(message: type[Message], version: int) -> Writer:
    """The writer of `message` in `version`. Raises `UsageError` for a version that the message does not have."""
    _check(message, version)
    return struct_writer(message, version, version in message.FLEXIBLE)


def _check(message: type[Message], version: int) -> None:
    if version not in message.VERSIONS:
        low, high = message.VERSIONS
        raise UsageError(f"{message.__name__} has no version {version}: use one of {low} to {high}")
