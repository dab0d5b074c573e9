"""Clients without sockets: whole answers at once, and an error where a socket would block."""

import pytest
from fakekafka import FakeKafka, UsageError
from fakekafka.handlers.call import Outcome, Wait
from fakekafka.ids import ApiKey
from fakekafka.wire.apis.api_versions import ApiVersionsResponse

from tests.emulator.server.stand_ins import API_VERSIONS, Handler, api_versions, client_of, correlation_ids


@pytest.fixture
def kafka() -> FakeKafka:
    return FakeKafka("2.3").boot()


def test_more_requests_than_the_inbox_holds_are_all_answered(kafka: FakeKafka, handler: Handler) -> None:
    numbers = list(range(5000))
    assert correlation_ids(client_of(kafka).send(b"".join(map(api_versions, numbers)))) == numbers


def test_too_many_requests_after_one_that_waits_are_an_error(kafka: FakeKafka, handler: Handler) -> None:
    handler.answers = [Wait(("key",), None, lambda call, expired: ApiVersionsResponse())]
    with pytest.raises(UsageError, match="waits"):
        client_of(kafka).send(API_VERSIONS * 5000)


def test_requests_that_came_while_one_waited_are_handled_when_a_call_wakes_it(
    kafka: FakeKafka, handler: Handler
) -> None:
    handler.answers = [Wait(("key",), None, lambda call, expired: ApiVersionsResponse())]
    client = client_of(kafka)
    client.send(api_versions(1) + api_versions(2))
    kafka._on_loop(lambda: kafka._running.cluster.waiters.wake("key"))
    assert [entry.call.key for entry in kafka.requests] == [ApiKey.API_VERSIONS] * 2
    assert correlation_ids(client.receive()) == [1, 2]


def test_the_client_sees_that_the_broker_closed(kafka: FakeKafka, handler: Handler) -> None:
    handler.answers = [Outcome.CLOSE]
    client = client_of(kafka)
    assert client.send(API_VERSIONS * 2) == b""
    assert client.closed
    assert kafka._running.connections == {}
