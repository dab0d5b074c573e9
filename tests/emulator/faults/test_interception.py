"""Functions of the user that intercept requests, and barriers: `faults/interception.py`."""

import asyncio

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.errors import ErrorCode
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataResponse
from fakekafka.wire.apis.produce import ProduceRequest, ProduceResponse
from fakekafka.wire.message import Request

from tests.support.faults import NOW, Client, produce, produced, read


@pytest.fixture
def kafka() -> FakeKafka:
    return FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW)).boot()


def test_a_function_sees_the_decoded_request_and_can_change_it(kafka: FakeKafka) -> None:
    def change(request: ProduceRequest) -> None:
        request.topic_data[0].name = "elsewhere"

    kafka.create_topic("elsewhere")
    kafka.faults.intercept("Produce", change)
    answer = Client(kafka).ask(produce(("orders", 0)), 7, ProduceResponse)
    assert produced(answer) == {("elsewhere", 0): 0}
    assert (len(kafka.records("orders")), len(kafka.records("elsewhere"))) == (0, 1)


def test_a_function_can_answer_in_place_of_the_broker(kafka: FakeKafka) -> None:
    kafka.faults.intercept("Metadata", lambda request: MetadataResponse(brokers=[], topics=[], controller_id=77))
    assert Client(kafka).ask(MetadataRequest(topics=None), 5, MetadataResponse).controller_id == 77


def test_a_function_of_two_sees_the_answer_and_can_change_it(kafka: FakeKafka) -> None:
    def slower(request: Request, answer: ProduceResponse) -> None:
        answer.throttle_time_ms = 5

    kafka.faults.intercept("Produce", slower)
    assert Client(kafka).ask(produce(("orders", 0)), 7, ProduceResponse).throttle_time_ms == 5
    assert len(kafka.records("orders")) == 1


def test_what_a_function_returns_must_be_a_message(kafka: FakeKafka) -> None:
    kafka.faults.intercept("Produce", lambda request: 42)
    client = Client(kafka)
    assert client.send(produce(("orders", 0)), 7) == b""
    assert isinstance(kafka.failures[-1], UsageError)


def test_an_async_function_may_wait_before_the_request_goes_on() -> None:
    async def story() -> None:
        with FakeKafka("2.3", topics={"orders": 1}) as kafka:
            ready = asyncio.Event()

            async def hold(request: Request) -> None:
                await ready.wait()

            kafka.faults.intercept("Produce", hold)
            loop = asyncio.get_running_loop()
            sent = loop.run_in_executor(None, _produce_over_tcp, kafka.bootstrap_servers)
            while not kafka.requests:
                await asyncio.sleep(0)
            assert kafka.records("orders") == []
            ready.set()
            assert produced(await sent) == {("orders", 0): 0}

    asyncio.run(story())


def _produce_over_tcp(servers: str) -> ProduceResponse:
    from tests.support.brokers import ask

    return ask(servers, produce(("orders", 0)), 7, ProduceResponse)


def test_an_async_function_needs_a_running_event_loop(kafka: FakeKafka) -> None:
    async def never(request: Request) -> None:
        raise AssertionError

    with pytest.raises(UsageError, match="running event loop"):
        kafka.faults.intercept("Produce", never)


def test_held_requests_are_carried_out_when_they_are_released(kafka: FakeKafka) -> None:
    client = Client(kafka)
    with kafka.faults.hold("Produce", times=1) as held:
        assert client.send(produce(("orders", 0)), 7) == b""
        (request,) = held.wait(timeout=20)
        assert isinstance(request, ProduceRequest)
        assert kafka.records("orders") == []
    assert produced(read(client.memory.receive(), 7, ProduceResponse)) == {("orders", 0): 0}
    assert len(kafka.records("orders")) == 1


def test_waiting_for_a_request_that_does_not_come_times_out(kafka: FakeKafka) -> None:
    held = kafka.faults.hold("Produce")
    with pytest.raises(TimeoutError, match="0 of 1 requests were held within 0 s"):
        held.wait(timeout=0)


def test_clearing_the_rules_releases_the_requests_that_they_hold(kafka: FakeKafka) -> None:
    client = Client(kafka)
    kafka.faults.hold("Produce")
    assert client.send(produce(("orders", 0)), 7) == b""
    kafka.faults.clear()
    assert produced(read(client.memory.receive(), 7, ProduceResponse)) == {("orders", 0): ErrorCode.NONE}
