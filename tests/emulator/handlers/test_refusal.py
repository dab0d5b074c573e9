"""Whole requests refused with one error: every API, in every version, whether a release serves it here or not."""

from collections.abc import Iterator

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.handlers import SERVED
from fakekafka.handlers.call import Outcome
from fakekafka.handlers.refusal import refusal, unserved
from fakekafka.ids import ApiKey
from fakekafka.pieces import joined
from fakekafka.releases.history import INTER_BROKER
from fakekafka.releases.release import LAST_PATCH
from fakekafka.wire.apis import request_class, response_class
from fakekafka.wire.frames import SIZE, read_response, request_frame, response_frame
from fakekafka.wire.message import Response, Struct

from tests.emulator.wire.values import filled, restricted

UNSUPPORTED = ErrorCode.UNSUPPORTED_VERSION


def errors(answer: Struct, version: int) -> Iterator[int]:
    """Every error code in an answer, however deep."""
    for name, spec in answer.FIELDS.items():
        value = getattr(answer, name)
        if version not in spec.versions or value is None:
            continue
        if name == "error_code":
            yield value
        elif spec.struct is not None:
            for part in value if spec.is_array else [value]:
                yield from errors(part, version)


def versions(key: ApiKey) -> range:
    low, high = request_class(key).VERSIONS
    return range(low, high + 1)


def can_say_so(key: ApiKey, version: int) -> bool:
    """Whether the answer has an error code."""
    return any(errors(restricted(filled(response_class(key)), version), version))


@pytest.mark.parametrize("key", ApiKey, ids=lambda key: key.name)
def test_a_refusal_holds_its_error_in_the_layout_of_every_version(key: ApiKey) -> None:
    whole = filled(request_class(key))
    for version in versions(key):
        answer = refusal(restricted(whole, version), version, UNSUPPORTED)
        read = read_response(type(answer), version, joined(response_frame(answer, version, 1))[SIZE.size :])[1]
        found = set(errors(read, version))
        assert found == ({UNSUPPORTED} if can_say_so(key, version) else set()), (key, version)


@pytest.mark.parametrize("key", [key for key in ApiKey if key not in INTER_BROKER], ids=lambda key: key.name)
def test_an_api_that_is_not_served_is_refused_with_error_35(key: ApiKey) -> None:
    for version in versions(key):
        answer = unserved(restricted(filled(request_class(key)), version), version)
        assert isinstance(answer, Response)
        assert set(errors(answer, version)) <= {UNSUPPORTED}


@pytest.mark.parametrize("key", INTER_BROKER, ids=lambda key: key.name)
def test_a_request_between_brokers_that_is_not_served_closes_the_connection(key: ApiKey) -> None:
    assert unserved(filled(request_class(key)), 0) is Outcome.CLOSE


@pytest.mark.parametrize("release", LAST_PATCH)
def test_an_advertised_api_that_is_not_built_is_refused_with_error_35_or_closes_the_connection(release: str) -> None:
    kafka = FakeKafka(release).boot()
    accepted = kafka.connect().core.cluster.brokers[0].accepted
    for key, (low, high) in accepted.items():
        for version in range(low, high + 1) if key not in SERVED else ():
            client = kafka.connect()
            request = restricted(filled(request_class(key)), version)
            data = client.send(request_frame(request, version, 1, "test"))
            assert client.closed == (key in INTER_BROKER)
            if not client.closed:
                answer = read_response(response_class(key), version, data[SIZE.size :])[1]
                assert set(errors(answer, version)) == {UNSUPPORTED}
    assert not kafka.failures
    kafka.stop()
