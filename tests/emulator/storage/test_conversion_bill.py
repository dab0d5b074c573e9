"""The conversion bill: which clients caused which conversions, and at what cost."""

from itertools import count

import pytest
from fakekafka import FakeKafka
from fakekafka.records import v0
from fakekafka.records.compression import GZIP
from fakekafka.storage.conversion_bill import (
    FETCH,
    PRODUCE,
    Conversion,
    ConversionBill,
    Work,
    total,
)
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic

from tests.support.brokers import answer
from tests.support.producing import batch as produced
from tests.support.producing import messages as produced_messages
from tests.support.producing import one, rows
from tests.support.seeded import batch, booted, marker, messages, store

WHO = (7, "app")


def read(kafka: FakeKafka, version: int) -> None:
    asked = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1 << 20)
    sent = FetchRequest(max_wait_ms=0, min_bytes=1, topics=[FetchTopic(topic="t", partitions=[asked])])
    answer(kafka, sent, version, FetchResponse)


def only(kafka: FakeKafka) -> Conversion:
    (line,) = kafka.conversions()
    return line


# ---- what clients cause


def test_a_set_that_is_stored_in_place_costs_nothing() -> None:
    kafka = booted("2.3")
    one(kafka, produced(3), 7)
    size = len(produced(3))
    expected = Conversion("t", "test", PRODUCE, 7, "kept", 2, 2, 1, 1, 3, size, size, 0)
    assert only(kafka) == expected
    assert only(kafka).zero_copy


@pytest.mark.parametrize(("version", "sent", "topic_format", "direction", "formats"), [
    (1, produced_messages(3), "2.3", "up", (0, 2)),
    (3, produced(3), "0.10.2", "down", (2, 1)),
    (3, produced(3), "0.9.0", "down", (2, 0)),
    (1, v0.build(rows(3), codec=GZIP), "0.9.0", "rebuilt", (0, 0)),
])  # fmt: skip
def test_a_set_that_is_converted_has_a_price(
    version: int, sent: bytes, topic_format: str, direction: str, formats: tuple[int, int]
) -> None:
    kafka = booted("2.3", message_format_version=topic_format)
    assert one(kafka, sent, version).error_code == 0
    line = only(kafka)
    assert (line.api, line.version, line.client_id, line.direction) == (PRODUCE, version, "test", direction)
    assert (line.source, line.target, line.records, line.bytes_in) == (*formats, 3, len(sent))
    assert line.bytes_out == sum(unit.size for topic in kafka.stored_formats() for unit in topic.units)
    assert not line.zero_copy
    assert line.cpu_ns > 0


def test_a_refused_set_is_not_on_the_bill() -> None:
    kafka = booted("2.3", max_message_bytes="50")
    assert one(kafka, produced(3), 7).error_code != 0
    assert kafka.conversions() == []


def test_a_slice_that_is_sent_as_stored_is_zero_copy() -> None:
    kafka = booted("2.3")
    store(kafka, batch(0), batch(2))
    read(kafka, 11)
    read(kafka, 11)
    size = 2 * (len(batch(0)) + len(batch(2)))
    assert only(kafka) == Conversion("t", "test", FETCH, 11, "kept", -1, -1, 2, 0, 0, size, size, 0)


def test_a_slice_that_is_converted_has_a_price_by_version() -> None:
    kafka = booted("1.1")
    store(kafka, messages(0, 0), batch(2, 3), batch(5, 1))
    read(kafka, 1)
    read(kafka, 3)
    first, second = kafka.conversions()
    assert (first.version, first.direction, first.source, first.target) == (1, "down", 2, 0)
    assert (second.version, second.direction, second.source, second.target) == (3, "down", 2, 1)
    assert (second.sets, second.batches, second.records) == (1, 2, 4)
    assert second.bytes_in == len(messages(0, 0)) + len(batch(2, 3)) + len(batch(5, 1))
    assert second.cpu_ns > 0


def test_each_topic_and_each_client_has_its_own_line() -> None:
    bill = ConversionBill(int)
    bill.sent((4, "b"), "t", 10)
    bill.sent((4, None), "t", 20)
    bill.sent((4, "b"), "s", 30)
    bill.sent((4, "b"), "t", 5)
    assert [(c.topic, c.client_id, c.sets, c.bytes_in) for c in bill.lines()] == [
        ("s", "b", 1, 30),
        ("t", "", 1, 20),
        ("t", "b", 2, 15),
    ]


def test_markers_are_not_records() -> None:
    kafka = booted("1.1")
    store(kafka, batch(0), marker(2))
    read(kafka, 3)
    assert (only(kafka).batches, only(kafka).records) == (1, 2)


def test_the_bill_begins_again_when_a_broker_starts() -> None:
    kafka = booted("2.3")
    store(kafka, batch(0))
    read(kafka, 11)
    kafka.restart()
    assert kafka.conversions() == []


def test_a_failed_test_is_shown_what_was_converted() -> None:
    kafka = booted("2.3")
    assert "conversions" not in kafka.summary()
    store(kafka, batch(0))
    read(kafka, 3)
    (line,) = (" ".join(line.split()) for line in kafka.summary().splitlines() if "format" in line)
    assert line.startswith(f"t Fetch v3 test format 2 to 1 1 batch 2 records {len(batch(0))} bytes to ")
    assert line.endswith("ms of CPU")


# ---- sums


def test_bills_of_brokers_add_up() -> None:
    bills = [ConversionBill(count().__next__) for _ in range(2)]
    for bill in bills:
        bill.sent_converted(WHO, "t", Work(2, 1, 3, 30, 300, 200, 5))
    bills[1].sent(WHO, "t", 50)
    kept, down = total(bills)[1], total(bills)[0]
    assert down == Conversion("t", "app", FETCH, 7, "down", 2, 1, 2, 6, 60, 600, 400, 10)
    assert kept.bytes_in == 50
    assert total([]) == []


def test_a_bill_can_be_cleared() -> None:
    bill = ConversionBill(int)
    bill.sent(WHO, "t", 1)
    bill.clear()
    assert bill.lines() == []


# ---- what need not be measured
