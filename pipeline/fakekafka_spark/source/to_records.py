"""Rows of a DataFrame as records to be written, from Arrow batches."""

from collections.abc import Iterator
from itertools import repeat
from typing import Any

from fakekafka.errors import UsageError
from fakekafka.ids import NO_TIMESTAMP
from fakekafka.records.attributes import CREATE_TIME_TYPE
from fakekafka.records.record import Record
from pyspark.sql.types import StructType

from fakekafka_spark.source.legal import LATEST_MS, check_numbers, check_records
from fakekafka_spark.views import RECORDS

NEEDED = ("topic", "partition", "offset", "value")
TAKEN = frozenset(RECORDS.default) | {"timestamp_ms"}


def columns_of(schema: StructType) -> frozenset[str]:
    """The columns to be written. Raises `UsageError` for missing and unknown ones, and for wrong types."""
    names = frozenset(schema.fieldNames())
    if missing := [name for name in NEEDED if name not in names]:
        raise UsageError(f"to write records, the columns {', '.join(missing)} are needed, too")
    for field in schema.fields:
        if field.name not in TAKEN:
            raise UsageError(
                f"column {field.name!r} cannot be written: drop it. Written are {', '.join(sorted(TAKEN))}"
            )
        if field.dataType.simpleString() != RECORDS.columns[field.name]:
            raise UsageError(f"column {field.name} must be {RECORDS.columns[field.name]}: cast it before writing")
    return names


def records_of(batch: Any, columns: frozenset[str]) -> Iterator[tuple[str, Record]]:
    """The name of each row's partition ("orders-0"), and its record. Raises `UsageError` for what Kafka refuses."""

    check_records(batch, columns)

    def column(name: str, default: object = None) -> Any:
        return batch.column(name).to_pylist() if name in columns else repeat(default, batch.num_rows)

    partitions = map("{}-{}".format, column("topic"), column("partition"))
    types = column("timestampType", CREATE_TIME_TYPE)
    fields = zip(column("offset"), _milliseconds(batch, columns), types, column("key"), column("value"))
    for partition, record, headers in zip(partitions, fields, column("headers")):
        pairs = tuple((header["key"], header["value"]) for header in headers) if headers else ()
        yield partition, Record(*record, pairs)


def _milliseconds(batch: Any, columns: frozenset[str]) -> Any:
    import pyarrow as pa

    if "timestamp_ms" in columns:
        return batch.column("timestamp_ms").fill_null(NO_TIMESTAMP).to_pylist()
    if "timestamp" not in columns:
        return repeat(NO_TIMESTAMP, batch.num_rows)
    microseconds = batch.column("timestamp").cast(pa.int64())
    check_numbers(microseconds, "timestamp (in microseconds)", 1000 * NO_TIMESTAMP, LATEST_MS, nullable=True)
    return [NO_TIMESTAMP if it is None else it // 1000 for it in microseconds.to_pylist()]
