"""Format 0: key and value, nothing else. Written by 0.8.0 to 0.9, and later for topics whose format is 0.

    at       size
    0        8      offset
    8        4      size of what follows
    12       4      CRC-32 (IEEE) of byte 16 to the end
    16       1      magic, 0
    17       1      attributes: bits 0-2 codec
    18       4      key length, negative: null
    22       k      key
    22+k     4      value length, negative: null
    26+k     v      value

Example, key "k", value "v":

    0000000000000000 00000010 1fecd70a 00 00 00000001 6b 00000001 76

Uncompressed, a set of n records is n such units; compressed, it is one whose value holds the others (`wrapper.py`).
The view is `message.Message`.
"""

from collections.abc import Iterable

from fakekafka.ids import NO_TIMESTAMP, CodecId, Offset
from fakekafka.records import hot, wrapper, xerial
from fakekafka.records.record import Record


def build(
    records: Iterable[Record], *, codec: CodecId = 0, level: int | None = None, snappy_block: int = xerial.BLOCK
) -> bytes:
    """The set of `records`: absolute offsets, timestamps dropped. Without records the set is empty.

    Raises `UsageError` for headers, `UnknownCodec` for codecs above 3. See `compression.compress` for the rest.
    """
    return wrapper.build(0, list(records), codec, None, None, level, snappy_block)


def message(offset: Offset, key: bytes | None, value: bytes | None, attributes: int = 0) -> bytes:
    """One unit."""
    return hot.message(0, offset, NO_TIMESTAMP, attributes, key, value)
