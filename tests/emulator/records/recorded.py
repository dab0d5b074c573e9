"""Units that real brokers stored: see the README beside the samples."""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from fakekafka.records import hot, v2, wrapper
from fakekafka.records.batch import Batch
from fakekafka.records.message import Message
from fakekafka.records.record import Header

SAMPLES = Path(__file__).parents[2] / "golden" / "records" / "samples.json"


class Sample(NamedTuple):
    release: str
    what: str
    level: int | None
    data: bytes
    records: list[tuple[int, int, bytes | None, bytes | None, tuple[Header, ...]]]

    @property
    def id(self) -> str:
        return f"{self.release} {self.what}"


@cache
def samples() -> list[Sample]:
    return [
        Sample(
            row["release"],
            row["what"],
            row["level"],
            bytes.fromhex(row["hex"]),
            [
                (offset, timestamp, _bytes(key), _bytes(value), tuple((k, _bytes(v)) for k, v in headers))
                for offset, timestamp, key, value, headers in row["records"]
            ],
        )
        for row in json.loads(SAMPLES.read_text("utf-8"))
    ]


def rebuilt(batch: Batch, level: int | None) -> bytes:
    """What our builders make of the contents of the unit."""
    if isinstance(batch, Message):
        if not batch.codec:
            return hot.message(batch.magic, batch.last_offset, batch.max_timestamp, batch.attributes, batch.key,
                               batch.value)  # fmt: skip
        inside, failure = wrapper.unwrap(batch.magic, batch.codec, batch.value)
        assert failure is None
        return wrapper.wrap(batch.magic, batch.codec, inside, offset=batch.last_offset, timestamp=batch.max_timestamp,
                            append_time=batch.timestamp_type == 1, level=level)  # fmt: skip
    assert isinstance(batch, v2.RecordBatch)
    if not batch.count:
        return v2.empty(batch)
    stored = hot.read_records(batch.payload.data, batch.count, batch.base_offset, batch.base_timestamp,
                              batch.base_sequence, None)  # fmt: skip
    return v2.build(
        stored,
        base_offset=batch.base_offset,
        last_offset=batch.last_offset,
        codec=batch.codec,
        append_time=batch.max_timestamp if batch.timestamp_type else None,
        leader_epoch=batch.leader_epoch,
        producer_id=batch.producer_id,
        producer_epoch=batch.producer_epoch,
        base_sequence=batch.base_sequence,
        transactional=batch.is_transactional,
        control=batch.is_control,
        delete_horizon_ms=batch.delete_horizon_ms,
        level=level,
    )


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode("latin-1")
