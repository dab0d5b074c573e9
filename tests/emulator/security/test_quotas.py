"""Quotas: what counts for whom, and how long clients wait for it, by the broker's clock."""

import math

import pytest
from fakekafka.clock import ManualClock
from fakekafka.emulator import FakeKafka
from fakekafka.security.quotas import Rate, found_quota
from fakekafka.wire.apis.alter_client_quotas import AlterClientQuotasRequest, EntityData, EntryData, OpData
from fakekafka.wire.apis.metadata import MetadataRequest
from fakekafka.wire.apis.produce import ProduceResponse
from fakekafka.wire.frames import read_response, request_frame

from tests.support.producing import batch, request

VERSION = 5
"""A version of Produce that all of these releases have."""

QUOTAS = {
    (("client-id", None),): {"x": 1.0},
    (("client-id", "c"),): {"x": 2.0},
    (("user", None),): {"x": 3.0},
    (("client-id", None), ("user", None)): {"x": 4.0},
    (("client-id", "c"), ("user", None)): {"x": 5.0},
    (("user", "alice"),): {"x": 6.0},
    (("client-id", None), ("user", "alice")): {"x": 7.0},
    (("client-id", "c"), ("user", "alice")): {"x": 8.0},
}


def test_the_strongest_quota_counts() -> None:
    quotas = dict(QUOTAS)
    found = []
    while (one := found_quota(quotas, "x", "alice", "c")) is not None:
        found.append(one[0])
        quotas = {entity: values for entity, values in quotas.items() if values["x"] != one[0]}
    assert found == [8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]


def test_a_quota_of_users_is_shared_by_their_clients() -> None:
    assert found_quota({(("user", "alice"),): {"x": 1.0}}, "x", "alice", "c") == (1.0, ("alice", ""))
    assert found_quota({(("client-id", None),): {"x": 1.0}}, "x", "alice", "c") == (1.0, ("", "c"))
    assert found_quota({(("client-id", "d"),): {"x": 1.0}}, "x", "alice", "c") is None


def test_the_throttle_time_of_a_real_broker() -> None:
    rate = Rate(11, 1000)
    rate.record(412, 0)
    assert rate.throttle_ms(33, 0) == 2485
    rate.record(412, 0)
    assert rate.throttle_ms(33, 0) == 14970


@pytest.mark.parametrize(("quota", "wait_ms"), [(0.0, 2**63 - 1), (1e-300, 2**63 - 1), (1.0, 402000)])
def test_the_throttle_time_has_no_end_near_a_quota_of_zero(quota: float, wait_ms: int) -> None:
    rate = Rate(11, 1000)
    rate.record(412, 0)
    assert rate.throttle_ms(quota, 0) == wait_ms


@pytest.mark.parametrize("quota", [math.nan, math.inf, -0.1])
def test_nobody_is_throttled_by_a_quota_below_zero_or_of_nan(quota: float) -> None:
    rate = Rate(11, 1000)
    rate.record(412, 0)
    assert rate.throttle_ms(quota, 0) == 0


def test_usage_is_forgotten_over_time() -> None:
    rate = Rate(11, 1000)
    rate.record(412, 0)
    assert rate.throttle_ms(33, 60_000) == 0


def produce() -> bytes:
    return request_frame(request({("t", 0): batch()}), VERSION, 1, "slow")


@pytest.mark.parametrize(("quota", "throttle_ms"), [(0.0, 0), (1e-300, 0), (math.nan, 0), (0.01, 11990000)])
def test_an_endless_throttle_time_does_not_fit_into_an_answer_and_throttles_nobody(
    quota: float, throttle_ms: int
) -> None:
    with FakeKafka("3.9", clock=ManualClock(), topics={"t": 1}).boot() as kafka:
        kafka._running.cluster.settings.quotas[(("client-id", "slow"),)] = {"producer_byte_rate": quota}
        answer = kafka.connect().send(produce())
        assert read_response(ProduceResponse, VERSION, answer[4:])[1].throttle_time_ms == throttle_ms


@pytest.mark.parametrize(("release", "answers_first"), [("1.1", False), ("2.3", True), ("3.9", True)])
def test_a_producer_waits_by_the_clock_before_its_answer_or_after_it(release: str, answers_first: bool) -> None:
    clock = ManualClock()
    with FakeKafka(release, clock=clock, topics={"t": 1}).boot() as kafka:
        kafka._running.cluster.settings.quotas[(("client-id", "slow"),)] = {"producer_byte_rate": 1.0}
        client = kafka.connect()
        first = client.send(produce())
        assert bool(first) is answers_first
        clock.advance(60 * 60 * 1000)
        answer = first or client.receive()
        _, response = read_response(ProduceResponse, VERSION, answer[4:])
        assert response.throttle_time_ms > 1000


def test_the_next_request_waits_until_the_connection_may_speak_again() -> None:
    clock = ManualClock()
    with FakeKafka("3.9", clock=clock, topics={"t": 1}).boot() as kafka:
        kafka._running.cluster.settings.quotas[(("client-id", "slow"),)] = {"producer_byte_rate": 1.0}
        client = kafka.connect()
        assert client.send(produce())
        assert client.send(request_frame(MetadataRequest(topics=[]), 1, 2, "slow")) == b""
        clock.advance(60 * 60 * 1000)
        assert client.receive()


def test_a_quota_that_a_request_sets_takes_effect() -> None:
    with FakeKafka("3.9", clock=ManualClock(), topics={"t": 1}).boot() as kafka:
        op = OpData(key="producer_byte_rate", value=1.0)
        entry = EntryData(entity=[EntityData(entity_type="client-id", entity_name="slow")], ops=[op])
        kafka.connect().send(request_frame(AlterClientQuotasRequest(entries=[entry]), 1, 1, "admin"))
        client = kafka.connect()
        _, response = read_response(ProduceResponse, VERSION, client.send(produce())[4:])
        assert response.throttle_time_ms > 1000
