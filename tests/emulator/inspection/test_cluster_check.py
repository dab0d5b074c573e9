"""`check` reads the file that describes the cluster, and compares topic ids."""

import json
from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.inspection.directory_check import check_directory
from fakekafka.log.findings import FindingKind as Kind
from fakekafka.log.names import CLUSTER_FILE

OTHER_ID = "AAAAAAAAAAAAAAAAAAAAAA"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    with FakeKafka("3.9", clock=ManualClock(), topics={"t": 1}, log_dir=tmp_path / "logs") as kafka:
        kafka.send("t", b"v")
    return tmp_path / "logs"


def findings(directory: Path) -> list[tuple[str, Kind]]:
    return [(found.finding.file, found.finding.kind) for found in check_directory(directory)]


def test_a_directory_that_a_broker_left_has_no_findings(directory: Path) -> None:
    assert findings(directory) == []


def test_a_truncated_cluster_file_is_found(directory: Path) -> None:
    file = directory / CLUSTER_FILE
    file.write_bytes(file.read_bytes()[:100])
    assert findings(directory) == [(CLUSTER_FILE, Kind.CLUSTER_FILE)]


def test_a_field_of_the_wrong_type_is_found(directory: Path) -> None:
    file = directory / CLUSTER_FILE
    state = json.loads(file.read_bytes())
    state["topics"][0]["partitions"] = 7
    file.write_text(json.dumps(state), "utf-8")
    assert findings(directory) == [(CLUSTER_FILE, Kind.CLUSTER_FILE)]


def test_another_topic_id_beside_the_partition_is_found(directory: Path) -> None:
    metadata = directory / "t-0" / "partition.metadata"
    metadata.write_text(f"version: 0\ntopic_id: {OTHER_ID}\n", "utf-8")
    assert findings(directory) == [("t-0/partition.metadata", Kind.TOPIC_ID)]


def test_topic_ids_are_compared_between_brokers_too(tmp_path: Path) -> None:
    with FakeKafka("3.9", clock=ManualClock(), topics={"t": 1}, log_dir=tmp_path / "logs", brokers=2) as kafka:
        kafka.send("t", b"v")
    (metadata,) = (tmp_path / "logs").glob("broker-*/t-0/partition.metadata")
    metadata.write_text(f"version: 0\ntopic_id: {OTHER_ID}\n", "utf-8")
    assert findings(tmp_path / "logs") == [(f"{metadata.parts[-3]}/t-0/partition.metadata", Kind.TOPIC_ID)]
