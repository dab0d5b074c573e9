"""`FakeKafka.set_quotas`: quotas on every release that has them, whether its requests can set them or not."""

from typing import Any, Final

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import UsageError
from fakekafka.wire.apis.describe_client_quotas import DescribeClientQuotasRequest, DescribeClientQuotasResponse
from fakekafka.wire.apis.produce import ProduceResponse
from fakekafka.wire.frames import SIZE, read_response, request_frame

from tests.support.brokers import CLIENT_ID, answer
from tests.support.producing import T0, batch, messages, request, timed

SETS: Final[dict[str, tuple[int, bytes]]] = {
    "0.9.0": (1, messages(100)),
    "0.10.1": (2, timed(100)),
    "2.3": (7, batch()),
    "2.8": (8, batch()),
    "4.3": (11, batch()),
}
"""By release, a version of Produce that says for how long the client is throttled, and records for it."""
RATE: Final = {"producer_byte_rate": 1.0}


def booted(release: str, **options: Any) -> FakeKafka:
    return FakeKafka(release, topics={"t": 1}, clock=ManualClock(), **options).boot()


def is_throttled(kafka: FakeKafka, release: str) -> bool:
    """Whether a Produce is answered late, as up to 1.1, or tells the client to wait."""
    version, records = SETS[release]
    data = kafka.connect().send(request_frame(request({T0: records}), version, 1, CLIENT_ID))
    return not data or read_response(ProduceResponse, version, data[SIZE.size :])[1].throttle_time_ms > 0


@pytest.mark.parametrize("release", SETS)
@pytest.mark.parametrize("client_id", [CLIENT_ID, "<default>"])
def test_a_client_beyond_its_quota_is_throttled(release: str, client_id: str) -> None:
    kafka = booted(release)
    assert not is_throttled(kafka, release)
    kafka.set_quotas(RATE, client_id=client_id)
    assert is_throttled(kafka, release)


@pytest.mark.parametrize("release", ["0.10.1", "2.3", "4.3"])
def test_a_quota_that_is_removed_throttles_nobody(release: str) -> None:
    kafka = booted(release)
    kafka.set_quotas(RATE, client_id=CLIENT_ID)
    kafka.set_quotas({"producer_byte_rate": None}, client_id=CLIENT_ID)
    assert not is_throttled(kafka, release)


def test_quotas_of_a_client_of_a_user_are_those_that_requests_show() -> None:
    kafka = booted("4.3")
    kafka.set_quotas({**RATE, "request_percentage": 12.5}, user="alice", client_id="app")
    found = answer(kafka, DescribeClientQuotasRequest(components=[]), 1, DescribeClientQuotasResponse)
    (entry,) = found.entries or []
    assert {part.entity_type: part.entity_name for part in entry.entity} == {"user": "alice", "client-id": "app"}
    assert {value.key: value.value for value in entry.values} == {**RATE, "request_percentage": 12.5}


@pytest.mark.parametrize(
    ("release", "quotas", "entity", "words"),
    [
        ("0.8.2", RATE, {"client_id": "c"}, "from 0.9 on"),
        ("0.10.0", RATE, {"user": "alice"}, "users from 0.10.1 on"),
        ("0.10.2", {"request_percentage": 5}, {"client_id": "c"}, "it knows consumer_byte_rate, producer_byte_rate"),
        ("2.6", {"controller_mutation_rate": 5}, {"client_id": "c"}, "Invalid configuration key"),
        ("2.8", {"nonsense": 5}, {"client_id": "c"}, "Invalid configuration key nonsense"),
        ("4.3", {"producer_byte_rate": 0}, {"client_id": "c"}, "must be greater than 0"),
        ("4.3", RATE, {}, "Invalid empty client quota entity"),
        ("4.3", RATE, {"ip": "127.0.0.1"}, "it knows connection_creation_rate"),
        ("2.7", {"connection_creation_rate": 5}, {"ip": "127.0.0.1"}, "Unhandled client quota entity type: ip"),
    ],
)
def test_quotas_that_a_release_does_not_have_are_refused(
    release: str, quotas: dict[str, float], entity: dict[str, str], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        booted(release).set_quotas(quotas, **entity)


def test_a_quota_that_krafts_first_release_drops_in_silence_is_refused() -> None:
    with pytest.raises(UsageError, match="Invalid configuration key nonsense"):
        booted("2.8", config={"process.roles": "broker,controller"}).set_quotas({"nonsense": 5}, client_id="c")
