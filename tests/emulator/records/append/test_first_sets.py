"""Clusters that store and serve the sets of KIP-98's first draft."""

from pathlib import Path

import pytest
from fakekafka import ErrorCode, FakeKafka, ManualClock, UsageError
from fakekafka.binary import crc32
from fakekafka.inspection.directory_check import check_directory
from fakekafka.inspection.dump import dump
from fakekafka.records import v0, v1, v2
from fakekafka.records.drafts import kip98
from fakekafka.records.drafts.kip98 import DraftMessage, DraftSet, encode
from fakekafka.records.record import Record
from fakekafka.records.scan import batches, units

from tests.benchmarks.set_sizes import WORKLOADS, added, sizes
from tests.support import fetching
from tests.support.librdkafka import librdkafka_producer
from tests.support.producing import one
from tests.support.seeded import NOW, partition_of

RELEASES = ["0.11.0", "2.3", "3.9", "4.3"]
DRAFT = ["KIP-98-draft"]


def cluster(release: str = "3.9", brokers: int = 1, log_dir: Path | None = None, **topic: str) -> FakeKafka:
    config = {"default.replication.factor": brokers}
    kafka = FakeKafka(
        release, drafts=DRAFT, clock=ManualClock(NOW), brokers=brokers, config=config, log_dir=log_dir
    ).boot()
    kafka.create_topic("t", config={name.replace("_", "."): value for name, value in topic.items()})
    return kafka


def sent(*values: bytes | None, first: int = 0, producer: int = -1, sequence: int = -1, codec: int = 0) -> bytearray:
    messages = tuple(DraftMessage(first + n, NOW + n, b"k%d" % n, value) for n, value in enumerate(values))
    return bytearray(encode(DraftSet(messages, codec, producer, 0 if producer >= 0 else -1, sequence)))


def stored(kafka: FakeKafka) -> list[bytes]:
    return [bytes(batch.data) for segment in partition_of(kafka).log.segments for batch in segment.batches()]


def fetched(kafka: FakeKafka, version: int = 12) -> bytes:
    found = fetching.only(fetching.fetch(kafka, ("t", 0, 0), version=version))
    assert found.error_code == ErrorCode.NONE
    return fetching.data_of(found)


def sets_in(data: bytes) -> list[DraftSet]:
    """The sets that a client with the draft reads from a fetch."""
    return [kip98.decode(data[unit.position : unit.position + unit.size]) for unit in units(data)]


@pytest.mark.statement("S1-7", "S1-21", "S1-33", "S1-35", "S1-37", "S1-38")
@pytest.mark.parametrize("release", RELEASES)
def test_a_set_is_stored_as_it_came_and_served_with_its_offset(release: str) -> None:
    kafka = cluster(release)
    for _ in range(2):
        assert one(kafka, sent(b"a", None, b"c"), 3).error_code == ErrorCode.NONE
    assert [data[8:] for data in stored(kafka)] == [bytes(sent(b"a", None, b"c"))[8:]] * 2
    first, second = sets_in(fetched(kafka, 4))
    assert [message.offset for message in (*first.messages, *second.messages)] == [0, 1, 2, 3, 4, 5]
    assert [message.value for message in second.messages] == [b"a", None, b"c"]
    assert [record.value for record in kafka.records("t")] == [b"a", None, b"c"] * 2


@pytest.mark.parametrize("codec", [1, 2, 3, 4])
def test_a_compressed_set_is_opened_and_kept(codec: int) -> None:
    kafka = cluster()
    data = sent(b"a" * 100, b"b" * 100, codec=codec)
    assert one(kafka, data, 9).error_code == ErrorCode.NONE
    assert len(stored(kafka)[0]) < len(sent(b"a" * 100, b"b" * 100))
    assert [record.value for record in kafka.records("t")] == [b"a" * 100, b"b" * 100]
    kafka.configure_topic("t", {"compression.type": "uncompressed"})
    assert one(kafka, sent(b"a", codec=codec), 9).error_code == ErrorCode.NONE
    assert [record.codec for record in kafka.records("t")][-1] == "none"


@pytest.mark.parametrize("release", RELEASES)
def test_restarts_and_followers_keep_the_sets(release: str, tmp_path: Path) -> None:
    kafka = cluster(release, brokers=2, log_dir=tmp_path / "logs")
    leader = kafka.connect().core.cluster.topics["t"].partitions[0].leader
    for n in range(3):
        kafka.send("t", b"value %d" % n)
    expected = [b"value %d" % n for n in range(3)]
    for broker in (leader, 1 - leader):
        assert [record.value for record in kafka.records("t", broker=broker)] == expected
    for crash in (False, True):
        kafka.restart(crash=crash)
        kafka.send("t", b"more")
        expected.append(b"more")
        assert [record.value for record in kafka.records("t")] == expected
        assert [record.offset for record in kafka.records("t")] == list(range(len(expected)))
    kafka.stop()
    assert list(check_directory(tmp_path / "logs")) == []
    log = next((tmp_path / "logs").rglob("t-0/*.log"))
    rows = list(dump(log))
    assert [row.fields["value"] for row in rows if row.kind == "record"] == expected
    assert {row.fields["magic"] for row in rows if row.kind == "batch"} == {2}
    assert sets_in(log.read_bytes())[0].messages[0].value == b"value 0"


@pytest.mark.parametrize("data", [v0.build, v1.build, v2.build], ids=["format 0", "format 1", "format 2"])
def test_producers_of_releases_are_served(data: object) -> None:
    kafka = cluster("2.3")
    rows = [Record(n, NOW + n, 0, b"k", b"v%d" % n) for n in range(3)]
    built = {v0.build: v0.build(rows), v1.build: v1.build(rows), v2.build: v2.build(rows, codec=1)}[data]  # type: ignore[index]
    assert one(kafka, bytearray(built), {0: 1, 1: 2, 2: 3}[built[16]]).error_code == ErrorCode.NONE
    assert [record.value for record in kafka.records("t")] == [b"v0", b"v1", b"v2"]
    assert len(sets_in(fetched(kafka, 4))) == 1


@pytest.mark.parametrize("version", [1, 3])
def test_clients_of_older_formats_get_messages(version: int) -> None:
    kafka = cluster("2.3")
    one(kafka, sent(None, b"b"), 3)
    found = [record for batch in batches(fetched(kafka, version)) for record in batch.records()]
    assert [(record.offset, record.value) for record in found][:2] == [(0, None), (1, b"b")]


@pytest.mark.parametrize(
    ("at", "error"), [(-1, ErrorCode.CORRUPT_MESSAGE), (20, ErrorCode.CORRUPT_MESSAGE), (14, ErrorCode.CORRUPT_MESSAGE)]
)
def test_a_wrong_checksum_is_found(at: int, error: ErrorCode) -> None:
    kafka = cluster()
    data = sent(b"a")
    data[at] ^= 1
    assert one(kafka, data, 9).error_code == error
    assert kafka.records("t") == []


def test_the_checksum_of_a_single_message_is_verified() -> None:
    message = bytearray(kip98.encode_message(DraftMessage(0, NOW, b"k", b"v"), 0))
    message[-1] ^= 1
    whole = bytearray(encode(DraftSet((DraftMessage(0, NOW, b"k", b"v"),))))
    whole[kip98.HEADER_BYTES :] = message
    whole[12:16] = crc32(whole[16:]).to_bytes(4, "big")
    assert one(cluster(), whole, 9).error_code == ErrorCode.CORRUPT_MESSAGE


def test_offsets_out_of_step_are_refused() -> None:
    messages = DraftMessage(0, NOW, None, b"a"), DraftMessage(2, NOW, None, b"b")
    assert one(cluster(), bytearray(encode(DraftSet(messages))), 9).error_code == ErrorCode.INVALID_RECORD


def test_records_that_a_topic_does_not_accept_are_refused() -> None:
    keyless = encode(DraftSet((DraftMessage(0, NOW, None, b"a"),)))
    assert one(cluster(cleanup_policy="compact"), bytearray(keyless), 9).error_code == ErrorCode.INVALID_RECORD
    late = cluster(message_timestamp_difference_max_ms="1000")
    old = encode(DraftSet((DraftMessage(0, NOW - 9999, b"k", b"a"),)))
    assert one(late, bytearray(old), 9).error_code == ErrorCode.INVALID_TIMESTAMP
    small = cluster(max_message_bytes="60")
    assert one(small, sent(b"a" * 100), 9).error_code == ErrorCode.MESSAGE_TOO_LARGE


def test_an_append_time_is_that_of_all_messages() -> None:
    kafka = cluster(message_timestamp_type="LogAppendTime")
    assert one(kafka, sent(b"a", b"b"), 9).error_code == ErrorCode.NONE
    assert {(record.timestamp, record.timestamp_type) for record in kafka.records("t")} == {(NOW, "LogAppendTime")}


@pytest.mark.statement("S1-10")
def test_sequences_of_a_set_find_duplicates_and_gaps() -> None:
    kafka = cluster()
    assert one(kafka, sent(b"a", b"b", producer=7, sequence=0), 9).error_code == ErrorCode.NONE
    assert one(kafka, sent(b"a", b"b", producer=7, sequence=0), 9).base_offset == 0
    assert one(kafka, sent(b"c", producer=7, sequence=5), 9).error_code == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert one(kafka, sent(b"c", producer=7, sequence=2), 9).base_offset == 2
    kafka.restart()
    assert one(kafka, sent(b"c", producer=7, sequence=2), 9).base_offset == 2
    assert [record.value for record in kafka.records("t")] == [b"a", b"b", b"c"]


@pytest.mark.statement("S1-27", "S1-30")
@pytest.mark.parametrize("commit", [True, False])
def test_markers_have_the_drafts_numbers(commit: bool) -> None:
    with FakeKafka("3.9", drafts=DRAFT, topics={"t": 1}) as kafka:
        servers = {"bootstrap.servers": kafka.bootstrap_servers, "log_level": 0, "transactional.id": "tx"}
        with librdkafka_producer(servers) as producer:
            producer.init_transactions()
            producer.begin_transaction()
            producer.produce("t", b"v")
            producer.flush()
            producer.commit_transaction() if commit else producer.abort_transaction()
        log = kafka._running.cluster.brokers[0].partitions["t", 0].log
        data, marker = [bytes(batch.data) for segment in log.segments for batch in segment.batches()]
    (message,) = kip98.decode(marker).messages
    assert message.control
    assert message.key == bytes([0, 0, 0, kip98.ControlType.COMMIT if commit else kip98.ControlType.ABORT])
    assert [m.value for m in kip98.decode(data).messages] == [b"v"]


def test_the_draft_excludes_other_formats_and_needs_batches() -> None:
    with pytest.raises(UsageError, match="KIP-984 and KIP-98-draft cannot be together"):
        FakeKafka("3.9", drafts=["KIP-984", "KIP-98-draft"])
    with pytest.raises(UsageError, match="needs batches of format 2"):
        FakeKafka("0.10.2", drafts=DRAFT)


@pytest.mark.statement("S1-20", "S1-41", "S1-42", "S1-43")
@pytest.mark.parametrize(
    ("count", "overheads"),
    [
        (1, (62, 71, 34, 26)),
        (3, (96, 91, 102, 78)),
        (10, (215, 161, 340, 260)),
        (50, (895, 561, 1700, 1300)),
        (100, (1745, 1097, 3400, 2600)),
    ],
)
def test_the_documents_table_is_reproduced_beside_the_shipped_formats(count: int, overheads: tuple[int, ...]) -> None:
    """Messages of 1 KiB with keys of 100 bytes: the draft's column is the document's; format 2 became even smaller."""
    assert added(WORKLOADS["1 KiB, keys of 100 bytes"], count) == overheads


@pytest.mark.statement("S1-24", "S1-25", "S1-26", "S1-41")
@pytest.mark.parametrize(
    ("workload", "each"),
    [
        ("1 KiB, no keys", 16),
        ("keys of 100 bytes, no values", 16),
        ("neither keys nor values", 15),
        ("10 bytes, keys of 2 bytes", 16),
    ],
)
def test_missing_keys_and_values_cost_the_draft_nothing(workload: str, each: int) -> None:
    for count in (1, 3, 100):
        assert added(WORKLOADS[workload], count).draft == kip98.HEADER_BYTES + count * each


@pytest.mark.parametrize("codec", [1, 2, 3])
def test_compressed_sets_of_the_draft_are_smaller_than_wrappers_and_larger_than_shipped_batches(codec: int) -> None:
    """What is left of a message's 17 bytes after compression are its checksum and timestamp, which do not repeat."""
    records = [Record(n, NOW + 7 * n, 0, b"key-%d" % n, b'{"sensor": %d, "value": 20.5}' % n) for n in range(100)]
    found = sizes(records, codec)
    assert found.format_2 < found.draft < found.format_1


@pytest.mark.statement("S1-14", "S1-15", "S1-16")
def test_the_cleaner_keeps_offsets_and_sequences_of_a_set() -> None:
    kafka = cluster(cleanup_policy="compact")
    for sequence in (0, 3):
        assert one(kafka, sent(b"a", b"b", b"c", producer=7, sequence=sequence), 9).error_code == ErrorCode.NONE
    assert one(kafka, sent(b"z"), 9).error_code == ErrorCode.NONE
    first, second, _ = map(kip98.decode, stored(kafka))
    kafka.compact("t", roll=True)
    left = [kip98.decode(data) for data in stored(kafka)]
    assert [record.offset for record in kafka.records("t")] == [4, 5, 6]
    assert left[0] == second._replace(messages=second.messages[1:])
    assert first.messages
    kafka.restart()
    assert one(kafka, sent(b"d", producer=7, sequence=6), 9).error_code == ErrorCode.NONE
