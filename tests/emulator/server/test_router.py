"""From frames to answers: order, waiting, odd ends, failures, the journal."""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Answers, Outcome, Result, Wait, in_steps
from fakekafka.pieces import Stepwise
from fakekafka.wire.apis.api_versions import ApiVersionsResponse

from tests.emulator.server.stand_ins import API_VERSIONS, Handler, api_versions, client_of, correlation_ids


@pytest.fixture
def kafka() -> FakeKafka:
    return FakeKafka("2.3", clock=ManualClock()).boot()


def test_requests_of_one_read_are_answered_in_order(kafka: FakeKafka, handler: Handler) -> None:
    assert correlation_ids(client_of(kafka).send(api_versions(5) + api_versions(3) + api_versions(4))) == [5, 3, 4]


@pytest.mark.parametrize(
    ("result", "answered", "closed"),
    [
        (None, [2], False),
        (Outcome.SILENCE, [2], False),
        (Outcome.HANG, [], False),
        (Outcome.CLOSE, [], True),
        (Answers([ApiVersionsResponse(), ApiVersionsResponse()], None), [1, 1, 2], False),
        (Answers([ApiVersionsResponse()], Outcome.CLOSE), [1], True),
    ],
    ids=["nothing", "silence", "hang", "close", "two answers", "an answer and the end"],
)
def test_a_request_may_have_no_answer_or_two(
    kafka: FakeKafka, handler: Handler, result: Result, answered: list[int], closed: bool
) -> None:
    handler.answers = [result]
    client = client_of(kafka)
    assert correlation_ids(client.send(api_versions(1) + api_versions(2))) == answered
    assert client.closed == closed


def test_an_exception_is_kept_and_closes_only_its_own_connection(kafka: FakeKafka, handler: Handler) -> None:
    failing, other = client_of(kafka), client_of(kafka)
    handler.answers = [ZeroDivisionError("ours")]
    assert failing.send(API_VERSIONS) == b""
    assert failing.closed
    assert [repr(failure) for failure in kafka.failures] == ["ZeroDivisionError('ours')"]
    assert correlation_ids(other.send(API_VERSIONS)) == [1]


def test_an_answer_that_cannot_be_written_closes_only_its_own_connection(kafka: FakeKafka, handler: Handler) -> None:
    failing, other = client_of(kafka), client_of(kafka)
    handler.answers = [ApiVersionsResponse(error_code=1 << 20)]
    assert failing.send(API_VERSIONS) == b""
    assert failing.closed
    assert len(kafka.failures) == 1
    assert correlation_ids(other.send(API_VERSIONS)) == [1]


def test_an_answer_after_a_wait_that_cannot_be_written_closes_the_connection(
    kafka: FakeKafka, handler: Handler
) -> None:
    failing, other = client_of(kafka), client_of(kafka)
    handler.answers = [Wait(("key",), 1000, lambda call, expired: ApiVersionsResponse(error_code=1 << 20))]
    assert failing.send(API_VERSIONS) == b""
    assert not failing.closed
    assert failing.expire() == b""
    assert failing.closed
    assert len(kafka.failures) == 1
    assert correlation_ids(other.send(API_VERSIONS)) == [1]


def test_an_api_without_a_handler_is_answered_with_35(kafka: FakeKafka, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fakekafka.server.router.handler", lambda key: None)
    assert correlation_ids(client_of(kafka).send(API_VERSIONS)) == [1]
    (entry,) = kafka.requests
    assert isinstance(entry.response, ApiVersionsResponse)
    assert entry.response.error_code == ErrorCode.UNSUPPORTED_VERSION


def test_a_frame_over_the_limit_closes_the_connection(handler: Handler) -> None:
    kafka = FakeKafka("2.3", config={"socket.request.max.bytes": 100}).boot()
    client = client_of(kafka)
    assert client.send((101).to_bytes(4, "big") + bytes(101)) == b""
    assert client.closed


# ---- requests that are handled in steps


def stepwise(done: list[int], count: int) -> Stepwise[Result]:
    """Work of `count` steps that notes each of them."""
    for n in range(count):
        done.append(n)
        yield
    return ApiVersionsResponse()


def test_between_the_steps_of_a_request_others_are_answered(kafka: FakeKafka, handler: Handler) -> None:
    done: list[int] = []
    handler.answers.append(in_steps(stepwise(done, 3)))
    core = client_of(kafka).core
    slow, other = core.connect(0, "127.0.0.1", 1), core.connect(0, "127.0.0.1", 2)
    slow.receive(api_versions(1) + api_versions(2))
    core.step(slow)
    assert (done, slow.has_request, slow.outbox.size) == ([0], True, 0)
    other.receive(api_versions(3))
    core.step(other)
    assert other.outbox.size > 0
    while slow.outbox.size == 0:
        core.step(slow)
    assert done == [0, 1, 2]
    core.step(slow)
    assert correlation_ids(b"".join(slow.data_to_send(1000))) == [1, 2]


def test_work_of_one_step_is_answered_at_once(kafka: FakeKafka, handler: Handler) -> None:
    handler.answers.append(in_steps(stepwise([], 0)))
    assert correlation_ids(client_of(kafka).send(API_VERSIONS)) == [1]


def test_the_steps_of_a_client_that_has_gone_are_forgotten(kafka: FakeKafka, handler: Handler) -> None:
    done: list[int] = []
    handler.answers.append(in_steps(stepwise(done, 3)))
    core = client_of(kafka).core
    slow = core.connect(0, "127.0.0.1", 1)
    slow.receive(API_VERSIONS)
    core.step(slow)
    core.disconnect(slow)
    assert not slow.has_request
    assert done == [0]


def test_an_exception_in_a_later_step_is_kept(kafka: FakeKafka, handler: Handler) -> None:
    def fails() -> Stepwise[Result]:
        yield
        raise ValueError("a defect")

    handler.answers.append(in_steps(fails()))
    client = client_of(kafka)
    assert client.send(API_VERSIONS) == b""
    assert client.closed
    assert [str(failure) for failure in kafka.failures] == ["a defect"]
