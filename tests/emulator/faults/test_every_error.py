"""Every error in every version of every API that has room for one: built, sent, and read by kafka-python's decoder."""

from collections.abc import Iterator
from typing import Any

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import ErrorCode
from fakekafka.faults.match import api_name
from fakekafka.faults.possible import carrying
from fakekafka.handlers import SERVED
from fakekafka.handlers.refusal import refusal
from fakekafka.ids import ApiKey
from fakekafka.releases.history import INTER_BROKER
from fakekafka.wire.apis import request_class, response_class
from fakekafka.wire.codec import encode_bytes
from fakekafka.wire.error_names import error_names
from fakekafka.wire.frames import SIZE, read_response, request_frame
from fakekafka.wire.message import Request

from tests.emulator.wire.test_kafka_python import THEIRS
from tests.emulator.wire.values import filled, restricted
from tests.support.faults import NOW

ERRORS = [error for error in ErrorCode if error is not ErrorCode.NONE]
READ_BY_KAFKA_PYTHON = [key for key in SERVED if response_class(key).__name__ in THEIRS and carrying(key)]
ERRORS_IN_THE_LOWEST_VERSION_ONLY = {ApiKey.API_VERSIONS}
"""APIs whose answers with an error have the layout of version 0, whatever the version of the request (KIP-511)."""


def codes(value: Any) -> Iterator[int]:
    """The error codes in a message that kafka-python has decoded."""
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from codes(each)
    for name in value.fields if hasattr(value, "decode") and hasattr(value, "fields") else ():
        found = getattr(value, name)
        if name.endswith("error_code"):
            yield found
        else:
            yield from codes(found)


@pytest.mark.parametrize("key", READ_BY_KAFKA_PYTHON, ids=api_name)
def test_kafka_python_reads_every_error_in_every_version(key: ApiKey) -> None:
    theirs = THEIRS[response_class(key).__name__]
    for version in carrying(key):
        if version > theirs.max_version or (version and key in ERRORS_IN_THE_LOWEST_VERSION_ONLY):
            continue
        request = restricted(filled(request_class(key)), version)
        for error in ERRORS:  # on the outermost elements, in the next version on the innermost
            answer = encode_bytes(refusal(request, version, error, inner=(error + version) % 2 == 0), version)
            assert set(codes(theirs.decode(answer, version=version))) - {0} == {int(error)}, (version, error)


FOR_CLIENTS = [key for key in SERVED if carrying(key) and key not in INTER_BROKER]
RELEASES = ("0.8.0", "0.9.0", "0.10.2", "1.1", "2.3", "2.8", "3.9", "4.0", "4.3")


@pytest.fixture(scope="module")
def brokers() -> list[FakeKafka]:
    return [FakeKafka(release, clock=ManualClock(NOW)).boot() for release in RELEASES]


def accepted(kafka: FakeKafka, key: ApiKey) -> range:
    """The versions of an API that a broker takes."""
    low, high = kafka._running.cluster.brokers[0].accepted.get(key, (0, -1))
    return range(low, high + 1)


NOT_STABLE = {
    (ApiKey.TXN_OFFSET_COMMIT, 6),
    (ApiKey.API_VERSIONS, 5),
    (ApiKey.INIT_PRODUCER_ID, 6),
    (ApiKey.DELETE_GROUPS, 3),
    (ApiKey.SHARE_GROUP_HEARTBEAT, 0),
    (ApiKey.SHARE_GROUP_DESCRIBE, 0),
    (ApiKey.SHARE_FETCH, 0),
    (ApiKey.SHARE_ACKNOWLEDGE, 0),
    (ApiKey.STREAMS_GROUP_HEARTBEAT, 1),
    (ApiKey.STREAMS_GROUP_DESCRIBE, 1),
}
"""Versions that no release takes by default."""


def test_together_the_releases_take_every_version(brokers: list[FakeKafka]) -> None:
    taken = {(key, version) for kafka in brokers for key in FOR_CLIENTS for version in accepted(kafka, key)}
    assert {(key, version) for key in FOR_CLIENTS for version in carrying(key)} - taken == NOT_STABLE


def asked(key: ApiKey, version: int) -> Request:
    """A request with values that every broker understands."""
    request: Request = restricted(filled(request_class(key)), version)
    if "isolation_level" in request.FIELDS:
        setattr(request, "isolation_level", 0)  # noqa: B010 - brokers before 2.4 end the connection for others
    return request


@pytest.mark.parametrize("key", FOR_CLIENTS, ids=api_name)
def test_a_rule_puts_its_error_into_the_answer_of_every_version(brokers: list[FakeKafka], key: ApiKey) -> None:
    for kafka in brokers:
        with kafka.faults.fail(int(key), "KAFKA_STORAGE_ERROR") as rule:
            for version in accepted(kafka, key):
                client = kafka.connect()
                answer = client.send(request_frame(asked(key, version), version, 1, "test"))
                _, found = read_response(response_class(key), version, answer[SIZE.size :])
                assert error_names(found) == ["KAFKA_STORAGE_ERROR"], (kafka.release, version)
        assert rule.hits == len(accepted(kafka, key))
