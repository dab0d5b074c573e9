"""Kafka itself on what the emulator wrote: its DumpLogSegments finds nothing wrong, and a 3.9 broker serves all of it.

Run by `tox -e real-kafka`. The other way round, real brokers' directories in the emulator, is tested by
`test_recorded.py` of `tests/emulator/storage`, which needs nothing but its recordings.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from fakekafka import FakeKafka
from kafka import KafkaConsumer
from kafka import TopicPartition as Partition

from tests.real_kafka.jars import dumped, why_not
from tests.real_kafka.kraft_broker import RealBroker, real_broker
from tests.real_kafka.written import COMMITTED, GROUP, TRANSACTIONAL, Written, codecs, value, write

pytestmark = pytest.mark.skipif(why_not() is not None, reason=why_not() or "")

RELEASES: Final = ("0.10.2", "0.11.0", "2.3", "2.8", "3.9")
TIMES_BY_LAST_OFFSET: Final = ("0.10.2", "3.9")
"""In releases between these, time indexes point to a record inside an uncompressed batch, while the tool looks for the
batch's last one. It also complains about what a real 0.11.0.3 and 2.8.2 wrote, but not about 3.9.1.
"""
COMPLAINT: Final = re.compile(
    r"mismatch|non-consecutive|out of order|larger than|invalid bytes|corrupt|isvalid: ?false|exception|could not|"
    r"not found in the log",
    re.IGNORECASE,
)
"""What DumpLogSegments says if something is wrong."""
REPAIR: Final = re.compile(
    r"(ERROR|Recovering (un|log)|Rebuilding|Found (invalid|file|log)|[Cc]orrupt|stray|Could not find offset index|"
    r"Deleting|Truncat|inconsistent)"
)
"""What a starting broker says when it repairs something."""


def files(folder: Path, *suffixes: str) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in suffixes)


def complaints(text: str) -> list[str]:
    return [line for line in text.splitlines() if COMPLAINT.search(line)]


# ---- DumpLogSegments


@pytest.fixture(scope="module", params=RELEASES)
def left(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path, Written]:
    """A release, its directory, and what lies in it."""
    release, folder = str(request.param), tmp_path_factory.mktemp("logs")
    return release, folder, write(release, folder)


def test_kafkas_own_tool_accepts_every_log_and_index(left: tuple[str, Path, Written]) -> None:
    release, folder, written = left
    text = dumped(files(folder, ".log", ".index", ".timeindex"), "--deep-iteration", "--index-sanity-check")
    assert complaints(text) == []
    found = offsets(text)
    assert {place: found[place] for place in written.records} == {
        place: [record.offset for record in records] for place, records in written.records.items()
    }
    passed = [path for path in files(folder, ".index", ".timeindex") if f"{path} passed sanity check" in text]
    assert len(passed) > 2 * len(codecs(release)), "an empty index is not checked"
    assert {path.parent.name for path in files(folder, ".log") if path.stem.strip("0")} >= set(found_names(written))
    assert "magic: 1" in text if release == "0.10.2" else "magic: 2" in text


def found_names(written: Written) -> list[str]:
    """The partitions that have rolled, which are all."""
    return [f"{topic}-{index}" for topic, index in written.records]


def offsets(text: str) -> dict[tuple[str, int], list[int]]:
    """The records' offsets by partition, markers left out, as the tool prints them file by file."""
    found: dict[tuple[str, int], list[int]] = {}
    for line in text.splitlines():
        if dumping := re.match(r"Dumping .*/(.+)-(\d+)/\d+\.", line):
            place = (dumping[1], int(dumping[2]))
        elif (record := re.match(r"\| offset: (\d+) ", line)) and "endTxnMarker" not in line:
            found.setdefault(place, []).append(int(record[1]))
    return found


def test_every_index_entry_points_where_kafkas_own_tool_expects_it(left: tuple[str, Path, Written]) -> None:
    release, folder, written = left
    times = [path for path in files(folder, ".timeindex") if release in TIMES_BY_LAST_OFFSET or of_codec(path, release)]
    text = dumped([*files(folder, ".index"), *times], "--verify-index-only")
    found = [Path(line.rpartition(":")[2]) for line in complaints(text)]
    first = by_first_offsets(release, written)
    assert [path for path in found if path.suffix != ".index" or path.parent.name not in first] == []


def of_codec(path: Path, release: str) -> bool:
    return path.parent.name.rpartition("-")[0] in codecs(release)[1:]


def by_first_offsets(release: str, written: Written) -> set[str]:
    """The partitions for which the tool expects another offset than old brokers write: a wrapper's or batch's first,
    not its last.

    It says the same about what real brokers wrote: 0.10.2.2 and 0.11.0.3 were asked, with librdkafka and small batches.
    """
    if release == "0.11.0":
        return {*found_names(written), "__transaction_state-0", "__transaction_state-1", "__transaction_state-2"}
    topics = codecs(release)[1:] if release == "0.10.2" else []
    return {f"{topic}-{index}" for topic in topics for index in (0, 1)}


def test_kafkas_own_tool_reads_aborted_transactions_and_producers(left: tuple[str, Path, Written]) -> None:
    release, folder, written = left
    if release == "0.10.2":
        assert not written.aborted
        assert files(folder, ".snapshot", ".txnindex") == []
        return
    text = dumped(files(folder, ".snapshot", ".txnindex"))
    assert complaints(text) == []
    assert text.count("lastStableOffset") == 2 * len(written.aborted), "each aborted in both partitions"
    assert "producerId: " in text


# ---- a broker


@pytest.fixture(scope="module")
def taken_over(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RealBroker, Written]]:
    folder = tmp_path_factory.mktemp("logs")
    written = write("3.9", folder)
    with real_broker(folder, TRANSACTIONAL) as broker:
        yield broker, written


def repairs(said: str) -> list[str]:
    return [line for line in said.splitlines() if REPAIR.search(line)]


def test_a_real_broker_repairs_nothing(taken_over: tuple[RealBroker, Written]) -> None:
    broker, written = taken_over
    said = broker.log.read_text("utf-8")
    assert "since clean shutdown file was found" in said
    assert repairs(said) == []
    for name in found_names(written):
        assert re.search(rf"Completed load of Log\(dir=\S*/{name}, ", said)


@pytest.mark.parametrize("isolation", ["read_uncommitted", "read_committed"])
@pytest.mark.parametrize("client", ["confluent-kafka", "kafka-python"])
def test_a_real_broker_serves_every_record(client: str, isolation: str, taken_over: tuple[RealBroker, Written]) -> None:
    broker, written = taken_over
    hidden = written.aborted if isolation == "read_committed" else frozenset()
    read = with_librdkafka if client == "confluent-kafka" else with_kafka_python
    assert read(broker.servers, written, isolation) == {
        place: [(r.offset, r.key, r.value) for r in records if place[0] != "transactional" or r.value not in hidden]
        for place, records in written.records.items()
    }


def with_librdkafka(servers: str, written: Written, isolation: str) -> dict[tuple[str, int], list[Any]]:
    config = {"group.id": "r", "enable.auto.commit": False, "enable.partition.eof": True, "isolation.level": isolation}
    consumer = Consumer({"bootstrap.servers": servers, "auto.offset.reset": "earliest", **config})
    consumer.assign([TopicPartition(*place, 0) for place in written.records])
    found: dict[tuple[str, int], list[Any]] = {place: [] for place in written.records}
    at_end: set[tuple[str, int]] = set()
    while len(at_end) < len(found):
        message = consumer.poll(60)
        assert message is not None
        place = (message.topic() or "", message.partition() or 0)
        if message.error() is not None:
            at_end.add(place)
        else:
            found[place].append((message.offset(), message.key(), message.value()))
    consumer.close()
    return found


def with_kafka_python(servers: str, written: Written, isolation: str) -> dict[tuple[str, int], list[Any]]:
    consumer = KafkaConsumer(bootstrap_servers=servers, isolation_level=isolation, auto_offset_reset="earliest")
    places = [Partition(*place) for place in written.records]
    consumer.assign(places)
    consumer.seek_to_beginning(*places)
    ends = consumer.end_offsets(places)
    found: dict[tuple[str, int], list[Any]] = {place: [] for place in written.records}
    while any(consumer.position(place) < end for place, end in ends.items()):
        for place, records in consumer.poll(timeout_ms=1000).items():
            found[place.topic, place.partition] += [(r.offset, r.key, r.value) for r in records]
    consumer.close()
    return found


def test_a_real_broker_knows_the_committed_offset(taken_over: tuple[RealBroker, Written]) -> None:
    broker, _ = taken_over
    consumer = Consumer({"bootstrap.servers": broker.servers, "group.id": GROUP})
    (got,) = consumer.committed([TopicPartition("none", 1)], timeout=60)
    consumer.close()
    assert got.offset == COMMITTED


def test_a_real_broker_repairs_no_empty_segment(tmp_path: Path) -> None:
    """KAFKA-13603. Asked of 2.8.2 to 3.9.1: an empty active segment has no offset index until the stop makes it."""
    with FakeKafka("3.9", log_dir=tmp_path / "logs") as kafka:
        kafka.create_topic("t", 1, {"cleanup.policy": "compact"})
        kafka.send("t", b"v", b"k")
        kafka.compact("t", roll=True)
    with real_broker(tmp_path / "logs", TRANSACTIONAL) as broker:
        said = broker.log.read_text("utf-8")
    assert repairs(said) == []


def test_a_real_broker_continues_where_the_emulator_stopped(tmp_path: Path) -> None:
    """It appends after the last offset, and its coordinator continues with the same transactional id."""
    written = write("3.9", tmp_path / "logs")
    last = written.records["transactional", 0][-1].offset
    with real_broker(tmp_path / "logs", TRANSACTIONAL) as broker:
        producer = Producer({"bootstrap.servers": broker.servers, "transactional.id": "x"})
        producer.init_transactions(60)
        producer.begin_transaction()
        landed: list[Any] = []
        producer.produce("transactional", value(0), partition=0, on_delivery=lambda _, got: landed.append(got.offset()))
        producer.commit_transaction(60)
    assert landed == [last + 2], "after the last record and its marker"
