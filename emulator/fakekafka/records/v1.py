"""Format 1: format 0 with a timestamp, and relative offsets in wrappers. 0.10.0 to 0.10.2 (KIP-31, KIP-32).

    at       size
    0        8      offset
    8        4      size of what follows
    12       4      CRC-32 (IEEE) of byte 16 to the end
    16       1      magic, 1
    17       1      attributes: bits 0-2 codec, bit 3 timestamp type (1: LogAppendTime)
    18       8      timestamp, ms since 1970, -1: none
    26       4      key length, negative: null
    30       k      key
    30+k     4      value length, negative: null
    34+k     v      value

Example, timestamp 1000, key "k", value "v":

    0000000000000000 00000018 e4e321bc 01 00 00000000000003e8 00000001 6b 00000001 76

Uncompressed, a set of n records is n such units; compressed, it is one whose value holds the others (`wrapper.py`).
The view is `message.Message`, which also has the stamps for units in place.
"""

from collections.abc import Iterable

from fakekafka.ids import CodecId, Offset, TimestampMs
from fakekafka.records import hot, wrapper, xerial
from fakekafka.records.record import Record


def build(
    records: Iterable[Record],
    *,
    codec: CodecId = 0,
    append_time: TimestampMs | None = None,
    stamp_inside: bool = True,
    level: int | None = None,
    snappy_block: int = xerial.BLOCK,
) -> bytes:
    """The set of `records`. In a wrapper the offsets are relative to the first. Without records the set is empty.

    `append_time`: use LogAppendTime, with this value. `stamp_inside`: it is also written into the messages of a wrapper
    (0.11 and later; before, these kept their own). Raises as `v0.build`.
    """
    inside = append_time if stamp_inside or not codec else None
    return wrapper.build(1, list(records), codec, append_time, inside, level, snappy_block)


def message(
    offset: Offset, timestamp: TimestampMs, key: bytes | None, value: bytes | None, attributes: int = 0
) -> bytes:
    """One unit."""
    return hot.message(1, offset, timestamp, attributes, key, value)
