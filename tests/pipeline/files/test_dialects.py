"""The pipeline reads what drafts have written: batches of compression plug-ins, and sets of KIP-98's first draft."""

from pathlib import Path
from typing import Any

import pytest
from fakekafka import FakeKafka
from fakekafka.inspection.directory_check import check_directory
from fakekafka.inspection.dump import dump
from fakekafka.log.drafts.wide_index import ENTRY
from fakekafka.plugins.installed import installed
from fakekafka.records import v2
from fakekafka.records.drafts.first_set import is_first_set
from fakekafka.records.scan import batches
from fakekafka_spark import audit, columns, convert
from fakekafka_spark.wanted import DamagedLog
from pyspark.sql import SparkSession

from tests.support.librdkafka import librdkafka_producer


@pytest.fixture
def log_dir(tmp_path: Path) -> Path:
    return plugged(tmp_path, "KIP-984")


def plugged(tmp_path: Path, draft: str) -> Path:
    with FakeKafka("3.9", drafts=[draft], log_dir=tmp_path / "logs").boot() as kafka:
        kafka.plugins.register("snappyPlugin")
        kafka.plugins.register("lzmaPlugin")
        kafka.create_topic("t", config={"compression.type": "snappyPlugin"})
        for n in range(3):
            kafka.send("t", b"value %d" % n * 9, key=b"k")
    return tmp_path / "logs"


def values(log_dir: Path, **options: Any) -> list[bytes]:
    table = columns.table(log_dir, topics=["t"], columns=["offset", "value"], **options)
    return [row["value"] for row in sorted(table.to_pylist(), key=lambda row: row["offset"])]


@pytest.mark.statement("S3-27")
def test_records_of_a_plugin_are_read(log_dir: Path) -> None:
    assert values(log_dir) == [b"value %d" % n * 9 for n in range(3)]
    found = columns.table(log_dir, "batches", topics=["t"], columns=["codec"])
    assert set(found["codec"].to_pylist()) == {"5"}


@pytest.mark.statement("S3-28")
def test_a_plugin_that_is_not_installed_is_named(log_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fakekafka.plugins.known.installed", lambda: {"lzmaPlugin": installed()["lzmaPlugin"]})
    with pytest.raises(DamagedLog, match="Unknown compression name: snappyPlugin is not installed here"):
        values(log_dir)


def test_a_log_of_a_plugin_is_converted_into_a_codec_of_kafkas(
    spark: SparkSession, log_dir: Path, tmp_path: Path
) -> None:
    expected = values(log_dir)
    convert(spark, log_dir, tmp_path / "made", release="2.3", codec="gzip").collect()
    assert values(tmp_path / "made") == expected
    found = columns.table(tmp_path / "made", "batches", topics=["t"], columns=["codec"])
    assert set(found["codec"].to_pylist()) == {"gzip"}


@pytest.mark.statement("S3-9", "S3-28")
def test_a_conversion_names_the_plugin_that_is_not_installed(
    spark: SparkSession, log_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spark's workers have the code that is installed beside them, so the log has an alias that no plug-in has."""
    (registry,) = (log_dir / "plugin-java-topic-0").glob("*.log")
    data = registry.read_bytes()
    (batch,) = list(batches(data))[:1]
    rows = [row._replace(value=(row.value or b"").replace(b"snappyPlugin", b"noSuchPlugin")) for row in batch.records()]
    rest = data[batch.size :]
    registry.write_bytes(v2.build(rows, leader_epoch=0) + rest)
    with pytest.raises(Exception, match="Unknown compression name: noSuchPlugin is not installed here"):
        convert(spark, log_dir, tmp_path / "made", release="2.3", codec="gzip").collect()
    assert not list((tmp_path / "made").rglob("*.log"))


@pytest.mark.statement("S3-27")
def test_spark_reads_records_of_a_plugin(spark: SparkSession, log_dir: Path) -> None:
    frame = spark.read.format("kafkalog").option("topic", "t").load(str(log_dir))
    assert sorted(bytes(row.value) for row in frame.collect()) == [b"value %d" % n * 9 for n in range(3)]


@pytest.mark.statement("S3-18", "S3-27")
def test_the_cluster_file_says_where_the_id_is(tmp_path: Path) -> None:
    log_dir = plugged(tmp_path, "KIP-984:position=10")
    assert values(log_dir) == [b"value %d" % n * 9 for n in range(3)]
    (file,) = (log_dir / "t-0").glob("*.log")
    assert {row.fields["codec"] for row in dump(file) if row.kind == "batch"} == {"snappyPlugin"}
    assert [row.fields["value"] for row in dump(file) if row.kind == "record"] == values(log_dir)
    assert list(check_directory(log_dir)) == []


# ---- KIP-98's first draft


@pytest.fixture
def first_sets(tmp_path: Path) -> Path:
    """A log of the draft: plain and compressed sets, a transaction, and internal topics as they were shipped."""
    with FakeKafka("3.9", drafts=["KIP-98-draft"], log_dir=tmp_path / "logs", topics={"t": 1}) as kafka:
        for n in range(3):
            kafka.send("t", b"value %d" % n * 9, key=b"k")
        servers = {"bootstrap.servers": kafka.bootstrap_servers}
        with librdkafka_producer(servers | {"transactional.id": "x", "compression.type": "gzip"}) as producer:
            producer.init_transactions()
            for commits in (True, False):
                producer.begin_transaction()
                for n in range(5):
                    producer.produce("t", b"%d of %s" % (n, b"commit" if commits else b"abort"))
                producer.flush()
                producer.commit_transaction() if commits else producer.abort_transaction()
    return tmp_path / "logs"


@pytest.mark.statement("S1-7", "S1-22", "S1-30")
def test_sets_of_the_first_draft_are_read(first_sets: Path) -> None:
    plain = [b"value %d" % n * 9 for n in range(3)]
    both = [b"%d of commit" % n for n in range(5)] + [b"%d of abort" % n for n in range(5)]
    assert values(first_sets) == plain + both
    assert values(first_sets, isolation="read_committed") == plain + both[:5]
    found = columns.table(
        first_sets, "batches", topics=["t"],
        columns=["records", "base_offset", "last_offset", "codec", "crc_ok", "control_type", "is_transactional"],
    ).to_pylist()  # fmt: skip
    assert {row["crc_ok"] for row in found} == {True}
    assert sum(row["records"] for row in found) == 15
    assert {row["codec"] for row in found} == {"none", "gzip"}
    assert [row["control_type"] for row in found if row["control_type"]] == ["commit", "abort"]
    assert columns.table(first_sets, topics=["__transaction_state"], columns=["offset"]).num_rows > 0


def test_damage_in_a_set_of_the_first_draft_is_found(first_sets: Path) -> None:
    (file,) = (first_sets / "t-0").glob("*.log")
    data = bytearray(file.read_bytes())
    data[60] ^= 1
    file.write_bytes(data)
    with pytest.raises(DamagedLog, match="checksum is wrong"):
        values(first_sets)


def test_a_log_of_the_first_draft_passes_the_audit_and_is_converted(
    spark: SparkSession, first_sets: Path, tmp_path: Path
) -> None:
    found = audit(spark, first_sets).collect()
    assert [row for row in found if row["findings"]] == []
    convert(spark, first_sets, tmp_path / "made", release="2.3").collect()
    assert values(tmp_path / "made", isolation="read_committed") == values(first_sets, isolation="read_committed")
    files = list((tmp_path / "made" / "t-0").glob("*.log"))
    assert not any(is_first_set(unit.data) for file in files for unit in batches(file.read_bytes()))


# ---- KIP-33's 16-byte entries


WIDE = "KIP-33-16-byte-entries"


@pytest.fixture
def wide_log(tmp_path: Path) -> Path:
    """A log of several segments whose offset indexes have timestamps, one of them without any entry."""
    topic = {"index.interval.bytes": "0", "segment.bytes": "400"}
    with FakeKafka("2.3", drafts=[WIDE], log_dir=tmp_path / "logs").boot() as kafka:
        kafka.create_topic("t", config=topic)
        for n, late in enumerate((5, 0, 7, 3, 9, 1, 2, 20, 4, 6, 8)):
            kafka.send("t", b"value %d" % n, timestamp=1_600_000_000_000 + late)
    return tmp_path / "logs"


@pytest.mark.statement("S2-57")
def test_the_view_of_an_index_shows_entries_of_16_bytes_with_their_timestamps(wide_log: Path) -> None:
    expected = []
    for file in sorted((wide_log / "t-0").glob("*.index")):
        base = int(file.stem)
        expected += [(base, *entry) for entry in ENTRY.iter_unpack(file.read_bytes())]
    assert len({base for base, *_ in expected}) > 1
    found = columns.table(wide_log, "index", topics=["t"], columns="all").to_pylist()
    rows = [(row["segment"], row["offset"] - row["segment"], row["position"], row["timestamp_ms"]) for row in found]
    assert sorted(rows) == expected
    assert [row["timestamp"].timestamp() * 1000 for row in found] == [row["timestamp_ms"] for row in found]


def test_the_view_of_a_shipped_index_has_no_timestamps(tmp_path: Path) -> None:
    with FakeKafka("2.3", log_dir=tmp_path / "logs").boot() as kafka:
        kafka.create_topic("t", config={"index.interval.bytes": "0"})
        for _ in range(3):
            kafka.send("t", b"v")
    found = columns.table(tmp_path / "logs", "index", topics=["t"], columns="all").to_pylist()
    rows = [(row["offset"], row["timestamp"], row["timestamp_ms"]) for row in found]
    assert rows == [(1, None, None), (2, None, None)]


@pytest.mark.statement("S2-57")
@pytest.mark.parametrize("below", ["", "t-0"])
def test_a_log_with_entries_of_16_bytes_is_cut_at_its_units(wide_log: Path, below: str) -> None:
    """This holds however small the splits are, and wherever reading begins."""
    expected = [b"value %d" % n for n in range(11)]
    for size in ("1", "100", "1000"):
        assert values(wide_log / below, options={"splitBytes": size}) == expected
    for first in range(11):
        assert values(wide_log / below, offsets=(first, None)) == expected[first:]
    assert list(check_directory(wide_log)) == []


def test_an_audit_finds_what_is_wrong_with_timestamps_in_an_index(spark: SparkSession, wide_log: Path) -> None:
    assert [row for row in audit(spark, wide_log).collect() if row["findings"]] == []
    file = max((wide_log / "t-0").glob("*.index"), key=lambda each: each.stat().st_size)
    file.write_bytes(file.read_bytes()[:8] + (1).to_bytes(8, "big") + file.read_bytes()[16:])
    assert [row["segment"] for row in audit(spark, wide_log).collect() if row["findings"]] == [int(file.stem)]
