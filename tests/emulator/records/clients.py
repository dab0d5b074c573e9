"""The client libraries' own record codecs, so that ours can be compared with them in both directions."""

import warnings
from collections.abc import Callable, Iterable
from typing import Any

from fakekafka.records.record import Record

Plain = tuple[int, int, int, bytes | None, bytes | None, tuple[tuple[str, bytes | None], ...]]

# What each library can do. LZ4 of format 0 needs a package that neither library installs.
READABLE = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (1, 3), (2, 0), (2, 1), (2, 2), (2, 3), (2, 4)]


def plain(records: Iterable[Record]) -> list[Plain]:
    """Our records as both libraries can express them: without a timestamp the type is 0."""
    return [(r.offset, r.timestamp, max(r.timestamp_type, 0), r.key, r.value, r.headers) for r in records]


def _kafka_python_memory_records() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # kafka-python reads its resources in a deprecated way
        from kafka.record.memory_records import MemoryRecords

    return MemoryRecords


def _aiokafka_memory_records() -> Any:
    from aiokafka.record.memory_records import MemoryRecords

    return MemoryRecords


def _kafka_python_builder(magic: int, codec: int) -> Any:
    _kafka_python_memory_records()  # imported first there, where the warning is ignored
    if magic == 2:
        from kafka.record.default_records import DefaultRecordBatchBuilder

        return DefaultRecordBatchBuilder(2, codec, False, -1, -1, -1, 1 << 20)
    from kafka.record.legacy_records import LegacyRecordBatchBuilder

    return LegacyRecordBatchBuilder(magic, codec, 1 << 20)


def _aiokafka_builder(magic: int, codec: int) -> Any:
    if magic == 2:
        from aiokafka.record.default_records import DefaultRecordBatchBuilder

        return DefaultRecordBatchBuilder(2, codec, 0, -1, -1, -1, 1 << 20)
    from aiokafka.record.legacy_records import LegacyRecordBatchBuilder

    return LegacyRecordBatchBuilder(magic, codec, 1 << 20)


READERS: dict[str, Callable[[], Any]] = {
    "kafka-python": _kafka_python_memory_records,
    "aiokafka": _aiokafka_memory_records,
}
BUILDERS: dict[str, Callable[[int, int], Any]] = {
    "kafka-python": _kafka_python_builder,
    "aiokafka": _aiokafka_builder,
}


def read_by(client: str, data: bytes) -> list[Plain]:
    """The records that a client's own reader finds; every CRC is checked."""
    found: list[Plain] = []
    batches = READERS[client]()(data)
    while batches.has_next():
        batch = batches.next_batch()
        assert batch.validate_crc()
        found += [
            (
                r.offset,
                -1 if r.timestamp is None else r.timestamp,
                r.timestamp_type or 0,
                r.key,
                r.value,
                tuple((k, v) for k, v in r.headers),
            )
            for r in batch
        ]
    return found


def built_by(client: str, magic: int, codec: int, rows: list[Record]) -> bytes:
    """The rows as a client's producer would send them; offsets count from 0."""
    builder = BUILDERS[client](magic, codec)
    for i, r in enumerate(rows):
        timestamp = r.timestamp if magic else None
        if magic == 2:
            assert builder.append(i, timestamp, r.key, r.value, list(r.headers)) is not None
        else:
            assert builder.append(i, timestamp, r.key, r.value)
    return bytes(builder.build())
