"""Requests that wait: until they are woken, for something else after that, and no longer than their connection."""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.handlers.call import Result, Wait
from fakekafka.wire.apis.api_versions import ApiVersionsResponse

from tests.emulator.server.stand_ins import API_VERSIONS, Handler, api_versions, client_of, correlation_ids


@pytest.fixture
def kafka() -> FakeKafka:
    return FakeKafka("2.3", clock=ManualClock()).boot()


def wait(then: Result, *keys: str) -> Wait:
    return Wait(keys, None, lambda call, expired: then)


def test_later_requests_wait_behind_one_that_waits(kafka: FakeKafka, handler: Handler) -> None:
    handler.answers = [wait(ApiVersionsResponse(), "key")]
    client = client_of(kafka)
    assert client.send(api_versions(1) + api_versions(2)) == b""
    kafka._running.run(lambda: kafka._running.cluster.waiters.wake("key"))
    assert correlation_ids(client.receive()) == [1, 2]


def test_a_request_may_wait_again(kafka: FakeKafka, handler: Handler) -> None:
    handler.answers = [wait(wait(ApiVersionsResponse(), "second"), "first")]
    client = client_of(kafka)
    client.send(API_VERSIONS)
    waiters = kafka._running.cluster.waiters
    kafka._running.run(lambda: waiters.wake("second"))
    kafka._running.run(lambda: waiters.wake("first"))
    assert client.receive() == b""
    kafka._running.run(lambda: waiters.wake("second"))
    assert correlation_ids(client.receive()) == [1]


def test_the_first_deadline_stays_when_a_request_waits_again(handler: Handler) -> None:
    clock = ManualClock()
    kafka = FakeKafka("2.3", clock=clock).boot()
    handler.answers = [Wait(("first",), 100, lambda call, expired: Wait(("second",), 500, answer))]
    client = client_of(kafka)
    client.send(API_VERSIONS)
    clock.advance(60)
    kafka._running.run(lambda: kafka._running.cluster.waiters.wake("first"))
    clock.advance(39)
    assert client.receive() == b""
    clock.advance(1)
    assert correlation_ids(client.receive()) == [1]


def answer(call: object, expired: bool) -> Result:
    return ApiVersionsResponse()


def test_a_request_of_a_closed_connection_no_longer_waits(kafka: FakeKafka, handler: Handler) -> None:
    resumed: list[bool] = []

    def resume(call: object, expired: bool) -> Result:
        resumed.append(expired)
        return ApiVersionsResponse()

    handler.answers = [Wait(("key",), None, resume)]
    client = client_of(kafka)
    client.send(API_VERSIONS)
    client.disconnect()
    kafka._running.run(lambda: kafka._running.cluster.waiters.wake("key"))
    assert resumed == []
