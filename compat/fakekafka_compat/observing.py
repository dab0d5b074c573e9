"""What a stage shows after a scenario, as observations. What is stored comes from the log and never from the client."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from fakekafka import StoredRecord
from fakekafka_spark.observations import Observation, hash_of, hash_of_headers

from fakekafka_compat.records import Json, Record, raw, uid_of
from fakekafka_compat.stage import TOPIC, Stage

TIMESTAMP_TYPES: Final = {None: -1, "CreateTime": 0, "LogAppendTime": 1}


def observed(stage: Stage) -> Iterator[Observation]:
    """The observations: records, then reports of the drivers, then what the broker shows."""
    acked = {event["uid"]: event for event in stage.events if event["event"] == "acked"}
    for ordinal, record in enumerate(stage.records):
        yield _produced(ordinal, record, acked.get(record.uid))
    formats: dict[int | None, int] = {}
    for row in _stored(stage):
        formats[row.uid] = row.magic or 0
        yield row
    consumed = [event for event in stage.events if event["event"] == "consumed"]
    for ordinal, event in enumerate(consumed):
        yield _consumed(ordinal, event, formats)
    yield from _said(stage)
    yield from stage.facts
    yield from timestamp_types(stage.kafka.records(stage.topic))
    yield from _types_seen(consumed, formats)
    yield Observation(
        "fact", name="failures in the broker", value="; ".join(map(repr, stage.kafka.failures)), expected=""
    )
    yield Observation("fact", name="last requests", value="", text=stage.kafka.summary())


def _produced(ordinal: int, record: Record, acked: Json | None) -> Observation:
    return _record("produced", record.key, record.value, record.headers)._replace(
        partition=record.partition,
        offset=None if acked is None else acked["offset"],
        ordinal=ordinal,
        timestamp=record.timestamp,
        timestamp_type=None if record.timestamp is None else 0,
        want=record.want,
    )


def _stored(stage: Stage) -> Iterator[Observation]:
    for ordinal, record in enumerate(stage.kafka.records(stage.topic)):
        yield _record("stored", record.key, record.value, record.headers)._replace(
            partition=record.partition,
            offset=record.offset,
            ordinal=ordinal,
            timestamp=record.timestamp,
            timestamp_type=TIMESTAMP_TYPES[record.timestamp_type],
            magic=record.magic,
        )


def timestamp_types(records: Iterable[StoredRecord]) -> Iterator[Observation]:
    """The timestamp types of records whose format has one. No scenario asks for append times, so a broker that stores
    its own time is at fault, although what consumers get then agrees with the log.
    """
    types = sorted({str(record.timestamp_type) for record in records if record.magic >= 1})
    if types:
        yield Observation("fact", name="timestamp types", value=", ".join(types), expected="CreateTime")


def _types_seen(consumed: Iterable[Json], formats: dict[int | None, int]) -> Iterator[Observation]:
    """The timestamp types, by number, that clients reported for records that have one on their whole way."""
    rows = [_consumed(0, event, formats) for event in consumed]
    types = sorted({row.timestamp_type for row in rows if row.magic and row.timestamp_type is not None})
    if types:
        yield Observation("fact", name="timestamp types that readers saw", value=_joined(types), expected="0")


def _joined(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _consumed(ordinal: int, event: Json, formats: dict[int | None, int]) -> Observation:
    """A row for a consumed record. `formats`: those of the stored records. A client gets a record as it is stored, or
    in the newest format it can read.
    """
    headers = event.get("headers")
    named = None if headers is None else [(name, raw(value)) for name, value in headers]
    row = _record("consumed", raw(event["key"]), raw(event["value"]), named)
    reads = event["reads"]
    return row._replace(
        reader=event["reader"],
        partition=event["partition"],
        offset=event["offset"],
        ordinal=ordinal,
        timestamp=_in_64_bits(event.get("timestamp")),
        timestamp_type=event.get("timestamp_type"),
        magic=None if reads is None else min(reads, formats.get(row.uid, reads)),
    )


def _in_64_bits(timestamp: int | None) -> int | None:
    """A timestamp clipped to 64 bits: clients may turn -1 into something else, and a column of the table holds no
    more.
    """
    return None if timestamp is None else max(-(1 << 63), min(timestamp, (1 << 63) - 1))


def _record(stage: Any, key: bytes | None, value: bytes | None, headers: Any) -> Observation:
    headers_hash = None if headers is None else hash_of_headers(headers)
    return Observation(stage, uid_of(key, value), topic=TOPIC, key_hash=hash_of(key), value_hash=hash_of(value),
                       headers_hash=headers_hash)  # fmt: skip


def _said(stage: Stage) -> Iterator[Observation]:
    """What the drivers reported besides records. A refusal is not a fault if the record must be refused."""
    unwanted = {record.uid for record in stage.records if record.want == "never"}
    for event in stage.events:
        if event["event"] == "error" or (event["event"] == "refused" and event["uid"] not in unwanted):
            yield Observation("fact", name="error", value=event["error"], expected="")
        elif event["event"] == "refused":
            yield Observation("fact", name="refused", value=f"record {event['uid']}", text=event["error"])
        elif event["event"] == "told":
            yield Observation("fact", name="message", value=event["error"])
