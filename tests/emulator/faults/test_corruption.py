"""Records damaged in flight: `faults/corruption.py`."""

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.errors import ErrorCode
from fakekafka.faults.corruption import How, damaged, whole
from fakekafka.records import v0, v1, v2
from fakekafka.records.record import Record
from fakekafka.wire.apis.fetch import FetchResponse
from fakekafka.wire.apis.produce import ProduceResponse
from hypothesis import given
from hypothesis import strategies as st

from tests.support.faults import NOW, Client, batch, fetch, produce, produced

HOWS: tuple[How, ...] = ("flip a byte", "bad crc", "cut")


def records_of(answer: FetchResponse) -> bytes:
    return whole(answer.responses[0].partitions[0].records)


@pytest.mark.parametrize("how", HOWS)
def test_a_client_is_sent_damaged_records_and_the_log_stays_sound(how: How) -> None:
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW)).boot()
    kafka.send("orders", b"1" * 50)
    client = Client(kafka)
    sound = records_of(client.ask(fetch(("orders", 0)), 11, FetchResponse))
    with kafka.faults.corrupt("Fetch", topic="orders", how=how):
        assert records_of(client.ask(fetch(("orders", 0)), 11, FetchResponse)) == damaged(sound, how) != sound
    assert records_of(client.ask(fetch(("orders", 0)), 11, FetchResponse)) == sound


@pytest.mark.parametrize("how", ["flip a byte", "bad crc"])
@pytest.mark.parametrize("release", ["0.11.0", "2.3", "4.3"])
def test_a_broker_refuses_a_produce_that_was_damaged_on_its_way(release: str, how: How) -> None:
    kafka = FakeKafka(release, topics={"orders": 1}, clock=ManualClock(NOW)).boot()
    kafka.faults.corrupt("Produce", how=how)
    answer = Client(kafka).ask(produce(("orders", 0)), 3, ProduceResponse)
    assert produced(answer) == {("orders", 0): ErrorCode.CORRUPT_MESSAGE}
    assert kafka.records("orders") == []


@pytest.mark.parametrize("build", [v0.build, v1.build, v2.build])
@pytest.mark.parametrize("how", HOWS)
def test_every_format_is_damaged_within_its_first_unit(build: object, how: How) -> None:
    assert callable(build)
    first = bytes(build([Record(0, NOW, 0, b"k", b"v" * 40)]))
    changed = damaged(first * 2, how)
    assert changed != first * 2
    if how != "cut":
        assert changed[len(first) :] == first
        assert sum(a != b for a, b in zip(changed, first * 2, strict=True)) == 1


@given(st.binary(max_size=100), st.sampled_from(HOWS))
def test_bytes_that_are_not_records_are_damaged_without_an_error(data: bytes, how: How) -> None:
    assert len(damaged(data, how)) <= len(data)


def test_corruption_needs_an_api_that_carries_records() -> None:
    kafka = FakeKafka("2.3", clock=ManualClock(NOW)).boot()
    for api in ("Metadata", None):
        with pytest.raises(UsageError, match="name the API whose records are damaged: Produce, Fetch"):
            kafka.faults.corrupt(api)
    with pytest.raises(UsageError, match="'flip a byte', 'bad crc', 'cut'"):
        kafka.faults.corrupt("Fetch", how="burn")  # type: ignore[arg-type]


def test_a_cut_leaves_two_thirds_of_the_records() -> None:
    data = batch(b"x" * 100)
    assert damaged(data, "cut") == data[: len(data) - len(data) // 3]
