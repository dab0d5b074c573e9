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

from tests.emulator.wire.test_kafka_python import THEIRS
from tests.emulator.wire.values import filled, restricted
from tests.support.faults import NOW

ERRORS = [error for error in ErrorCode if error is not ErrorCode.NONE]
READ_BY_KAFKA_PYTHON = [key for key in SERVED if response_class(key).__name__ in THEIRS and carrying(key)]
ERRORS_IN_THE_LOWEST_VERSION_ONLY = {ApiKey.API_VERSIONS}
"""Their answers with an error are those of version 0, whatever was asked (KIP-511)."""


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
        asked = restricted(filled(request_class(key)), version)
        for error in ERRORS:
            answer = encode_bytes(refusal(asked, version, error, inner=error.value % 2 == 0), version)
            assert set(codes(theirs.decode(answer, version=version))) - {0} == {int(error)}, (version, error)


@pytest.fixture(scope="module")
def newest() -> FakeKafka:
    return FakeKafka("4.3", clock=ManualClock(NOW)).boot()


@pytest.mark.parametrize("key", [key for key in SERVED if carrying(key) and key not in INTER_BROKER], ids=api_name)
def test_a_rule_puts_its_error_into_the_answer_of_every_version(newest: FakeKafka, key: ApiKey) -> None:
    broker = newest._running.cluster.brokers[0]
    low, high = broker.accepted.get(key, (0, -1))
    with newest.faults.fail(int(key), "KAFKA_STORAGE_ERROR") as rule:
        for version in range(low, high + 1):
            if version not in carrying(key):
                continue
            client = newest.connect()
            answer = client.send(request_frame(restricted(filled(request_class(key)), version), version, 1, "test"))
            _, found = read_response(response_class(key), version, answer[SIZE.size :])
            assert error_names(found) == ["KAFKA_STORAGE_ERROR"], version
    assert rule.hits == sum(version in carrying(key) for version in range(low, high + 1))
