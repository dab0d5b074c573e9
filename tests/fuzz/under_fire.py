"""A broker with two clients: one sends whatever a test gives it, the other must not notice.

What is required of the broker: each damaged request is answered in the layout of its version, or not at all, or its
connection is closed; nothing escapes a handler; the other client's records are stored and stay.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final

from fakekafka import FakeKafka, ManualClock
from fakekafka.ids import ApiKey
from fakekafka.pieces import joined
from fakekafka.records import v0, v2
from fakekafka.records.record import Record
from fakekafka.server.connection import State
from fakekafka.wire.apis import response_class
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, ProduceResponse, TopicProduceData
from fakekafka.wire.frames import SIZE, read_response, request_frame, response_frame
from fakekafka.wire.message import Response

from tests.fuzz.requests import TOPIC_ID

RELEASES: Final = ("0.8.2", "0.10.2", "2.3", "3.9", "4.3")
TOPICS: Final = {"t": 1, "healthy": 1}
NOW: Final = 1_600_000_000_000
FIRST_FORMAT_2: Final = 3
"""The first version of Produce in which batches have format 2."""


@cache
def versions(release: str) -> list[tuple[ApiKey, int]]:
    """Every API and version that the release takes."""
    kafka = FakeKafka(release).boot()
    accepted = kafka.connect().core.cluster.brokers[0].accepted
    kafka.stop()
    return [(key, version) for key, (low, high) in accepted.items() for version in range(low, high + 1)]


def produce_frame(release: str, number: int) -> tuple[int, bytes]:
    """The healthy client's next request: the version, and the whole frame. Its one record's value is the number."""
    version = max(version for key, version in versions(release) if key is ApiKey.PRODUCE and version < 13)
    record = Record(0, NOW, 0, b"k", str(number).encode())
    data = v2.build([record]) if version >= FIRST_FORMAT_2 else v0.build([record])
    part = PartitionProduceData(index=0, records=data)
    topics = [TopicProduceData(name="healthy", partition_data=[part])]
    return version, request_frame(ProduceRequest(acks=1, timeout_ms=1000, topic_data=topics), version, number, "other")


def check_acknowledged(data: bytes, version: int, number: int) -> None:
    """Check that `data` answers the healthy client's request of that number: the record is stored, at that offset."""
    correlation_id, answer = read_response(ProduceResponse, version, data)
    (part,) = answer.responses[0].partition_responses
    assert (correlation_id, part.error_code, part.base_offset) == (number, 0, number)


def fire(release: str, frames: Iterable[bytes]) -> None:
    """Send `frames` to a new broker, with the other client at work before and after each.

    They are sent on one connection as long as the broker leaves it open, then on the next.
    """
    clock = ManualClock(NOW)
    kafka = FakeKafka(release, clock=clock, topics=TOPICS).boot()
    try:
        other, bad = kafka.connect(), kafka.connect()
        topic_id = bad.core.cluster.topics["t"].id
        acknowledged = 0
        for frame in [b"", *frames]:
            if bad.closed or bad.connection.state is State.HUNG:
                bad = kafka.connect()
            received = bad.send(frame.replace(TOPIC_ID, topic_id))
            if bad.connection.state is State.BUSY:
                received += bad.expire()
            _check_framed(received)
            version, request = produce_frame(release, acknowledged)
            check_acknowledged(other.send(request)[SIZE.size :], version, acknowledged)
            acknowledged += 1
        bad.disconnect()
        clock.advance(10_000)  # what the requests have started ends, too
        check_calm(kafka, acknowledged)
    finally:
        kafka.stop()


def check_calm(kafka: FakeKafka, acknowledged: int) -> None:
    """Check that nothing escaped, all answers can be read, and every acknowledged record is there."""
    for failure in kafka.failures:
        raise failure
    for entry in kafka.requests:
        if entry.response is not None:
            _check_readable(entry.call.key, entry.response, entry.call.answer_version)
    stored = [record.value for record in kafka.records("healthy")]
    assert stored == [str(n).encode() for n in range(acknowledged)]


def _check_readable(key: ApiKey, answer: Response, version: int) -> None:
    frame = joined(response_frame(answer, version, 0))
    read_response(response_class(key), version, frame[SIZE.size :])


def _check_framed(data: bytes) -> None:
    """Check that `data` consists of whole frames."""
    while data:
        (size,) = SIZE.unpack_from(data)
        assert 4 <= size <= len(data) - SIZE.size
        data = data[SIZE.size + size :]
