"""Steps and ticks: requests that came are handled, waits that were woken run, and there are two kinds of time."""

from fakekafka import FakeKafka, ManualClock
from fakekafka.handlers.call import Call, Result, Wait
from fakekafka.server.core import Core
from fakekafka.wire.apis.api_versions import ApiVersionsResponse

from tests.emulator.server.stand_ins import API_VERSIONS, Handler, client_of, correlation_ids


def test_a_step_handles_what_came_and_the_waits_that_it_woke(handler: Handler) -> None:
    kafka = FakeKafka("2.3", clock=ManualClock()).boot()
    waiting, waking = client_of(kafka), client_of(kafka)
    handler.answers = [Wait(("key",), None, lambda call, expired: ApiVersionsResponse()), ApiVersionsResponse()]
    assert waiting.send(API_VERSIONS) == b""
    handler.before = lambda: kafka._running.cluster.waiters.wake("key")
    assert correlation_ids(waking.send(API_VERSIONS)) == [1]
    assert correlation_ids(waiting.receive()) == [1]


def test_the_limit_of_a_wait_runs_on_the_broker_s_clock(handler: Handler) -> None:
    clock = ManualClock()
    kafka = FakeKafka("2.3", clock=clock).boot()
    expiries: list[bool] = []

    def resume(call: Call, expired: bool) -> Result:
        expiries.append(expired)
        return ApiVersionsResponse()

    handler.answers = [Wait(("key",), 100, resume)]
    client = client_of(kafka)
    clock.advance(0)  # what a broker does at its start
    client.send(API_VERSIONS)
    assert kafka._runtime.next_deadline_ms() == clock.elapsed_ms + 100
    clock.advance(99)
    assert client.receive() == b""
    clock.advance(1)
    assert correlation_ids(client.receive()) == [1]
    assert expiries == [True]


def test_clients_of_a_broker_whose_clock_stands_still_run_out_of_patience_in_real_time(handler: Handler) -> None:
    cluster = FakeKafka("2.3", clock=ManualClock()).boot()._running.cluster
    patience = ManualClock()
    core = Core(cluster, lambda node_id, error: None, patience)
    handler.answers = [Wait(("key",), 100, lambda call, expired: ApiVersionsResponse())]
    connection = core.connect(0, "127.0.0.1", 0)
    connection.receive(API_VERSIONS)
    core.step(connection)
    assert core.next_timeout_ms() == 100
    patience.advance(100)
    core.tick()
    assert list(core.take_answered()) == [connection]
    assert connection.outbox.size
    assert core.next_timeout_ms() is None


def test_a_client_that_went_away_is_not_resumed(handler: Handler) -> None:
    clock = ManualClock()
    kafka = FakeKafka("2.3", clock=clock).boot()
    resumed: list[bool] = []

    def resume(call: Call, expired: bool) -> Result:
        resumed.append(expired)
        return ApiVersionsResponse()

    handler.answers = [Wait(("key",), 10, resume)]
    client = client_of(kafka)
    client.send(API_VERSIONS)
    client.disconnect()
    clock.advance(10)
    kafka._running.run(lambda: kafka._running.cluster.waiters.wake("key"))
    assert resumed == []
