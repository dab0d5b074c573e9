"""The journal: the last requests are remembered, large ones not as long, and versions for ever."""

import gc

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.handlers.call import Wait
from fakekafka.ids import ApiKey
from fakekafka.server.journal import JOURNAL_LENGTH
from fakekafka.wire.apis.api_versions import ApiVersionsResponse
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataResponse
from fakekafka.wire.frames import request_frame
from fakekafka.wire.message import Response

from tests.emulator.server.stand_ins import API_VERSIONS, Handler, api_versions, client_of, correlation_ids


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


def test_large_frames_are_forgotten_sooner_but_never_the_last(
    kafka: FakeKafka, handler: Handler, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(kafka)
    monkeypatch.setattr("fakekafka.server.journal.JOURNAL_BYTES", 3 * (len(API_VERSIONS) + 100))
    for n in range(20):
        client.send(api_versions(n))
    assert 1 < len(kafka.requests) < 20
    assert kafka.requests[-1].call.correlation_id == 19
    monkeypatch.setattr("fakekafka.server.journal.JOURNAL_BYTES", 1)
    client.send(api_versions(20))
    (last,) = kafka.requests
    assert last.call.correlation_id == 20


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


def test_an_answer_of_many_partitions_is_remembered_as_bytes_and_read_again() -> None:
    kafka = FakeKafka("3.9", topics={"t": 500}).boot()
    client_of(kafka).send(request_frame(MetadataRequest(topics=None), 9, 7, "test"))
    (entry,) = kafka.requests
    assert not any(isinstance(found, Response) for found in gc.get_referents(entry))
    answer = entry.response
    assert isinstance(answer, MetadataResponse)
    assert len(answer.topics[0].partitions) == 500
    kafka.stop()
