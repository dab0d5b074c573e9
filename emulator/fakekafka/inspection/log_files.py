"""The rows of a log file: its batches, and with `records` their records."""

from collections.abc import Callable, Iterator

from fakekafka.errors import MalformedBytes
from fakekafka.ids import Position, TopicName
from fakekafka.inspection.internal_records import control_meaning, meaning
from fakekafka.inspection.row import Row, Value
from fakekafka.log.files import File
from fakekafka.log.units import walk
from fakekafka.records.batch import Batch, Dialect
from fakekafka.records.malformed import UnknownCodec
from fakekafka.records.record import Record
from fakekafka.records.scan import view
from fakekafka.records.v2 import RecordBatch

CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
TIMESTAMP_TYPES = {-1: None, 0: "CreateTime", 1: "LogAppendTime"}


def log_rows(
    file: File,
    topic: TopicName,
    records: bool,
    seen: Callable[[int], None],
    dialect: Dialect | None = None,
) -> Iterator[Row]:
    """The rows of a log. `seen` is called with the number of bytes as they are read. If the file cannot be read to its
    end, the last row is "broken". `dialect`: see `scan.view`.
    """
    end = 0
    try:
        for chunk, unit, position in walk(file, small_size_ends=False):
            end = position + unit.size
            seen(unit.size)
            batch = view(chunk, unit, dialect)
            yield Row("batch", position, _batch(batch))
            if records:
                yield from _records(batch, topic, position)
    except MalformedBytes as wrong:
        yield Row("broken", end, {"why": str(wrong), "bytes": file.size - end})
        return
    if end < file.size:
        yield Row("broken", end, {"why": "no whole batch", "bytes": file.size - end})


def _batch(batch: Batch) -> dict[str, Value]:
    fields: dict[str, Value] = {"magic": batch.magic, "size": batch.size}
    try:
        fields |= {"baseOffset": batch.base_offset, "lastOffset": batch.last_offset, "count": batch.count}
    except MalformedBytes as wrong:
        fields |= {"lastOffset": batch.last_offset, "unreadable": str(wrong)}
    fields |= {"codec": CODECS[batch.codec] if batch.codec < len(CODECS) else _plugin(batch), "crcOk": batch.crc_ok()}
    if batch.magic > 0:
        fields |= {"maxTimestamp": batch.max_timestamp, "timestampType": TIMESTAMP_TYPES[batch.timestamp_type]}
    if batch.magic > 1:
        fields |= _of_format_2(batch)
    return fields


def _plugin(batch: Batch) -> Value:
    """The plug-in that has compressed a batch; the codec's number if that is all that is known."""
    try:
        if isinstance(batch, RecordBatch) and batch.plugged is not None:
            return batch.plugged.of_batch(batch.attributes).alias
    except UnknownCodec:
        pass
    return batch.codec


def _of_format_2(batch: Batch) -> dict[str, Value]:
    return {
        "leaderEpoch": batch.leader_epoch,
        "producerId": batch.producer_id,
        "producerEpoch": batch.producer_epoch,
        "baseSequence": batch.base_sequence,
        "transactional": batch.is_transactional,
        "control": batch.is_control,
        "deleteHorizon": batch.has_delete_horizon,
    }


def _records(batch: Batch, topic: TopicName, position: Position) -> Iterator[Row]:
    try:
        for record in batch.records():
            yield Row("record", None, _record(batch, record, topic), depth=1)
    except MalformedBytes as wrong:
        yield Row("broken", position, {"why": str(wrong)}, depth=1)


def _record(batch: Batch, record: Record, topic: TopicName) -> dict[str, Value]:
    fields: dict[str, Value] = {"offset": record.offset}
    if batch.magic > 0:
        fields["timestamp"] = record.timestamp
    fields |= {"key": record.key, "value": record.value}
    if record.headers:
        fields["headers"] = record.headers
    meant = control_meaning(record) if batch.is_control else meaning(topic, record)
    return fields | (meant or {})
