"""Batches of format 2 on their way out of a client that knows no plug-ins, and into one.

A client library builds a plain batch, and `packed` compresses it with a plug-in; what it fetches goes through
`unpacked`, so that it sees plain batches. So only one place at a library's edge has to be changed for each of them.
"""

from fakekafka.binary import crc32c
from fakekafka.ids import Buffer
from fakekafka.records import scan
from fakekafka.records.attributes import CODEC
from fakekafka.records.plugged import PLUGGED, PluggedCodec, PluggedCodecs
from fakekafka.records.v2 import ATTRIBUTES_AT, CRC_AT, HEADER_BYTES, RecordBatch

SIZE_AT = 8


def packed(batch: Buffer, codec: PluggedCodec) -> bytearray:
    """The plain batch, compressed with a plug-in."""
    return _rewritten(batch, codec.attributes, 0, codec.compress(batch[HEADER_BYTES:]))


def unpacked(data: Buffer, codecs: PluggedCodecs) -> Buffer:
    """A fetched set with the plug-ins' batches turned into plain ones; the same object if there are none.

    A batch whose checksum is wrong stays as it is, so that the client notices. Raises `UnknownCodec`, and
    `UndecodablePayload`.
    """
    out: list[Buffer] = []
    end = 0
    for unit in scan.units(data):
        at = unit.position
        if unit.magic == 2 and data[at + ATTRIBUTES_AT + 1] & CODEC == PLUGGED:
            batch = RecordBatch(memoryview(data)[at : at + unit.size])
            if batch.crc_ok():
                payload = codecs.of_batch(batch.attributes).decompress(batch.data[HEADER_BYTES:])
                out += memoryview(data)[end:at], _rewritten(batch.data, 0, CODEC | codecs.mask, payload)
                end = at + unit.size
    return b"".join((*out, memoryview(data)[end:])) if out else data


def _rewritten(batch: Buffer, set_bits: int, cleared_bits: int, payload: bytes) -> bytearray:
    """The batch with other attributes and another payload; size and checksum are correct."""
    new = bytearray(batch[:HEADER_BYTES]) + payload
    attributes = int.from_bytes(new[ATTRIBUTES_AT : ATTRIBUTES_AT + 2], "big") & ~cleared_bits | set_bits
    new[ATTRIBUTES_AT : ATTRIBUTES_AT + 2] = attributes.to_bytes(2, "big")
    new[SIZE_AT : SIZE_AT + 4] = (len(new) - scan.LOG_OVERHEAD).to_bytes(4, "big")
    new[CRC_AT : CRC_AT + 4] = crc32c(new[ATTRIBUTES_AT:]).to_bytes(4, "big")
    return new
