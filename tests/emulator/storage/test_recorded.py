"""Directories that real brokers left, opened by later releases, and by earlier ones as far as they can."""

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from fakekafka import BrokerWillNotStart, FakeKafka, ManualClock
from fakekafka.log import names
from fakekafka.log.check import check
from fakekafka.log.files import DiskDirectory
from fakekafka.wire.apis.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
)

from tests.golden.transcript import DataDirectory, age, load_data_directory, releases_with_data
from tests.support.brokers import answer

RELEASES = releases_with_data()


@cache
def left_by(release: str) -> DataDirectory:
    return load_data_directory(release)


@pytest.fixture
def written(release: str, tmp_path: Path) -> Iterator[Path]:
    """The directory of `release`, as it was left. Opening it changes nothing in it."""
    root = tmp_path / "left"
    for file in left_by(release).files:
        path = root / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
    before = contents(root)
    yield root
    assert contents(root) == before


def unclean(written: Path) -> Path:
    """A copy without the marker of a clean stop, and without recovery points."""
    gone = shutil.ignore_patterns(names.CLEAN_SHUTDOWN, names.RECOVERY_POINTS)
    return Path(shutil.copytree(written, written.parent / "unclean", ignore=gone))


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def opened(folder: Path, data: DataDirectory, release: str) -> FakeKafka:
    return FakeKafka.load(folder, release, clock=ManualClock(data.contents["clock_ms"])).boot()


def is_of_kraft(release: str) -> bool:
    """Whether brokers of a release run without ZooKeeper by default."""
    return age(release) >= (3, 3)


def read(kafka: FakeKafka, data: DataDirectory) -> dict[str, object]:
    """The records of all partitions as `expected` has them."""
    found: dict[str, object] = {}
    for name in data.contents["partitions"]:
        topic, _, index = name.rpartition("-")
        records = kafka.records(topic, int(index))
        if name == "tx-0":
            del records[-1]  # part of an open transaction: the consumer did not get it
        found[name] = [(r.offset, r.magic, r.key, r.value) for r in records]
    return found


def expected(data: DataDirectory) -> dict[str, object]:
    """The recorded records of all partitions, without markers, which `FakeKafka.records` leaves out."""
    return {
        name: [
            (r["offset"], r["magic"], _bytes(r["key"]), _bytes(r["value"]))
            for r in partition["records"]
            if not r.get("control")
        ]
        for name, partition in data.contents["partitions"].items()
    }


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(text)


def committed(kafka: FakeKafka, data: DataDirectory) -> dict[str, dict[str, int]]:
    return {
        group: {f"{topic}-{index}": found.offset for (topic, index), found in kafka.committed(group).items()}
        for group in data.contents["committed"]
    }


@pytest.mark.parametrize("release", RELEASES)
def test_what_a_real_broker_left_is_sound(release: str, written: Path) -> None:
    root = DiskDirectory(written)
    assert {name: found for name in root.directories() if (found := check(root.directory(name)))} == {}


@pytest.mark.parametrize("release", RELEASES)
def test_every_later_release_serves_what_a_real_broker_left(release: str, written: Path) -> None:
    data = left_by(release)
    for later in RELEASES[RELEASES.index(release) :]:
        kafka = opened(written, data, later)
        assert read(kafka, data) == expected(data), later
        assert committed(kafka, data) == data.contents["committed"], later
        kafka.stop()


@pytest.mark.parametrize("release", RELEASES)
def test_every_later_release_recovers_what_a_real_broker_left(release: str, written: Path) -> None:
    """Without the marker of a clean stop all logs are read to the end, and nothing is cut. Up to 1.1 brokers do not
    start if a log begins beyond its second segment, as 1.1.1 did not on its own directory.
    """
    data = left_by(release)
    folder = unclean(written)
    for later in RELEASES[RELEASES.index(release) :][::3]:
        if age(release) >= (0, 11) and age(later) < (2, 0):
            with pytest.raises(BrokerWillNotStart, match="inconsistent range"):
                opened(folder, data, later)
            continue
        kafka = opened(folder, data, later)
        assert read(kafka, data) == expected(data), later
        kafka.stop()


@pytest.mark.parametrize("release", RELEASES[1:])
def test_earlier_releases_open_what_a_real_broker_left_as_far_as_they_can(release: str, written: Path) -> None:
    data = left_by(release)
    for earlier in RELEASES[: RELEASES.index(release)]:
        if is_of_kraft(release) and (0, 9) <= age(earlier) < (2, 8):
            with pytest.raises(BrokerWillNotStart):  # as real brokers did, see `kraft_directory`
                opened(written, data, earlier)
            continue
        kafka = opened(written, data, earlier)
        if age(earlier) >= (0, 11) or age(release) < (0, 11):
            assert read(kafka, data) == expected(data), earlier
        kafka.stop()


@pytest.mark.parametrize("release", ["0.11.0.3"])
@pytest.mark.parametrize("earlier", ["0.8.2.2", "0.9.0.1", "0.10.0.1", "0.10.2.2"])
def test_before_0_11_a_batch_counts_as_one_message(release: str, earlier: str, written: Path) -> None:
    """Asked of these releases: where they take logs to end after a clean stop and after an unclean one."""
    data = left_by(release)
    clean = opened(written, data, earlier)
    ends = {"gz2": 16, "rolled": 23, "snappy": 13, "idem": 5, "logappend": 1, "plain0": 13, "gz1": 20}
    assert {topic: end_of(clean, topic) for topic in ends} == ends
    clean.stop()
    crashed = opened(unclean(written), data, earlier)
    cut = {"gz2": 0, "rolled": 0, "snappy": 0, "idem": 0, "logappend": 0, "plain0": 13, "gz1": 20}
    assert {topic: end_of(crashed, topic) for topic in cut} == cut
    crashed.stop()


def end_of(kafka: FakeKafka, topic: str) -> int:
    """Where the log of its first partition ends."""
    asked = ListOffsetsTopic(name=topic, partitions=[ListOffsetsPartition(partition_index=0, timestamp=-1)])
    found = answer(kafka, ListOffsetsRequest(replica_id=-1, topics=[asked]), 0, ListOffsetsResponse)
    return found.topics[0].partitions[0].old_style_offsets[0]
