"""Record bytes in comparable form: one form per unit, its header field by field.

Nothing is lost, so equal forms mean equal bytes, with three exceptions. Producer ids, topic ids in commits and the
random parts of member ids become labels, and right checksums only "right". The members of a group come in a fixed order
(`group_values`). And a stream that the broker compressed itself is compared by its framing and its content, since
compressors differ; compressed bytes that a client sent must come back unchanged where they did from the recorded broker
(a broker that compresses as the recorded clients do may send the same bytes).
"""

from collections.abc import Iterator

from fakekafka.binary import read_uvarint
from fakekafka.errors import MalformedBytes
from fakekafka.ids import Buffer
from fakekafka.records import compression, scan
from fakekafka.records.batch import Batch
from fakekafka.records.lz4_frames import HeaderChecksum
from fakekafka.records.message import Message
from fakekafka.records.v2 import HEADER_BYTES, RecordBatch

from tests.golden.form import AS_SENT, Form, Labels
from tests.golden.group_values import comparable

XERIAL_MAGIC = b"\x82SNAPPY\0"
FRAMING = {compression.GZIP: 10, compression.SNAPPY: 16, compression.LZ4: 7, compression.ZSTD: 4}
"""Bytes at the start of a stream that name its framing."""


def record_units(data: Buffer, labels: Labels) -> list[Form]:
    """Every unit in a message set, a fetched slice or a segment file; what is left over after the last one is raw."""
    units, end = whole_units(data)
    forms = [_form(data, unit, labels) for unit in units]
    tail = bytes(data[end:])
    if tail:
        forms.append(tail if tail.strip(b"\0") else {"zeros": len(tail)})
    return forms


def sent_payloads(data: Buffer) -> set[bytes]:
    """The compressed streams in record bytes that a client sends."""
    found: set[bytes] = set()
    for unit in whole_units(data)[0]:
        try:
            found.add(_payload(scan.view(data, unit)))
        except MalformedBytes:  # damaged on purpose
            continue
    return found - {b""}


def whole_units(data: Buffer) -> tuple[list[scan.Unit], int]:
    """The units before the first bytes that are not a unit, and where they end."""
    found: list[scan.Unit] = []
    end = 0
    try:
        for unit in scan.units_of_any_magic(data):
            if unit.size < scan.PREFIX.size:
                break
            found.append(unit)
            end = unit.position + unit.size
    except MalformedBytes:
        pass
    return found, end


def _form(data: Buffer, unit: scan.Unit, labels: Labels) -> Form:
    try:
        batch = scan.view(data, unit)
        if batch.crc_ok():
            return _batch(batch, labels) if isinstance(batch, RecordBatch) else _message(batch, labels)
    except MalformedBytes:
        pass
    return bytes(data[unit.position : unit.position + unit.size])


def _batch(batch: RecordBatch, labels: Labels) -> Form:
    producer = labels.of("P", batch.producer_id) if batch.producer_id >= 0 else batch.producer_id
    return {
        "base_offset": batch.base_offset,
        "leader_epoch": batch.leader_epoch,
        "magic": 2,
        "crc": "right",
        "attributes": batch.attributes,
        "last_offset_delta": batch.last_offset_delta,
        "base_timestamp": batch.base_timestamp,
        "max_timestamp": batch.max_timestamp,
        "producer_id": producer,
        "producer_epoch": batch.producer_epoch,
        "base_sequence": batch.base_sequence,
        "count": batch.count,
        **_stream(batch, labels),
    }


def _message(batch: Batch, labels: Labels) -> Form:
    assert isinstance(batch, Message)
    key, value = batch.key, batch.value
    used = (26 if batch.magic == 0 else 34) + len(key or b"") + len(value or b"")
    return {
        "offset": batch.last_offset,
        "magic": batch.magic,
        "crc": "right",
        "attributes": batch.attributes,
        **({"timestamp": batch.max_timestamp} if batch.magic else {}),
        "key": None if key is None else labels.in_bytes(key),
        **_stream(batch, labels),
        "behind": bytes(batch.data[used:]),
    }


def _stream(batch: Batch, labels: Labels) -> dict[str, Form]:
    """The records of a unit: as they are, or what a compressed stream holds, with the stream if a client sent it."""
    stream = _payload(batch)
    content = _decompressed(batch, stream) if stream else None
    if content is not None:
        form = {"framing": _framing(batch.codec, stream), "content": _content(batch, content, labels)}
        return {**form, AS_SENT: stream} if stream in labels.sent else form
    if isinstance(batch, RecordBatch):
        return {"records": comparable(bytes(batch.data[HEADER_BYTES:]), batch, labels)}
    assert isinstance(batch, Message)
    return {"value": None if batch.value is None else comparable(batch.value, batch, labels)}


def _payload(batch: Batch) -> bytes:
    """The compressed stream; empty if the unit is not compressed."""
    if not batch.codec:
        return b""
    if isinstance(batch, RecordBatch):
        return bytes(batch.data[HEADER_BYTES:])
    assert isinstance(batch, Message)
    return batch.value or b""


def _decompressed(batch: Batch, stream: bytes) -> bytes | None:
    """The decompressed stream; None if it cannot be read and has to be compared as bytes."""
    try:
        return compression.decompress(batch.codec, stream, lz4_checksum=HeaderChecksum.IGNORED)
    except MalformedBytes:
        return None


def _framing(codec: int, stream: bytes) -> Form:
    """How a stream is framed; for snappy, also how many bytes each block holds (KAFKA-5236)."""
    if codec != compression.SNAPPY:
        return stream[: FRAMING[codec]]
    if not stream.startswith(XERIAL_MAGIC):
        return "raw"
    return [stream[: FRAMING[codec]], *_block_sizes(stream)]


def _block_sizes(stream: bytes) -> Iterator[int]:
    at = FRAMING[compression.SNAPPY]
    while at < len(stream):
        if stream.startswith(XERIAL_MAGIC, at):
            at += FRAMING[compression.SNAPPY]
            continue
        yield read_uvarint(stream, at + 4)[0]
        at += 4 + int.from_bytes(stream[at : at + 4], "big")


def _content(batch: Batch, content: bytes, labels: Labels) -> Form:
    return content if isinstance(batch, RecordBatch) else record_units(content, labels)
