"""The view `records`, made one record at a time with fakekafka's own reader, which the vectorised one must equal."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fakekafka.errors import MalformedBytes
from fakekafka.ids import NO_OFFSET
from fakekafka.log import names
from fakekafka.records.compression import CODEC_NAMES
from fakekafka.records.record import Record
from fakekafka.records.scan import Unit, units_in_file, view


def rows_of(path: Path) -> list[dict[str, Any]]:
    """All columns of all records in a sound partition's segments, control records included."""
    return [row for log in sorted(path.glob(f"*{names.LOG}")) for row in _of_segment(log)]


def readable(unit: bytes) -> tuple[list[Record], str | None]:
    """The records of one unit, as far as they can be read, and what stopped the reader."""
    found: list[Record] = []
    try:
        for record in view(unit, Unit(0, NO_OFFSET, len(unit), unit[16])).records():
            found.append(record)  # records before a fault count
    except MalformedBytes as wrong:
        return found, str(wrong)
    return found, None


def _of_segment(log: Path) -> Iterator[dict[str, Any]]:
    data = log.read_bytes()
    named = names.partition_of(log.parent.name)
    assert named is not None
    for unit in units_in_file(data):
        batch = view(data, unit)
        for record in batch.records():
            yield {
                "key": record.key,
                "value": record.value,
                "topic": named[0],
                "partition": named[1],
                "offset": record.offset,
                "timestampType": record.timestamp_type,
                "headers": [{"key": key, "value": value} for key, value in record.headers] or None,
                "timestamp_ms": record.timestamp,
                "sequence": record.sequence,
                "magic": unit.magic,
                "codec": CODEC_NAMES[batch.codec],
                "segment": names.offset_of(log.name),
                "position": unit.position,
                "leader_epoch": batch.leader_epoch,
                "producer_id": batch.producer_id,
                "producer_epoch": batch.producer_epoch,
                "base_sequence": batch.base_sequence,
                "is_transactional": batch.is_transactional,
                "is_control": batch.is_control,
            }
