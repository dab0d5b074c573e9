"""Nothing that a client sends, in any order, reaches a handler before the client has logged in."""

from collections.abc import Iterator
from random import Random

import pytest
from fakekafka.clock import ManualClock
from fakekafka.emulator import FakeKafka
from fakekafka.handlers.call import Call
from fakekafka.ids import ApiKey
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis.api_versions import ApiVersionsRequest, ApiVersionsResponse
from fakekafka.wire.apis.create_topics import CreatableTopic, CreateTopicsRequest
from fakekafka.wire.apis.list_groups import ListGroupsRequest
from fakekafka.wire.apis.metadata import MetadataRequest
from fakekafka.wire.apis.sasl_authenticate import SaslAuthenticateRequest
from fakekafka.wire.apis.sasl_handshake import SaslHandshakeRequest
from fakekafka.wire.frames import read_response, request_frame

from tests.support.handled import handled

RELEASES = ("0.10.0", "0.11.0", "1.1", "2.2", "2.8", "3.9", "4.3")
CONFIG = {
    "listeners": "SASL_PLAINTEXT://127.0.0.1:9092",
    "sasl.enabled.mechanisms": "PLAIN",
    "security.inter.broker.protocol": "SASL_PLAINTEXT",
    "sasl.mechanism.inter.broker.protocol": "PLAIN",
}
RIGHT, WRONG = b"\0alice\0wonderland", b"\0alice\0queen"


def bare(token: bytes) -> bytes:
    return len(token).to_bytes(4, "big") + token


def moves(right: bytes) -> list[bytes]:
    return [
        request_frame(SaslHandshakeRequest(mechanism="PLAIN"), 0, 1, "c"),
        request_frame(SaslHandshakeRequest(mechanism="PLAIN"), 1, 2, "c"),
        request_frame(SaslHandshakeRequest(mechanism="plain"), 0, 3, "c"),
        request_frame(SaslAuthenticateRequest(auth_bytes=right), 0, 4, "c"),
        request_frame(ApiVersionsRequest(), 0, 5, "c"),
        request_frame(MetadataRequest(topics=[]), 1, 6, "c"),
        request_frame(CreateTopicsRequest(topics=[CreatableTopic(name="t", num_partitions=1)]), 0, 7, "c"),
        request_frame(ListGroupsRequest(), 0, 8, "c"),
        bare(right),
        bare(b""),
        bare(b"\0\x12"),
        b"\xff\xff\xff\xff",
    ]


@pytest.fixture(params=RELEASES)
def kafka(request: pytest.FixtureRequest) -> Iterator[FakeKafka]:
    kafka = FakeKafka(request.param, config=CONFIG, users={"alice": "wonderland"}, clock=ManualClock()).boot()
    yield kafka
    kafka.stop()


@pytest.fixture
def calls() -> Iterator[list[Call]]:
    with handled() as calls:
        yield calls


def test_no_order_of_requests_reaches_a_handler_without_the_password(kafka: FakeKafka, calls: list[Call]) -> None:
    choice = Random(1)
    possible = moves(WRONG)
    for _ in range(300):
        client = kafka.connect()
        for _ in range(choice.randrange(1, 7)):
            client.send(choice.choice(possible))
            if client.closed:
                break
    assert {call.key for call in calls} <= {ApiKey.API_VERSIONS}
    assert kafka.failures == ()


def logged_in(kafka: FakeKafka) -> MemoryClient:
    client = kafka.connect()
    client.send(request_frame(SaslHandshakeRequest(mechanism="PLAIN"), 0, 1, "c"))
    client.send(bare(RIGHT))
    return client


def test_after_the_login_requests_are_handled_as_those_of_the_user(kafka: FakeKafka, calls: list[Call]) -> None:
    client = logged_in(kafka)
    assert client.send(request_frame(MetadataRequest(topics=[]), 1, 2, "c"))
    assert [(call.key, str(call.principal)) for call in calls] == [(ApiKey.METADATA, "User:alice")]


def test_no_order_of_requests_with_the_password_makes_a_handler_fail(kafka: FakeKafka) -> None:
    choice = Random(2)
    possible = moves(RIGHT)
    for _ in range(300):
        client = kafka.connect()
        for _ in range(choice.randrange(1, 7)):
            client.send(choice.choice(possible))
            if client.closed:
                break
    assert kafka.failures == ()


def test_random_bytes_let_nobody_in(kafka: FakeKafka, calls: list[Call]) -> None:
    choice = Random(3)
    for _ in range(300):
        kafka.connect().send(choice.randbytes(choice.randrange(1, 60)))
    assert {call.key for call in calls} <= {ApiKey.API_VERSIONS}
    assert kafka.failures == ()


def test_no_password_is_kept_in_the_journal(kafka: FakeKafka) -> None:
    client = logged_in(kafka)
    client.send(request_frame(SaslAuthenticateRequest(auth_bytes=RIGHT), 0, 4, "c"))
    client.send(request_frame(MetadataRequest(topics=[]), 1, 5, "c"))
    assert "wonderland" not in repr(kafka.requests)
    assert "wonderland" not in kafka.summary()


@pytest.mark.parametrize(("release", "epochs"), [("2.6", (-1, -1)), ("2.7", (-1, 0)), ("2.8", (0, 0))])
def test_2_7_keeps_features_from_clients_that_have_not_logged_in(release: str, epochs: tuple[int, int]) -> None:
    """Recorded at 2.7.2: sasl."""
    kafka = FakeKafka(release, config=CONFIG, users={"alice": "wonderland"}, clock=ManualClock()).boot()
    client = kafka.connect()

    def epoch() -> int:
        answer = client.send(
            request_frame(ApiVersionsRequest(client_software_name="c", client_software_version="1"), 3, 1, "c")
        )
        return read_response(ApiVersionsResponse, 3, answer[4:])[1].finalized_features_epoch

    before = epoch()
    client.send(request_frame(SaslHandshakeRequest(mechanism="PLAIN"), 1, 2, "c"))
    client.send(request_frame(SaslAuthenticateRequest(auth_bytes=RIGHT), 0, 3, "c"))
    assert (before, epoch()) == epochs
    kafka.stop()
