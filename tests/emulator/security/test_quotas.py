"""Quotas: what counts for whom, and how long clients wait for it, by the broker's clock."""

import math

import pytest
from fakekafka.clock import ManualClock
from fakekafka.emulator import FakeKafka
from fakekafka.releases.profile import profile
from fakekafka.releases.release import starting
from fakekafka.security.quotas import MANY_SHARERS, UNLIMITED, Rate, TokenBucket, Usage, found_quota, levels_of
from fakekafka.state.cluster_settings import ClusterSettings
from fakekafka.wire.apis.alter_client_quotas import AlterClientQuotasRequest, EntityData, EntryData, OpData
from fakekafka.wire.apis.fetch import FetchResponse
from fakekafka.wire.apis.metadata import MetadataRequest
from fakekafka.wire.apis.produce import ProduceResponse
from fakekafka.wire.frames import read_response, request_frame

from tests.support.fetching import request as fetching
from tests.support.producing import batch, messages, request

VERSION = 5
"""A version of Produce that all of these releases have."""

RULES, OVERLAPPING, FIRST = (profile(starting(release)).quotas for release in ("3.3", "3.8", "0.9.0"))
"""The rules of releases from 3.3 to 3.7, since 3.8, and up to 3.2."""

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
    rate = Rate(11, 1000, RULES)
    rate.record(412, 0)
    assert rate.throttle_ms(33, 0) == 2485
    rate.record(412, 0)
    assert rate.throttle_ms(33, 0) == 14970


@pytest.mark.parametrize(("quota", "wait_ms"), [(0.0, 2**63 - 1), (1e-300, 2**63 - 1), (1.0, 402000)])
def test_the_throttle_time_has_no_end_near_a_quota_of_zero(quota: float, wait_ms: int) -> None:
    rate = Rate(11, 1000, RULES)
    rate.record(412, 0)
    assert rate.throttle_ms(quota, 0) == wait_ms


@pytest.mark.parametrize("quota", [math.nan, math.inf, -0.1])
def test_nobody_is_throttled_by_a_quota_below_zero_or_of_nan(quota: float) -> None:
    rate = Rate(11, 1000, RULES)
    rate.record(412, 0)
    assert rate.throttle_ms(quota, 0) == 0


def test_usage_is_forgotten_over_time() -> None:
    rate = Rate(11, 1000, RULES)
    rate.record(412, 0)
    assert rate.throttle_ms(33, 60_000) == 0


def test_a_sample_that_was_too_old_may_be_the_oldest_later() -> None:
    """SampledStat.java: it begins again when that is noticed, which lengthens the window of a later rate."""
    rate = Rate(11, 1000, RULES)
    rate.record(1, 0)
    rate.record(1, 10_500)
    assert rate.window_ms(11_200) == 10_700, "the first sample begins again now"
    rate.record(100, 21_600)
    assert rate.window_ms(21_600) == 10_400, "and is older than the only one with records"
    assert rate.throttle_ms(5, 21_600) == 9600


def test_since_3_8_a_sample_counts_as_long_as_its_last_record() -> None:
    for rules, counted in ((RULES, 0.0), (OVERLAPPING, 1.0)):
        rate = Rate(3, 1000, rules)
        rate.record(1, 0)
        rate.record(1, 900)
        assert rate.value(3500) * rate.window_ms(3500) / 1000 == pytest.approx(2 * counted)


def test_a_window_without_length_gives_no_rate_and_throttles_nobody_up_to_3_2() -> None:
    """With a single sample, which begins with the first record."""
    for rules, value, throttle_ms in ((FIRST, math.inf, 0), (RULES, 412_000, 411_999)):
        rate = Rate(1, 1000, rules)
        rate.record(412, 0)
        assert (rate.value(0), rate.throttle_ms(1, 0)) == (value, throttle_ms)


def test_levels_are_those_of_users_and_client_ids() -> None:
    ip, user, client = (("ip", "::1"),), (("user", None),), (("client-id", "c"),)
    assert levels_of([ip, user, client]) == {(True, False), (False, True)}


class Used(list[int]):
    """What was counted; over at the time 1000."""

    def is_over(self, now: int) -> bool:
        return now >= 1000


def usage(**how: bool) -> Usage[Used]:
    return Usage("x", Used, **{"by_key": True, **how})


def test_usage_counts_since_there_is_a_quota_of_its_kind() -> None:
    settings, counted = ClusterSettings({}), usage()
    assert counted.of(settings, "alice", "c", 0) is None
    settings.quotas[(("user", "alice"),)] = {"y": 1.0}
    assert counted.of(settings, "alice", "c", 0) is None
    settings.quotas[(("user", "alice"),)] = {"x": 1.0}
    assert counted.of(settings, "alice", "c", 0) == (1.0, [])
    del settings.quotas[(("user", "alice"),)]
    assert counted.of(settings, "alice", "c", 0) == (UNLIMITED, [])


def test_usage_may_count_since_any_quota_was_changed_or_always() -> None:
    settings = ClusterSettings({})
    assert usage(always=True).of(settings, "alice", "c", 0) == (UNLIMITED, [])
    settings.quota_entities.add((("user", "alice"),))
    assert usage(by_key=False).of(settings, "alice", "c", 0) == (UNLIMITED, [])


def test_a_client_without_a_quota_is_counted_by_the_only_level_that_has_quotas() -> None:
    users, counted = ClusterSettings({}), usage()
    users.quotas[(("user", "bob"),)] = {"x": 1.0}
    found = counted.of(users, "alice", "c", 0)
    assert found is not None
    found[1].append(1)
    assert counted.of(users, "alice", "d", 0) == (UNLIMITED, [1]), "as any client of this user"
    users.quotas[(("client-id", "e"),)] = {"x": 1.0}
    assert counted.of(users, "alice", "c", 0) == (UNLIMITED, []), "by its client id, where there are several levels"


def test_a_default_is_the_quota_of_client_ids_for_which_no_other_is_found() -> None:
    settings, counted = ClusterSettings({}), Usage("x", Used, by_key=True, default=5.0)
    assert counted.of(settings, "alice", "c", 0) == (5.0, [])
    settings.quotas[(("client-id", "c"),)] = {"x": 1.0}
    assert counted.of(settings, "alice", "c", 0) == (1.0, [])
    settings.quotas[(("user", "alice"),)] = {"x": 2.0}
    assert counted.of(settings, "alice", "d", 0) == (2.0, [])
    assert counted.of(settings, "bob", "d", 0) == (5.0, [])


def test_what_was_used_counts_for_a_quota_of_another_value() -> None:
    settings, counted, found = ClusterSettings({}), usage(), []
    for value in (1.0, 2.0):
        settings.quotas[(("client-id", "c"),)] = {"x": value}
        found.append(counted.of(settings, "alice", "c", 0))
    quotas, used = zip(*filter(None, found))
    assert quotas == (1.0, 2.0)
    assert used[0] is used[1]


def test_clients_whose_usage_is_over_are_forgotten_when_there_are_many() -> None:
    settings, counted = ClusterSettings({}), usage(always=True)
    for n in range(3 * MANY_SHARERS):
        counted.of(settings, "", f"client {n}", n // MANY_SHARERS * 1000)
    assert len(counted._used) == MANY_SHARERS
    for n in range(3 * MANY_SHARERS):
        counted.of(settings, "", f"at once {n}", 0)
    assert len(counted._used) == 4 * MANY_SHARERS, "as long as it counts, nothing is forgotten"


def test_usage_is_over_when_nothing_of_it_counts() -> None:
    rate, bucket = Rate(11, 1000, OVERLAPPING), TokenBucket(10)
    assert rate.is_over(0)
    assert bucket.is_over(0)
    rate.record(1, 0)
    bucket.use(15, 1, 0)
    assert [rate.is_over(at) for at in (11_000, 22_000)] == [False, True]
    assert not bucket.is_over(60_000), "nobody has looked yet at what is left"
    bucket.wait_ms(1, 60_000)
    assert [bucket.is_over(at) for at in (69_000, 70_000)] == [False, True]


def test_a_bucket_is_never_fuller_than_the_quota_of_the_moment_allows() -> None:
    bucket = TokenBucket(10)
    bucket.use(0, 100, 0)
    assert bucket.wait_ms(1, 0) == 0
    bucket.use(15, 1, 0)
    assert bucket.wait_ms(1, 0) == 5000
    assert bucket.wait_ms(5, 0) == 1000


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


@pytest.mark.parametrize(("release", "counts"), [("0.9.0", True), ("0.11.0", True), ("1.0", False), ("3.9", False)])
def test_up_to_0_11_what_a_client_did_before_there_was_a_quota_counts_for_it(release: str, counts: bool) -> None:
    def throttle_ms(sent_before: int) -> int:
        clock = ManualClock()
        with FakeKafka(release, clock=clock, topics={"t": 1}).boot() as kafka:
            for _ in range(sent_before):
                kafka.connect().send(sent)
            kafka._running.cluster.settings.quotas[(("client-id", "slow"),)] = {"producer_byte_rate": 1.0}
            client = kafka.connect()
            answer = client.send(sent)
            clock.advance(60 * 60 * 1000)
            return read_response(ProduceResponse, 1, (answer or client.receive())[4:])[1].throttle_time_ms

    sent = request_frame(request({("t", 0): messages()}), 1, 1, "slow")
    assert (throttle_ms(3) == 4 * throttle_ms(0) + 30_000) is counts  # ten seconds of each are free


@pytest.mark.parametrize("release", ["0.9.0", "1.1", "2.3", "2.8"])
def test_up_to_2_8_properties_of_the_broker_are_quotas_of_every_client_id(release: str) -> None:
    """Recorded from 0.9.0.1 to 2.8.2: random_quotas."""
    clock = ManualClock()
    config = {"quota.producer.default": 1, "quota.consumer.default": 20}
    with FakeKafka(release, clock=clock, topics={"t": 1}, config=config).boot() as kafka:
        client = kafka.connect()
        answer = client.send(request_frame(request({("t", 0): messages()}), 1, 1, "anybody"))
        clock.advance(60 * 60 * 1000)
        assert read_response(ProduceResponse, 1, (answer or client.receive())[4:])[1].throttle_time_ms > 1000
        kafka.send("t", bytes(1000))
        consumer = kafka.connect()
        answer = consumer.send(request_frame(fetching(("t", 0, 0)), 1, 1, "anybody"))
        clock.advance(60 * 60 * 1000)
        assert read_response(FetchResponse, 1, (answer or consumer.receive())[4:])[1].throttle_time_ms > 1000
