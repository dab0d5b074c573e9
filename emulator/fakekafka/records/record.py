"""One record as a consumer sees it, whatever format it was stored in. It is not a view of bytes: batches are.

Reading gives the *effective* values: absolute offsets, and the append time in every record of a LogAppendTime batch.
"""

from typing import NamedTuple, TypeAlias

from fakekafka.ids import NO_SEQUENCE, Offset, Sequence, TimestampMs

Header: TypeAlias = tuple[str, bytes | None]


class Record(NamedTuple):
    """A record. Formats 0 and 1 have no headers and no sequence, format 0 no timestamp (-1, of type -1)."""

    offset: Offset
    timestamp: TimestampMs
    timestamp_type: int
    """0 CreateTime, 1 LogAppendTime, -1 none."""
    key: bytes | None
    value: bytes | None
    headers: tuple[Header, ...] = ()
    sequence: Sequence = NO_SEQUENCE


def header_key(data: bytes) -> str:
    """A header's key as a Java client decodes it: never fails; bytes that are not UTF-8 become U+FFFD.

    A broker that rebuilds a batch writes such keys with the replacements in them; one that stores the batch as it came
    keeps the bytes (recorded from 2.3.1 and 3.9.1). Java and Python agree on how many U+FFFD stand for what, except
    for an encoded surrogate: one for Java, one per byte for Python.
    """
    try:
        return data.decode()
    except UnicodeDecodeError:
        import re  # broken keys are rare, and the import is not free

        return re.sub(rb"\xed[\xa0-\xbf][\x80-\xbf]?", "\ufffd".encode(), data).decode(errors="replace")


def header_key_bytes(key: str) -> bytes:
    """The bytes of a header's key; a lone surrogate becomes "?", as in Java."""
    return key.encode(errors="replace")


def sequence_after(base: Sequence, delta: int) -> Sequence:
    """The sequence `delta` records after `base`: 2147483647 is followed by 0. -1, no sequence, stays -1."""
    return (base + delta) & 0x7FFFFFFF if base >= 0 else NO_SEQUENCE
