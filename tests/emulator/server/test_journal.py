"""The journal: the last requests are remembered, large ones for a shorter time, and versions for ever."""

import gc
from typing import Any

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.handlers.call import Wait
from fakekafka.ids import ApiKey
from fakekafka.records import v1
from fakekafka.server.journal import JOURNAL_LENGTH
from fakekafka.wire.apis.alter_user_scram_credentials import (
    AlterUserScramCredentialsRequest,
    ScramCredentialUpsertion,
)
from fakekafka.wire.apis.api_versions import ApiVersionsResponse
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataResponse
from fakekafka.wire.apis.sasl_authenticate import SaslAuthenticateRequest
from fakekafka.wire.apis.sasl_handshake import SaslHandshakeRequest
from fakekafka.wire.frames import request_frame
from fakekafka.wire.message import Request, Response

from tests.emulator.server.stand_ins import API_VERSIONS, Handler, api_versions, client_of, correlation_ids
from tests.support.faults import NOW, Client, produce
from tests.support.functions_passed import functions_passed
from tests.support.producing import batch, messages, request, rows, timed


@pytest.fixture
def kafka() -> FakeKafka:
    return FakeKafka("2.3", clock=ManualClock()).boot()


def test_the_journal_keeps_the_last_requests_and_all_versions(kafka: FakeKafka, handler: Handler) -> None:
    client = client_of(kafka)
    for n in range(JOURNAL_LENGTH + 5):
        client.send(api_versions(n, version=n % 3))
    assert len(kafka.requests) == JOURNAL_LENGTH
    assert kafka.requests[-1].call.correlation_id == JOURNAL_LENGTH + 4
    assert kafka.requests[-1].call.key is ApiKey.API_VERSIONS
    assert kafka.versions_used == {"ApiVersions": [0, 1, 2]}


@pytest.mark.parametrize(("journal_bytes", "fewest", "most"), [(3 * (len(API_VERSIONS) + 100), 2, 19), (1, 1, 1)])
def test_large_frames_are_forgotten_sooner_but_never_the_last(
    handler: Handler, journal_bytes: int, fewest: int, most: int
) -> None:
    kafka = FakeKafka("2.3", clock=ManualClock(), journal_bytes=journal_bytes).boot()
    client = client_of(kafka)
    for n in range(20):
        client.send(api_versions(n))
    assert fewest <= len(kafka.requests) <= most
    assert kafka.requests[-1].call.correlation_id == 19


def test_the_number_of_requests_can_be_chosen_and_0_keeps_none(handler: Handler) -> None:
    for length in (0, 7):
        kafka = FakeKafka("2.3", clock=ManualClock(), journal=length).boot()
        client = client_of(kafka)
        for n in range(10):
            assert correlation_ids(client.send(api_versions(n))) == [n]
        assert len(kafka.requests) == length
        assert kafka.versions_used == {"ApiVersions": [0]}


def test_requests_that_are_not_remembered_cost_no_more(handler: Handler) -> None:
    passed = []
    for length in (0, 7):
        client = client_of(FakeKafka("2.3", clock=ManualClock(), journal=length).boot())
        client.send(API_VERSIONS)
        passed.append(functions_passed(lambda client=client: client.send(API_VERSIONS)))  # type: ignore[misc]
    assert 0 < passed[0] <= passed[1]


def test_a_negative_number_of_requests_is_refused() -> None:
    with pytest.raises(UsageError, match="must not be negative"):
        FakeKafka("2.3", journal=-1)


def test_a_request_that_is_answered_after_it_was_forgotten_counts_no_more(kafka: FakeKafka, handler: Handler) -> None:
    handler.answers = [Wait(("key",), None, lambda call, expired: ApiVersionsResponse())]
    late, client = client_of(kafka), client_of(kafka)
    late.send(API_VERSIONS)
    for n in range(JOURNAL_LENGTH):
        client.send(api_versions(n))
    sizes = [entry.size for entry in kafka.requests]
    kafka._running.run(lambda: kafka._running.cluster.waiters.wake("key"))
    assert correlation_ids(late.receive()) == [1]
    assert [entry.size for entry in kafka.requests] == sizes
    assert len(kafka.requests) == JOURNAL_LENGTH


def test_an_entry_has_the_decoded_request_its_answer_and_the_time_it_took() -> None:
    clock = ManualClock(NOW)
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=clock).boot()
    rule = kafka.faults.delay("Produce", ms=300)
    client = Client(kafka, "svc-1")
    client.send(produce(("orders", 0)), 7)
    (entry,) = kafka.requests
    assert (entry.is_over, entry.took_ms, entry.error) == (False, None, None)
    clock.advance(300)
    assert (entry.api, entry.version, entry.client_id, entry.broker) == ("Produce", 7, "svc-1", 0)
    assert (entry.request.acks, entry.request.topic_data[0].name) == (-1, "orders")
    assert entry.response.responses[0].partition_responses[0].base_offset == 0
    assert (entry.at_ms, entry.took_ms, entry.fault) == (NOW, 300, str(rule))
    assert repr(entry) == (
        "<Produce v7 by 'svc-1' to broker 0: orders-0, 73 bytes of records, acks=-1 -> ok after 300 ms"
        f" (fault: {rule})>"
    )


def test_the_time_an_answer_took_does_not_depend_on_the_wall_clock() -> None:
    clock = ManualClock(NOW)
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=clock).boot()
    kafka.faults.delay("Produce", ms=300)
    Client(kafka, "svc-1").send(produce(("orders", 0)), 7)
    clock.set(NOW - 60_000)
    clock.advance(300)
    (entry,) = kafka.requests
    assert entry.took_ms == 300


def test_an_error_in_the_answer_is_reported_by_name() -> None:
    kafka = FakeKafka("2.3", clock=ManualClock(NOW)).boot()
    Client(kafka).send(produce(("nowhere", 0)), 7)
    assert kafka.requests[-1].error == "UNKNOWN_TOPIC_OR_PARTITION"


@pytest.mark.parametrize(("how", "error"), [("close", "closed"), ("silence", "no answer")])
def test_an_end_without_an_answer_is_reported(how: Any, error: str) -> None:
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW)).boot()
    kafka.faults.drop("Produce", how=how)
    Client(kafka).send(produce(("orders", 0)), 7)
    assert (kafka.requests[-1].error, kafka.requests[-1].response) == (error, None)


def test_passwords_are_not_remembered() -> None:
    kafka = FakeKafka("3.9", clock=ManualClock(NOW)).boot()
    client = Client(kafka)
    client.send(SaslAuthenticateRequest(auth_bytes=b"\0alice\0wonderland"), 2)
    upsertion = ScramCredentialUpsertion(name="alice", mechanism=1, iterations=4096, salted_password=b"wonderland")
    client.send(AlterUserScramCredentialsRequest(upsertions=[upsertion]), 0)
    asked = kafka.requests
    assert [entry.api for entry in asked] == ["SaslAuthenticate", "AlterUserScramCredentials"]
    assert not any(b"wonderland" in entry.frame or "wonderland" in repr(entry.request) for entry in asked)
    assert asked[1].request.upsertions[0].name == "alice"


PRODUCED = [
    pytest.param("0.8.2", 0, messages(), "CreateTime", id="messages of format 0"),
    pytest.param("0.10.2", 2, timed(), "LogAppendTime", id="messages of format 1"),
    pytest.param("0.10.2", 2, v1.build(rows(3), codec=1), "LogAppendTime", id="a wrapper"),
    pytest.param("2.3", 7, batch(), "CreateTime", id="a batch"),
    pytest.param("4.3", 11, batch(), "LogAppendTime", id="a batch that gets the broker's time"),
]


@pytest.mark.parametrize(("release", "version", "records", "timestamp_type"), PRODUCED)
def test_produced_records_are_remembered_as_they_came(
    release: str, version: int, records: bytes, timestamp_type: str
) -> None:
    config = {} if release == "0.8.2" else {"log.message.timestamp.type": timestamp_type}
    kafka = FakeKafka(release, topics={"t": 2}, clock=ManualClock(NOW + 5), config=config).boot()
    frame = request_frame(request({("t", 0): records, ("t", 1): records}), version, 1, "c")
    client = kafka.connect()
    for _ in range(2):
        client.send(frame)
    assert [entry.frame for entry in kafka.requests] == [frame, frame]
    assert [entry.error for entry in kafka.requests] == [None, None]
    (topic,) = kafka.requests[-1].request.topic_data
    assert [bytes(part.records) for part in topic.partition_data] == [records, records]
    offsets = [record.offset for record in kafka.records("t") if record.partition == 1]
    assert offsets == list(range(len(offsets)))  # so the second copy was written to


def test_what_is_kept_of_produced_records_counts_among_the_journals_bytes() -> None:
    records = messages(100)
    frame = request_frame(request({("t", 0): records}), 0, 1, "c")
    kafka = FakeKafka("0.8.2", topics={"t": 1}, journal_bytes=5 * len(frame)).boot()
    client = kafka.connect()
    for _ in range(9):
        client.send(frame)
    assert len(kafka.requests) == 2  # each is remembered with a copy of its records


def test_of_two_sets_for_one_partition_both_are_remembered_as_they_came() -> None:
    kafka = FakeKafka("2.3", topics={"t": 1}, clock=ManualClock(NOW)).boot()
    twice = request({("t", 0): batch(1)})
    twice.topic_data.append(request({("t", 0): batch(2)}).topic_data[0])
    frame = request_frame(twice, 7, 1, "c")
    client = kafka.connect()
    for _ in range(2):
        client.send(frame)
    assert [entry.frame for entry in kafka.requests] == [frame, frame]


def test_an_answer_of_many_partitions_is_remembered_as_bytes_and_read_again() -> None:
    kafka = FakeKafka("3.9", topics={"t": 500}).boot()
    client_of(kafka).send(request_frame(MetadataRequest(topics=None), 9, 7, "test"))
    (entry,) = kafka.requests
    assert not any(isinstance(found, Response) for found in gc.get_referents(entry))
    answer = entry.response
    assert isinstance(answer, MetadataResponse)
    assert len(answer.topics[0].partitions) == 500
    kafka.stop()


# ---- logins

HANDSHAKE = SaslHandshakeRequest(mechanism="PLAIN")
RIGHT, WRONG = (SaslAuthenticateRequest(auth_bytes=b"\0alice\0" + word) for word in (b"wonderland", b"guessed-word"))


def told_of_login(*requests: Request, release: str = "3.9", version: int = 1) -> list[str]:
    """The API, the gist and the ending of each request, after it was sent to a broker where alice may log in."""
    config = {"connection.failed.authentication.delay.ms": 0} if release == "3.9" else {}
    with FakeKafka(release, users={"alice": "wonderland"}, config=config).boot() as kafka:
        client = kafka.connect()
        for request in requests:
            client.send(request_frame(request, version, 1, "c"))
        assert "wonderland" not in repr([(entry.request, entry.response, entry.frame) for entry in kafka.requests])
        assert "guessed-word" not in repr([(entry.request, entry.response, entry.frame) for entry in kafka.requests])
        return [f"{entry.api} {entry.gist} {entry.ending}" for entry in kafka.requests]


def test_a_login_names_its_mechanism_and_its_user() -> None:
    assert told_of_login(HANDSHAKE, RIGHT, MetadataRequest(topics=[])) == [
        "SaslHandshake PLAIN ok", "SaslAuthenticate as User:alice ok", "Metadata  ok",
    ]  # fmt: skip


def test_a_failed_login_names_nobody() -> None:
    assert told_of_login(HANDSHAKE, WRONG)[-1] == "SaslAuthenticate  SASL_AUTHENTICATION_FAILED"


def test_a_request_before_the_login_is_noted() -> None:
    assert told_of_login(MetadataRequest(topics=[])) == ["Metadata  closed"]


@pytest.mark.parametrize("mechanism", ["SCRAM-SHA-1", ""])
def test_a_mechanism_that_is_not_enabled_is_noted(mechanism: str) -> None:
    assert told_of_login(SaslHandshakeRequest(mechanism=mechanism)) == [
        f"SaslHandshake {mechanism} UNSUPPORTED_SASL_MECHANISM"
    ]  # fmt: skip


def test_versions_of_logins_count_as_used() -> None:
    with FakeKafka("3.9", users={"alice": "wonderland"}).boot() as kafka:
        client = kafka.connect()
        client.send(request_frame(HANDSHAKE, 1, 1, "c"))
        client.send(request_frame(RIGHT, 2, 2, "c"))
        assert kafka.versions_used == {"SaslHandshake": [1], "SaslAuthenticate": [2]}


@pytest.mark.parametrize(("release", "version"), [("0.10.2", 2), ("2.3", 7), ("4.3", 11)])
def test_sets_of_several_sizes_are_remembered_as_they_came(release: str, version: int) -> None:
    """Some releases append to partitions in another order than the request's."""
    kafka = FakeKafka(release, topics={"t": 5}, clock=ManualClock(NOW)).boot()
    of_size = timed if version < 3 else batch
    frame = request_frame(request({("t", n): of_size(n + 1) for n in range(5)}), version, 1, "c")
    client = kafka.connect()
    for _ in range(2):
        client.send(frame)
    assert [entry.frame for entry in kafka.requests] == [frame, frame]
