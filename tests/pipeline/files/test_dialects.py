"""The pipeline reads what drafts have written: batches of compression plug-ins, and sets of KIP-98's first draft."""

from pathlib import Path

import pytest
from confluent_kafka import Producer
from fakekafka import FakeKafka
from fakekafka.inspection.directory_check import check_directory
from fakekafka.inspection.dump import dump
from fakekafka.plugins.installed import installed
from fakekafka.records.drafts.first_set import is_first_set
from fakekafka.records.scan import batches
from fakekafka_spark import audit, columns, convert
from fakekafka_spark.wanted import DamagedLog
from pyspark.sql import SparkSession


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


def values(log_dir: Path, **options: str) -> list[bytes]:
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


@pytest.mark.statement("S3-18", "S3-27")
def test_the_cluster_file_tells_where_the_id_is(tmp_path: Path) -> None:
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
        producer = Producer({"bootstrap.servers": kafka.bootstrap_servers, "transactional.id": "x",
                             "compression.type": "gzip"})  # fmt: skip
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
