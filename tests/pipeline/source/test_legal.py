"""What Kafka refuses is refused in one sentence, before anything is written, and no path leaves the target."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from fakekafka.errors import UsageError
from fakekafka_spark import columns
from fakekafka_spark.source.legal import check_records
from fakekafka_spark.source.log_bounds import Bounds, as_text
from fakekafka_spark.source.writer import KafkalogWriter

from tests.pipeline.source.rows import SCHEMA, batch, writer

GOOD = ("t", 0, 0, b"v", 1000)


@pytest.mark.parametrize(
    ("column", "value", "match"),
    [
        (0, "../EVIL", r"'\.\./EVIL' is not a topic's name"),
        (0, "/etc/EVIL", "is not a topic's name"),
        (0, "..", "is not a topic's name"),
        (0, ".", "is not a topic's name"),
        (0, "", "is not a topic's name"),
        (0, "a b", "is not a topic's name"),
        (0, "ä", "is not a topic's name"),
        (0, "t\n", "is not a topic's name"),
        (0, "t" * 250, "has 250 letters: Kafka allows 249"),
        (0, None, "column topic holds a null"),
        (1, -1, "partition -1 is out of range"),
        (1, None, "column partition holds a null"),
        (2, -5, "offset -5 is out of range"),
        (2, None, "column offset holds a null"),
        (2, 2**63 - 1, "offset 9223372036854775807 is out of range"),
        (4, -2, "timestamp_ms -2 is out of range"),
    ],
)
def test_what_kafka_refuses_is_refused(tmp_path: Path, column: int, value: object, match: str) -> None:
    target = tmp_path / "target"
    one = writer(target)
    rows = [GOOD, (*GOOD[:column], value, *GOOD[column + 1 :])]
    with pytest.raises(UsageError, match=match) as refused:
        one.write(iter([batch(rows)]))
    assert len(str(refused.value).splitlines()) == 1
    one.abort([])
    assert list(tmp_path.iterdir()) == []


def test_longest_names_and_highest_numbers_are_taken(tmp_path: Path) -> None:
    one = writer(tmp_path)
    rows = [("t" * 249, 99_999, 2**62, b"v", None)]
    one.commit([one.write(iter([batch(rows)]))])
    (row,) = columns.table(tmp_path, columns="topic,partition,offset,timestamp_ms").to_pylist()
    assert tuple(row.values()) == ("t" * 249, 99_999, 2**62, -1)


def test_a_partition_needs_32_bits() -> None:
    made = batch([GOOD])
    large = [pa.array([99_999_999_999]) if name == "partition" else made.column(name) for name in made.schema.names]
    with pytest.raises(UsageError, match="partition 99999999999 is out of range: it must be between 0 and 2147483647"):
        check_records(pa.RecordBatch.from_arrays(large, made.schema.names), frozenset(made.schema.names))


def test_a_timestamp_has_one_of_three_types() -> None:
    made: Any = batch([GOOD]).append_column("timestampType", pa.array([7]))
    with pytest.raises(UsageError, match="timestampType 7 is out of range"):
        check_records(made, frozenset(made.schema.names))


@pytest.mark.parametrize("name", ["../x-0", "/tmp/x-0", "x", "x-01", "x-0/../../y-0", "..-0", f"{'x' * 250}-0"])
def test_no_log_without_records_leaves_the_target(tmp_path: Path, name: str) -> None:
    """Conversions use this option to say where logs begin and end, for partitions without records as well."""
    options = {"path": str(tmp_path / "target"), "logbounds": as_text({name: Bounds(0, 5)})}
    with pytest.raises(UsageError, match=r"is not (a topic's name|the name of a partition's)|has 250 letters"):
        KafkalogWriter(options, SCHEMA, overwrite=True)
    assert list(tmp_path.iterdir()) == []


def test_a_header_needs_a_key() -> None:
    kind = pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())]))
    made: Any = batch([GOOD]).append_column("headers", pa.array([[{"key": None, "value": b"x"}]], kind))
    with pytest.raises(UsageError, match="a header has a null for its key"):
        check_records(made, frozenset(made.schema.names))


def test_only_mounted_file_systems_are_written_to(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="object stores cannot rename"):
        writer("s3://bucket/made")
    for url in (f"file://{tmp_path}/a%20b", f"file:{tmp_path}/c"):
        one = writer(url)
        one.commit([one.write(iter([batch([GOOD])]))])
        assert columns.table(url).num_rows == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a b", "c"]
