"""The bytes of a produced set that brokers overwrite in place, kept so that the set can be shown as the client sent it.

Of a set that is one batch of format 2 only the batch's header is written to: base offset, leader epoch, and under
LogAppendTime attributes, CRC and largest timestamp. Any other set is kept whole, because each of its messages gets an
offset.
"""

from fakekafka.ids import Buffer
from fakekafka.records.scan import LOG_OVERHEAD, PREFIX
from fakekafka.records.v2 import HEADER_BYTES


def kept(records: Buffer) -> bytes:
    """The beginning of a set, before anything is written to it."""
    if len(records) >= HEADER_BYTES:
        _, size, magic = PREFIX.unpack_from(records)
        if magic == 2 and size == len(records) - LOG_OVERHEAD:
            return bytes(records[:HEADER_BYTES])
    return bytes(records)


def restore(records: Buffer, beginning: bytes) -> None:
    """Write the beginning that was kept over what a broker has made of it. `records` must be writable."""
    assert not isinstance(records, bytes)
    records[: len(beginning)] = beginning
