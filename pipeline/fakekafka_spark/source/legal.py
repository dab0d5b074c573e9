"""What Kafka accepts as a topic, a partition, an offset, a timestamp and a header key.

The rules of `org.apache.kafka.common.internals.Topic` (since 0.10.0 a name has at most 249 letters, so that a
directory's name has room for the partition), of `TopicPartition`, of `ProducerRecord` and of `RecordHeader`.
"""

import re
from typing import Any, Final

from fakekafka.errors import UsageError
from fakekafka.ids import NO_TIMESTAMP

LONGEST_TOPIC: Final = 249
HIGHEST_PARTITION: Final = (1 << 31) - 1
HIGHEST_OFFSET: Final = (1 << 63) - 2
"""The offset after it is the end of the log, and must fit into 64 bits, too."""
LATEST_MS: Final = (1 << 63) - 1
_LEGAL: Final = re.compile(r"[a-zA-Z0-9._-]+")


def check_topic(topic: str | None) -> None:
    """Raises `UsageError` for a name that no topic can have."""
    if topic is None:
        raise UsageError("the column topic holds a null: every record needs a topic")
    if len(topic) > LONGEST_TOPIC:
        raise UsageError(f"the topic {topic[:20]!r}… has {len(topic)} letters: Kafka allows {LONGEST_TOPIC}")
    if topic in ("", ".", "..") or not _LEGAL.fullmatch(topic):
        raise UsageError(f"{topic!r} is not a topic's name: it may have only ASCII letters, digits, '.', '_' and '-'")


def check_numbers(column: Any, name: str, lowest: int, highest: int, *, nullable: bool = False) -> None:
    """Raises `UsageError` for a number out of bounds in an Arrow array, and for a null unless nulls are allowed."""
    import pyarrow.compute as pc

    if column.null_count and not nullable:
        raise UsageError(f"the column {name} holds a null: every record needs one")
    bounds = pc.min_max(column).as_py()
    for value in (bounds["min"], bounds["max"]):
        if value is not None and not lowest <= value <= highest:
            raise UsageError(f"{name} {value} is out of range: it must be between {lowest} and {highest}")


def check_records(batch: Any, columns: frozenset[str]) -> None:
    """Raises `UsageError` for what no log of Kafka's can hold in a batch of rows."""
    for topic in batch.column("topic").unique().to_pylist():
        check_topic(topic)
    check_numbers(batch.column("partition"), "partition", 0, HIGHEST_PARTITION)
    check_numbers(batch.column("offset"), "offset", 0, HIGHEST_OFFSET)
    if "timestamp_ms" in columns:
        check_numbers(batch.column("timestamp_ms"), "timestamp_ms", NO_TIMESTAMP, LATEST_MS, nullable=True)
    if "timestampType" in columns:
        check_numbers(batch.column("timestampType"), "timestampType", -1, 1)
    if "headers" in columns and _has_null_key(batch.column("headers")):
        raise UsageError("a header has a null for its key: Kafka allows that for values only")


def _has_null_key(headers: Any) -> bool:
    pairs = headers.flatten()
    return bool(pairs.null_count or pairs.field("key").null_count)
