""" "Our 0.10.2 consumers broke when the brokers were upgraded": kafka-python, pinned to 0.10.2, while brokers change.

Pinned so it sends Fetch 3, and cannot read format 2.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from fakekafka import FakeKafka
from kafka import KafkaConsumer, TopicPartition
from kafka.errors import UnknownError

pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),  # kafka-python forgets sockets
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
PLACE = TopicPartition("t", 0)
PATIENCE_MS = 20_000


@contextmanager
def consumer(kafka: FakeKafka) -> Iterator[KafkaConsumer]:
    made = KafkaConsumer(
        bootstrap_servers=kafka.bootstrap_servers, api_version=(0, 10, 2), auto_offset_reset="earliest"
    )
    made.assign([PLACE])
    try:
        yield made
    finally:
        made.close()
        gc.collect()  # forgotten sockets are found here, and not in another test


def values(found: KafkaConsumer, count: int) -> list[bytes]:
    """The next `count` values."""
    got: list[bytes] = []
    while len(got) < count:
        records = found.poll(PATIENCE_MS)
        assert records, got
        got += [record.value for record in records[PLACE]]
    return got


def test_an_old_consumer_reads_on_through_an_upgrade() -> None:
    with FakeKafka("0.10.2", topics={"t": 1}) as kafka, consumer(kafka) as old:
        for n, step in enumerate(kafka.upgrade(to="2.3")):
            kafka.send("t", b"%d" % n)
            step.apply()
        kafka.send("t", b"4")
        assert values(old, 5) == [b"0", b"1", b"2", b"3", b"4"]
        cost = {line.direction for line in kafka.conversions() if line.api == "Fetch"}
        assert cost == {"down"}


@pytest.mark.parametrize("quirks", ["", "repaired"])
def test_a_header_stops_an_old_consumer_of_1_0_1(quirks: str) -> None:
    """KAFKA-6739."""
    with FakeKafka("1.0.1", topics={"t": 1}, quirks=quirks) as kafka, consumer(kafka) as old:
        kafka.send("t", b"good", headers=[("h", b"x")])
        if quirks:
            assert values(old, 1) == [b"good"]
        else:
            with pytest.raises(UnknownError):
                old.poll(PATIENCE_MS)


@pytest.mark.parametrize("quirks", ["", "-FORMAT-LOWERED"])
def test_a_lowered_format_gives_an_old_consumer_what_it_cannot_read(quirks: str) -> None:
    """FORMAT-LOWERED. This client reads format 2 all the same, which none of 0.10.2 does; so the bill is asked."""
    with FakeKafka("2.3", topics={"t": 1}, quirks=quirks) as kafka, consumer(kafka) as old:
        kafka.send("t", b"new")
        kafka.configure_topic("t", {"message.format.version": "0.10.2"})
        assert values(old, 1) == [b"new"]
        zero_copy = {line.zero_copy for line in kafka.conversions() if line.api == "Fetch"}
        assert zero_copy == {not quirks}
