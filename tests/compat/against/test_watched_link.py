"""The link to a broker that is not ours: what cannot be read is passed on and reported."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import pytest
from fakekafka import FakeKafka, FakeKafkaError
from fakekafka.ids import ApiKey
from fakekafka.wire.apis.metadata import MetadataRequest
from fakekafka.wire.frames import SIZE, request_frame
from fakekafka_compat.against import RealBroker, WatchedLink
from fakekafka_compat.against.asking import Address, NoAnswer
from fakekafka_compat.against.traffic import Traffic

PATIENCE_S = 20
CORRELATION_ID = 7
BAD_ANSWER = CORRELATION_ID.to_bytes(4, "big") + b"\x7f\xff\xff\xff"


@contextmanager
def answering(body: bytes) -> Iterator[tuple[str, int]]:
    """A server that answers the first request of its first client with these bytes."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            client, _ = listener.accept()
            with client:
                client.settimeout(PATIENCE_S)
                (size,) = SIZE.unpack(client.recv(SIZE.size))
                client.recv(size)
                client.sendall(SIZE.pack(len(body)) + body)
                client.recv(1)

        listener.settimeout(PATIENCE_S)
        thread = Thread(target=serve)
        thread.start()
        try:
            yield listener.getsockname()[:2]
        finally:
            thread.join()


def asked_over(link: WatchedLink, frame: bytes, count: int) -> bytes:
    """The first `count` bytes that come back over the link."""
    host, _, port = link.address.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as client:
        client.sendall(frame)
        found = b""
        while len(found) < count and (part := client.recv(count - len(found))):
            found += part
        return found


def test_an_answer_that_cannot_be_read_is_sent_on_and_kept() -> None:
    frame = request_frame(MetadataRequest(topics=[]), 1, CORRELATION_ID, "test")
    with WatchedLink() as link, answering(BAD_ANSWER) as target:
        link.lead_to(*target)
        assert asked_over(link, frame, 4 + len(BAD_ANSWER)) == SIZE.pack(len(BAD_ANSWER)) + BAD_ANSWER
    assert len(link.traffic.malformed) == 1


def test_a_request_that_cannot_be_read_is_sent_on_and_kept() -> None:
    body = int(ApiKey.METADATA).to_bytes(2, "big") + b"\x00\x01" + CORRELATION_ID.to_bytes(4, "big") + b"\x7f\xff"
    answer = CORRELATION_ID.to_bytes(4, "big")
    with WatchedLink() as link, answering(answer) as target:
        link.lead_to(*target)
        assert asked_over(link, SIZE.pack(len(body)) + body, 4 + len(answer)) == SIZE.pack(len(answer)) + answer
    assert len(link.traffic.malformed) == 1


def test_a_topic_without_a_leader_is_not_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeKafka("2.3") as kafka:
        broker = RealBroker(Address(kafka.host, kafka.port), "2.3", Traffic())
        monkeypatch.setattr(broker, "_has_leaders", lambda name: False)
        monkeypatch.setattr("fakekafka_compat.against.real_broker.PATIENCE_S", 0.0)
        with pytest.raises(NoAnswer, match="no leader for t"):
            broker.create_topic("t", 2, {})
        assert kafka.topics() == {}


def test_what_cannot_be_read_is_a_failure_of_the_broker() -> None:
    traffic = Traffic()
    with FakeKafka("2.3") as kafka:
        broker = RealBroker(Address(kafka.host, kafka.port), "2.3", traffic)
        assert broker.failures == []
        traffic.malformed.append(FakeKafkaError("?"))
        assert len(broker.failures) == 1
