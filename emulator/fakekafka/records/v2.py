"""Format 2: the record batch, compressed or not. 0.11.0 and later (KIP-98, KIP-82).

    at    size
    0     8      base offset: of slot 0, even when its record was compacted away
    8     4      size of what follows
    12    4      leader epoch: -1 from clients, the broker stamps it
    16    1      magic, 2
    17    4      CRC-32C of byte 21 to the end
    21    2      attributes: bits 0-2 codec, 3 timestamp type, 4 transactional, 5 control, 6 delete horizon
    23    4      last offset delta: last offset minus base offset, kept by compaction
    27    8      base timestamp: the first record's; the delete horizon, where bit 6 is set
    35    8      max timestamp; with LogAppendTime the append time, which then holds for every record
    43    8      producer id, -1: none
    51    2      producer epoch, -1: none
    53    4      base sequence, -1: none
    57    4      count of the records that are there
    61    …      records (`hot.py`), as one compressed stream if there is a codec

Example, base offset 0, timestamp 1000, key "k", value "v":

    0000000000000000 0000003a ffffffff 02 716a6189 0000 00000000 00000000000003e8 00000000000003e8
    ffffffffffffffff ffff ffffffff 00000001 10 00 00 00 02 6b 02 76 00

Base offset, size, leader epoch and magic are outside of the checksum, so a broker can stamp them without touching it.
"""

from collections.abc import Iterable, Iterator
from struct import Struct
from typing import TYPE_CHECKING, Final

from fakekafka.binary import crc32c
from fakekafka.errors import UsageError
from fakekafka.ids import (
    NO_EPOCH,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_SEQUENCE,
    NO_TIMESTAMP,
    Buffer,
    CodecId,
    LeaderEpoch,
    Magic,
    Offset,
    ProducerEpoch,
    ProducerId,
    Sequence,
    TimestampMs,
)
from fakekafka.records import attributes as bits
from fakekafka.records import hot, xerial
from fakekafka.records.compression import GZIP, ZSTD, Decompressed, compress, decompress_part, pieces_together
from fakekafka.records.hot import Messages, Outline, Summary
from fakekafka.records.malformed import CorruptUnit, InvalidRecord, RecordsEndEarly, UndecodablePayload, UnknownCodec
from fakekafka.records.plugged import PLUGGED, PluggedCodec, PluggedCodecs
from fakekafka.records.record import Record, sequence_after

if TYPE_CHECKING:
    from fakekafka.records.inflating import Inflating

HEADER = Struct(">qiibIhiqqqhii")
HEADER_BYTES: Final = 61
HEAD = Struct(">qiibI")  # what the checksum does not cover, and the checksum itself
BODY = Struct(">hiqqqhii")  # the rest of the header
LEADER_EPOCH_AT = 12
CRC_AT = 17
ATTRIBUTES_AT = 21
LAST_OFFSET_DELTA_AT = 23
MAX_TIMESTAMP_AT = 35
KNOWN_ATTRIBUTES = bits.CODEC | bits.LOG_APPEND_TIME | bits.TRANSACTIONAL | bits.CONTROL | bits.DELETE_HORIZON


class RecordBatch:
    """A unit of format 2; a `Batch`. Raises `CorruptUnit` when the bytes are too few for a header."""

    magic: Final = 2
    base_offset: Offset
    leader_epoch: LeaderEpoch
    crc: int
    attributes: int
    last_offset_delta: int
    base_timestamp: TimestampMs
    max_timestamp: TimestampMs
    producer_id: ProducerId
    producer_epoch: ProducerEpoch
    base_sequence: Sequence
    count: int
    codec: CodecId
    plugged: PluggedCodecs | None = None
    """Knows codecs that Kafka does not have; set by the maker of the view."""
    _payload: Decompressed | None = None  # once it was needed

    def __init__(self, data: Buffer) -> None:
        if len(data) < HEADER_BYTES:
            raise CorruptUnit(f"a batch of {len(data)} bytes, of which the header needs {HEADER_BYTES}")
        self.data = data
        (
            self.base_offset,
            _,
            self.leader_epoch,
            _,
            self.crc,
            self.attributes,
            self.last_offset_delta,
            self.base_timestamp,
            self.max_timestamp,
            self.producer_id,
            self.producer_epoch,
            self.base_sequence,
            self.count,
        ) = HEADER.unpack_from(data)
        self.codec = self.attributes & bits.CODEC

    @property
    def size(self) -> int:
        return len(self.data)

    @property
    def last_offset(self) -> Offset:
        return self.base_offset + self.last_offset_delta

    @property
    def last_sequence(self) -> Sequence:
        return sequence_after(self.base_sequence, self.last_offset_delta)

    @property
    def timestamp_type(self) -> int:
        return bits.LOG_APPEND_TIME_TYPE if self.attributes & bits.LOG_APPEND_TIME else bits.CREATE_TIME_TYPE

    @property
    def is_transactional(self) -> bool:
        return bool(self.attributes & bits.TRANSACTIONAL)

    @property
    def is_control(self) -> bool:
        return bool(self.attributes & bits.CONTROL)

    @property
    def has_delete_horizon(self) -> bool:
        return bool(self.attributes & bits.DELETE_HORIZON)

    @property
    def delete_horizon_ms(self) -> TimestampMs | None:
        """The time from which the cleaner may drop the batch's tombstones or marker (KIP-534); None: not set."""
        return self.base_timestamp if self.has_delete_horizon else None

    def crc_ok(self) -> bool:
        return crc32c(self.data[ATTRIBUTES_AT:]) == self.crc

    @property
    def payload(self) -> Decompressed:
        """The records' bytes, decompressed as far as possible. Raises `UnknownCodec`."""
        if self._payload is None:
            try:
                self._payload = decompress_part(self.codec, self.data[HEADER_BYTES:])
            except UnknownCodec:
                if self.plugged is None or self.codec != PLUGGED:
                    raise
                self._payload = self._unplugged(self.plugged)
        return self._payload

    def _unplugged(self, plugged: PluggedCodecs) -> Decompressed:
        """The records' bytes out of a plug-in's stream, of which nothing is known if it is broken."""
        codec = plugged.of_batch(self.attributes)
        try:
            return Decompressed(codec.decompress(self.data[HEADER_BYTES:]), None)
        except UndecodablePayload as failure:
            return Decompressed(b"", failure)

    def records(self) -> Iterator[Record]:
        """Every record, read whole. Raises `InvalidRecord` or `UndecodablePayload`, maybe after some records."""
        if self._counted() == 0:
            return iter(())
        payload, failure = self.payload
        records = hot.read_records(
            payload, self.count, self.base_offset, self.base_timestamp, self.base_sequence, self.append_time
        )
        return _until(failure, records) if failure else records

    @property
    def append_time(self) -> TimestampMs | None:
        """The time that holds for every record of a LogAppendTime batch, otherwise None."""
        return self.max_timestamp if self.attributes & bits.LOG_APPEND_TIME else None

    def messages(self, magic: Magic, *, relative: bool, from_offset: Offset) -> Messages:
        """The records as messages of format 0 or 1; see `hot.messages_of`. Raises as reading all of `records`."""
        payload, failure = self.payload if self._counted() else (b"", None)
        try:
            messages = hot.messages_of(
                payload,
                self.count,
                self.base_offset,
                self.base_timestamp,
                self.append_time,
                magic,
                relative,
                from_offset,
            )
        except RecordsEndEarly:
            if failure:
                raise failure from None
            raise
        if failure:
            raise UndecodablePayload(str(failure))
        return messages

    def place(self, base_offset: Offset, leader_epoch: LeaderEpoch) -> None:
        """Write its place in the log into the unit, whose bytes must be writable."""
        unit = self.data
        assert not isinstance(unit, bytes)
        set_base_offset(unit, base_offset)
        set_leader_epoch(unit, leader_epoch)
        self.base_offset, self.leader_epoch = base_offset, leader_epoch

    def check(self, *, lengths: bool = True, outlines: list[Outline] | None = None) -> Summary:
        """Check the records' structure, skipping keys, values and headers; not for batches with a count of 0.

        `lengths`: see `hot.check_records`; the real reader ignores them in compressed batches only. Raises as
        `records`.
        """
        count = self._counted()
        if outlines is None and self._payload is None and GZIP <= self.codec <= ZSTD:
            from fakekafka.records.parts import check_in_parts  # many brokers see no compressed batch

            return check_in_parts(self.inflating(), count, lengths)
        payload, failure = self.payload
        try:
            summary, _, _ = hot.check_records(payload, count, lengths, outlines)
        except RecordsEndEarly:
            if failure:
                raise failure from None
            raise
        if failure:
            raise UndecodablePayload(str(failure))
        return summary

    def inflating(self) -> "Inflating":
        """The records' bytes, to be inflated part by part. Not for what a plug-in has compressed."""
        from fakekafka.records.inflating import Inflating  # many brokers see no compressed batch

        return Inflating(pieces_together(self.codec, self.data[HEADER_BYTES:]))

    def timestamp(self, delta: int) -> TimestampMs:
        """The stored timestamp of a record with this delta, whatever the timestamp type."""
        return hot.int64(self.base_timestamp + delta)

    def _counted(self) -> int:
        if self.count < 0:
            raise InvalidRecord(f"a batch of {self.count} records")
        return self.count


def plugged_batch(data: Buffer, plugged: PluggedCodecs) -> RecordBatch:
    """The view of a unit that may be compressed by a plug-in."""
    batch = RecordBatch(data)
    batch.plugged = plugged
    return batch


def _until(failure: UndecodablePayload, records: Iterator[Record]) -> Iterator[Record]:
    """Records of a broken stream: those that came out of it, then its failure."""
    try:
        yield from records
    except RecordsEndEarly:
        raise failure from None
    # All records were there. A reader that looks for more meets the fault.
    raise UndecodablePayload(str(failure))


# ---- in place


def set_base_offset(unit: bytearray | memoryview, offset: Offset) -> None:
    """Write the base offset. No checksum covers it."""
    unit[:8] = offset.to_bytes(8, "big", signed=True)


def set_leader_epoch(unit: bytearray | memoryview, epoch: LeaderEpoch) -> None:
    """Write the leader epoch. No checksum covers it."""
    unit[LEADER_EPOCH_AT : LEADER_EPOCH_AT + 4] = epoch.to_bytes(4, "big", signed=True)


def set_max_timestamp(
    unit: bytearray | memoryview, timestamp_type: int, timestamp: TimestampMs, *, known: int = KNOWN_ATTRIBUTES
) -> None:
    """Write max timestamp and timestamp type, and the CRC. Where both are equal already, nothing changes.

    Otherwise the attributes are rewritten from the bits that the broker knows, and lose all others (bits 7 to 15,
    and before 3.1 the delete horizon): `known`.
    """
    attributes = int.from_bytes(unit[ATTRIBUTES_AT : ATTRIBUTES_AT + 2], "big")
    field = timestamp.to_bytes(8, "big", signed=True)
    if field == bytes(unit[MAX_TIMESTAMP_AT : MAX_TIMESTAMP_AT + 8]) and timestamp_type == bits.timestamp_type(
        attributes
    ):
        return
    attributes = bits.with_timestamp_type(attributes & known, timestamp_type)
    unit[ATTRIBUTES_AT : ATTRIBUTES_AT + 2] = attributes.to_bytes(2, "big")
    unit[MAX_TIMESTAMP_AT : MAX_TIMESTAMP_AT + 8] = field
    unit[CRC_AT : CRC_AT + 4] = crc32c(unit[ATTRIBUTES_AT:]).to_bytes(4, "big")


# ---- new batches


def build(
    records: Iterable[Record],
    *,
    base_offset: Offset | None = None,
    last_offset: Offset | None = None,
    codec: CodecId = 0,
    append_time: TimestampMs | None = None,
    leader_epoch: LeaderEpoch = NO_EPOCH,
    producer_id: ProducerId = NO_PRODUCER_ID,
    producer_epoch: ProducerEpoch = NO_PRODUCER_EPOCH,
    base_sequence: Sequence = NO_SEQUENCE,
    transactional: bool = False,
    control: bool = False,
    delete_horizon_ms: TimestampMs | None = None,
    level: int | None = None,
    snappy_block: int = xerial.BLOCK,
    plugged: PluggedCodec | None = None,
) -> bytes:
    """One batch of `records` (MemoryRecordsBuilder). No records: no bytes.

    `base_offset`, `last_offset`: the first and last record's by default; compaction keeps them where they were.
    `append_time`: LogAppendTime, of this value; the records' own timestamps are written all the same.
    `plugged`: a codec that is not Kafka's, in place of `codec`.
    Raises `UsageError` for offsets that do not fit. See `compression.compress` for the rest.
    """
    rows = list(records)
    if not rows:
        return b""
    first = rows[0].offset if base_offset is None else base_offset
    last = rows[-1].offset if last_offset is None else last_offset
    base_timestamp = rows[0].timestamp if delete_horizon_ms is None else delete_horizon_ms
    payload, highest = hot.write_records(rows, first, base_timestamp)
    flags = (
        (codec if plugged is None else plugged.attributes)
        | (bits.LOG_APPEND_TIME if append_time is not None else 0)
        | (bits.TRANSACTIONAL if transactional else 0)
        | (bits.CONTROL if control else 0)
        | (bits.DELETE_HORIZON if delete_horizon_ms is not None else 0)
    )
    max_timestamp = highest if append_time is None else append_time
    body = BODY.pack(flags, _delta(first, last), base_timestamp, max_timestamp, producer_id, producer_epoch,
                     base_sequence, len(rows))  # fmt: skip
    if plugged is not None:
        return _sealed(first, leader_epoch, body, plugged.compress(payload))
    return _sealed(first, leader_epoch, body, compress(codec, payload, level=level, snappy_block=snappy_block))


def empty(batch: RecordBatch) -> bytes:
    """What the cleaner leaves of a batch whose records are all gone: 61 bytes that keep its offsets and its producer's
    state.

    Codec and delete horizon are dropped, as is the base timestamp (DefaultRecordBatch.writeEmptyHeader).
    """
    kept = batch.attributes & (bits.LOG_APPEND_TIME | bits.TRANSACTIONAL | bits.CONTROL)
    body = BODY.pack(kept, batch.last_offset_delta, NO_TIMESTAMP, batch.max_timestamp, batch.producer_id,
                     batch.producer_epoch, batch.base_sequence, 0)  # fmt: skip
    return _sealed(batch.base_offset, batch.leader_epoch, body)


def _delta(first: Offset, last: Offset) -> int:
    if not 0 <= last - first <= hot.MAX_INT32:
        raise UsageError(f"a batch cannot reach from offset {first} to {last}")
    return last - first


def _sealed(base_offset: Offset, leader_epoch: LeaderEpoch, body: bytes, records: bytes = b"") -> bytes:
    """A unit around everything that the checksum covers: the rest of its header, and its records."""
    checksum = crc32c(records, crc32c(body))
    head = HEAD.pack(base_offset, len(body) + len(records) + 9, leader_epoch, 2, checksum)
    return b"".join((head, body, records))
