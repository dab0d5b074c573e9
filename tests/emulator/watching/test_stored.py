"""Records that a test puts into a broker and takes out of it without a client."""

from typing import Any

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.cluster.internal_topics import ensure
from fakekafka.coordinators.groups.offsets.commits import Commit
from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.state.topics import CONSUMER_OFFSETS
from fakekafka.watching.stored import CommittedOffset, StoredRecord

from tests.support.seeded import NOW, booted, in_transaction, marker, partition_of, store


@pytest.mark.parametrize(("release", "magic", "has_time"), [("0.8.0", 0, False), ("0.10.2", 1, True), ("2.3", 2, True)])
def test_a_record_is_stored_in_the_topics_format(release: str, magic: int, has_time: bool) -> None:
    kafka = booted(release)
    assert kafka.send("t", b"v", b"k") == 0
    timestamp, kind = (NOW, "CreateTime") if has_time else (-1, None)
    assert kafka.records("t") == [StoredRecord("t", 0, 0, timestamp, kind, b"k", b"v", (), magic, "none")]


def test_records_have_the_offsets_that_send_returns() -> None:
    kafka = booted("2.3")
    offsets = [kafka.send("t", b"%d" % n) for n in range(3)]
    assert [(r.offset, r.value) for r in kafka.records("t")] == [(0, b"0"), (1, b"1"), (2, b"2")]
    assert offsets == [0, 1, 2]


def test_a_record_may_have_headers_a_timestamp_and_no_value() -> None:
    kafka = booted("2.3")
    kafka.send("t", None, b"k", [("h", b"x"), ("h", None)], timestamp=5)
    (record,) = kafka.records("t")
    assert (record.value, record.headers, record.timestamp) == (None, (("h", b"x"), ("h", None)), 5)


def test_text_in_place_of_bytes_is_refused() -> None:
    kafka = FakeKafka("2.3", topics={"t": 1}).boot()
    text: Any = "text"
    for key, value, headers in ((None, text, ()), (text, b"v", ()), (None, b"v", [("h", text)])):
        with pytest.raises(UsageError, match=r"'text': this must be bytes or None; text has to be encoded"):
            kafka.send("t", value, key, headers)
    assert kafka.records("t") == []


def test_the_topics_configs_count() -> None:
    kafka = booted("2.3", compression_type="gzip", message_timestamp_type="LogAppendTime")
    kafka.send("t", b"v", timestamp=5)
    (record,) = kafka.records("t")
    assert (record.codec, record.timestamp, record.timestamp_type) == ("gzip", NOW, "LogAppendTime")


def test_a_key_decides_on_the_partition_as_in_the_java_client() -> None:
    kafka = booted("2.3", 3)
    for key in (b"a", b"b", b"c", None):
        kafka.send("t", b"v", key)
    assert {r.key: r.partition for r in kafka.records("t")} == {b"a": 1, b"b": 2, b"c": 1, None: 0}


def test_a_partition_may_be_named() -> None:
    kafka = booted("2.3", 3)
    kafka.send("t", b"v", b"a", partition=1)
    assert [r.partition for r in kafka.records("t")] == [1]
    assert kafka.records("t", 0) == []


@pytest.mark.parametrize(
    ("release", "why"), [("2.3", "CORRUPT_MESSAGE"), ("2.8", "INVALID_RECORD"), ("0.9.0", "CORRUPT_MESSAGE")]
)
def test_a_record_that_the_broker_refuses_is_a_wrong_call(release: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        booted(release, cleanup_policy="compact").send("t", b"v")


def test_headers_do_not_fit_into_old_formats() -> None:
    with pytest.raises(UsageError, match="header"):
        booted("0.10.2").send("t", b"v", headers=[("h", b"x")])


@pytest.mark.parametrize(("topic", "partition"), [("no", None), ("t", 7)])
def test_a_partition_that_does_not_exist_is_a_wrong_call(topic: str, partition: int | None) -> None:
    with pytest.raises(UsageError):
        booted("2.3").send(topic, b"v", partition=partition)


def test_last_records_returns_as_many_as_were_asked_for() -> None:
    kafka = FakeKafka("2.3", topics={"t": 1}, clock=ManualClock(NOW)).boot()
    for value in (b"1", b"2", b"3"):
        kafka.send("t", value)
    assert [[record.value for record in kafka.last_records("t", most)] for most in (0, 2)] == [[], [b"2", b"3"]]
    with pytest.raises(UsageError, match="most=-1: it must not be negative"):
        kafka.last_records("t", -1)


def test_records_on_other_brokers_are_found() -> None:
    kafka = FakeKafka("2.3", brokers=2, topics={"t": 2}, clock=ManualClock(NOW)).boot()
    for partition in (0, 1):
        kafka.send("t", b"v", partition=partition)
    assert [r.partition for r in kafka.records("t")] == [0, 1]


def test_aborted_records_are_there_and_markers_are_not() -> None:
    kafka = booted("2.3")
    store(kafka, in_transaction(0), marker(2, commit=False))
    assert [r.offset for r in kafka.records("t")] == [0, 1]


def test_records_before_the_log_start_are_gone() -> None:
    kafka = booted("2.3")
    for n in range(4):
        kafka.send("t", b"%d" % n)
    partition_of(kafka).log.advance_log_start(2)
    assert [r.offset for r in kafka.records("t")] == [2, 3]


def test_what_a_group_has_committed_is_found_at_its_coordinator() -> None:
    config = {"offsets.topic.num.partitions": 4, "log.index.size.max.bytes": 4096}
    kafka = FakeKafka("3.8", brokers=2, config=config, clock=ManualClock(NOW), topics={"t": 2}).boot()
    assert kafka.committed("a") == {}
    core = kafka.connect().core
    for group in ("a", "b", "c", "d"):
        brokers = core.cluster.brokers.values()
        hosted = [coordinators_of(broker).groups for broker in brokers if ensure(broker, CONSUMER_OFFSETS)]
        (offsets,) = (groups.offset_manager for groups in hosted if not groups.status(group))
        assert offsets.store(group, [Commit("t", 1, Committed(5, 2, "m", NOW))]) == [0]
        core.run(lambda: None)  # the other broker fetches it
        assert kafka.committed(group) == {("t", 1): CommittedOffset(5, "m", 2, NOW)}


def test_offsets_that_are_only_in_zookeeper_are_found_too() -> None:
    kafka = booted("0.9.0")
    kafka.connect().core.cluster.zookeeper_offsets.put("g", "t", 0, 5)
    assert kafka.committed("g") == {("t", 0): CommittedOffset(5, "", -1, -1)}
