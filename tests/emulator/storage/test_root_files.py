"""The small files at the root of a log directory."""

import re
from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import BrokerWillNotStart
from fakekafka.storage.root_files import java_date

HIGH, POINTS = "replication-offset-checkpoint", "recovery-point-offset-checkpoint"
STARTS, CLEANER = "log-start-offset-checkpoint", "cleaner-offset-checkpoint"
MARKER, LOCK, META = ".kafka_cleanshutdown", ".lock", "meta.properties"


def left(release: str, folder: Path, crash: bool = False) -> set[str]:
    kafka = FakeKafka(release, log_dir=folder, clock=ManualClock(1_600_000_000_000)).boot()
    kafka.stop(crash=crash)
    return {path.name for path in folder.iterdir() if path.is_file()} - {"fakekafka-cluster.json"}


@pytest.mark.parametrize(
    ("release", "files"),
    [
        ("0.8.0", {HIGH}),
        ("0.8.2", {HIGH, POINTS}),
        ("0.9.0", {HIGH, POINTS, CLEANER, META}),
        ("0.11.0", {HIGH, POINTS, CLEANER, META, STARTS}),
        ("4.1", {HIGH, POINTS, CLEANER, META, STARTS}),
    ],
)
def test_a_release_writes_its_own_set_of_root_files(release: str, files: set[str], tmp_path: Path) -> None:
    assert left(release, tmp_path / "clean") == files | {MARKER, LOCK}
    assert left(release, tmp_path / "crashed", crash=True) == files | {LOCK}


def test_a_directory_has_one_broker_at_a_time(tmp_path: Path) -> None:
    kafka = FakeKafka("2.3", log_dir=tmp_path).boot()
    with pytest.raises(BrokerWillNotStart, match=r"Failed to acquire lock on file \.lock"):
        FakeKafka("2.3", log_dir=tmp_path).boot()
    kafka.stop()
    FakeKafka("2.3", log_dir=tmp_path).boot().stop()


@pytest.mark.parametrize(
    ("release", "starts"), [("0.8.2", False), ("0.9.0", True), ("0.11.0", True), ("1.0", False), ("4.1", False)]
)
def test_unreadable_recovery_points_keep_some_releases_from_starting(
    release: str, starts: bool, tmp_path: Path
) -> None:
    """KAFKA-1758; KIP-112. Asked of 0.11.0.3 and 1.0.0."""
    kafka = FakeKafka(release, log_dir=tmp_path, topics={"t": 1}).boot()
    kafka.send("t", b"v")
    kafka.stop(crash=True)
    (tmp_path / POINTS).write_text("nonsense\n", "utf-8")
    if starts:
        kafka.boot()
        assert [record.value for record in kafka.records("t")] == [b"v"]
        kafka.stop()
    else:
        with pytest.raises(
            BrokerWillNotStart, match=r"(?:Malformed line in offset|Error while reading) checkpoint file"
        ):
            kafka.boot()


def test_a_directory_with_unreadable_log_starts_is_offline_while_there_is_another(tmp_path: Path) -> None:
    """KIP-112: LogManager.loadLogs."""
    folders = [tmp_path / "one", tmp_path / "two"]
    kafka = FakeKafka("2.8", log_dir=folders, topics={"t": 2}).boot()
    kafka.stop(crash=True)
    (folders[0] / STARTS).write_text("nonsense\n", "utf-8")
    kafka.boot()
    assert [log_dir.is_online for log_dir in kafka._running.cluster.brokers[0].log_dirs.all] == [False, True]
    kafka.stop()


@pytest.mark.parametrize(
    ("release", "lines"),
    [
        ("0.9.0", ["broker.id=0", "version=0"]),
        ("2.4", ["broker.id=0", "version=0", "cluster.id="]),
        ("3.9", ["node.id=0", "directory.id=", "version=1", "cluster.id="]),
    ],
)
def test_meta_properties_has_the_lines_of_the_release(release: str, lines: list[str], tmp_path: Path) -> None:
    left(release, tmp_path)
    first, second, *rest = (tmp_path / META).read_text("utf-8").splitlines()
    assert (first, second) == ("#", "#Sun Sep 13 12:26:40 UTC 2020")
    assert [line.partition("=")[0] for line in rest] == [line.partition("=")[0] for line in lines]
    assert all(line.startswith(wanted) for line, wanted in zip(rest, lines))


def test_the_marker_says_from_3_7_on_which_start_it_was(tmp_path: Path) -> None:
    left("3.6", tmp_path / "old")
    left("3.9", tmp_path / "new")
    assert (tmp_path / "old" / MARKER).read_bytes() == b""
    assert b"brokerEpoch" in (tmp_path / "new" / MARKER).read_bytes()


def test_a_date_as_java_prints_it() -> None:
    assert java_date(1_600_000_000_000) == "Sun Sep 13 12:26:40 UTC 2020"


@pytest.mark.parametrize(
    ("release", "words"),
    [
        ("0.9.0", "Unrecognized version of the server meta.properties file: 1"),
        ("0.10.2", "Unrecognized version of the server meta.properties file: 1"),
        ("1.0", "none of the specified log dirs can be created or validated"),
        ("2.3", "none of the specified log dirs can be created or validated"),
        ("2.8", "Found unexpected version in loaded `meta.properties`: {cluster.id="),
        ("3.6", "Zk-based brokers only support version 0"),
        ("3.9", "ZK-based brokers that are not migrating only support version 0"),
    ],
)
def test_a_broker_under_zookeeper_does_not_take_a_directory_of_kraft(release: str, words: str, tmp_path: Path) -> None:
    """Asked of 0.9.0.1, 0.10.2.2, 1.0.2, 2.3.1, 2.7.2, 2.8.2, 3.6.2 and 3.9.1."""
    FakeKafka("4.0", log_dir=tmp_path, topics={"orders": 1}).boot().stop()
    before = (tmp_path / "meta.properties").read_bytes()
    zookeeper = {"zookeeper.connect": "localhost:2181"}
    with pytest.raises(BrokerWillNotStart, match=re.escape(words)):
        FakeKafka(release, log_dir=tmp_path, config=zookeeper).boot()
    assert (tmp_path / "meta.properties").read_bytes() == before


@pytest.mark.parametrize(
    ("release", "content", "words"),
    [
        ("0.10.2", "", "requirement failed: Missing required property 'version'"),
        ("2.3", "a foreign file", "requirement failed: Missing required property 'version'"),
        ("2.3", "version=0\nbroker.id=x\n", 'For input string: "x"'),
        ("3.6", "", "Failed to find required property cluster.id."),
        ("3.6", "version=7\nnode.id=0\n", "Expected version 0 or 1, but got version 7"),
        ("3.9", "", "Error: node ID not found in {directory}"),
        ("3.9", "a foreign file", "Error: node ID not found in {directory}"),
        ("3.9", "version=7\nnode.id=0\n", "Unknown meta.properties version number 7"),
        ("3.9", "version=1\nnode.id=x\n", 'For input string: "x"'),
    ],
)
def test_a_broker_does_not_start_with_damaged_properties_of_its_directory(
    release: str, content: str, words: str, tmp_path: Path
) -> None:
    """Asked of 0.10.2.2, 2.3.1, 3.6.2 and 3.9.1 (the last two in KRaft mode)."""
    FakeKafka(release, log_dir=tmp_path).boot().stop()
    (tmp_path / META).write_text(content, "utf-8")
    with pytest.raises(BrokerWillNotStart, match=re.escape(words.format(directory=tmp_path))):
        FakeKafka(release, log_dir=tmp_path).boot()
    assert (tmp_path / META).read_text("utf-8") == content


def test_a_broker_of_0_8_2_ignores_the_version_of_meta_properties(tmp_path: Path) -> None:
    """Asked of 0.8.2.2: it starts, and leaves the file as it is."""
    FakeKafka("4.0", log_dir=tmp_path).boot().stop()
    before = (tmp_path / "meta.properties").read_bytes()
    FakeKafka("0.8.2", log_dir=tmp_path).boot().stop()
    assert (tmp_path / "meta.properties").read_bytes() == before
