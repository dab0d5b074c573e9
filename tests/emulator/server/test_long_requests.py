"""Requests that name thousands of things: handled in steps, between which others have their turn."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import UsageError
from fakekafka.ids import ApiKey
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis import request_class
from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.frames import request_frame
from fakekafka.wire.message import Request

from tests.benchmarks.largest_requests import arrays, grown
from tests.support.functions_passed import functions_passed
from tests.support.seeded import NOW
from tests.support.smallest_steps import smallest_steps

MANY: Final = 6000
FEW_FUNCTIONS: Final = 12_000
"""A step that passes no more takes some milliseconds."""
A_WHOLE_BROKER: Final = 60_000
"""To describe a broker with its 300 configs is one step."""
LONG: Final = {
    ("FIND_COORDINATOR", "coordinator_keys"), ("LIST_OFFSETS", "topics"), ("LIST_OFFSETS", "topics.partitions"),
    ("OFFSET_FETCH", "groups"), ("OFFSET_FETCH", "groups.topics"), ("OFFSET_FOR_LEADER_EPOCH", "topics.partitions"),
    ("METADATA", "topics"), ("DESCRIBE_CONFIGS", "resources"), ("DESCRIBE_GROUPS", "groups"),
    ("DESCRIBE_TRANSACTIONS", "transactional_ids"), ("CONSUMER_GROUP_DESCRIBE", "group_ids"), ("PRODUCE", "topic_data"),
    ("PRODUCE", "topic_data.partition_data"), ("OFFSET_COMMIT", "topics"), ("OFFSET_COMMIT", "topics.partitions"),
    ("TXN_OFFSET_COMMIT", "topics.partitions"), ("OFFSET_DELETE", "topics.partitions"),
    ("ADD_PARTITIONS_TO_TXN", "transactions"), ("ADD_PARTITIONS_TO_TXN", "transactions.topics.partitions"),
    ("DELETE_RECORDS", "topics.partitions"), ("DELETE_TOPICS", "topics"), ("LEAVE_GROUP", "members"),
    ("DELETE_GROUPS", "groups_names"),
}  # fmt: skip


def kafka_of(release: str) -> FakeKafka:
    return FakeKafka(release, clock=ManualClock(NOW), topics={"t": 1}).boot()


def long_request(api: str, path: str, count: int, release: str, *, distinct: bool = True) -> tuple[Request, int]:
    kafka = kafka_of(release)
    version = kafka.connect().core.cluster.brokers[0].accepted[ApiKey[api]][1]
    return grown(request_class(ApiKey[api]), version, tuple(path.split(".")), count, distinct=distinct), version


def received(client: MemoryClient, request: Request, version: int) -> None:
    """Have the broker receive a request that it does not handle yet."""
    frame = memoryview(request_frame(request, version, 1, "long"))
    while frame:
        frame = frame[client.connection.receive(frame) :]


@pytest.mark.parametrize(("api", "path"), sorted(LONG))
def test_another_client_is_answered_after_each_step(api: str, path: str) -> None:
    kafka = kafka_of("3.9")
    long, other = kafka.connect(), kafka.connect()
    received(long, *long_request(api, path, MANY, "3.9"))
    steps = []
    while long.connection.has_request:
        steps.append(functions_passed(lambda: long.core.step(long.connection)))
        assert other.send(request_frame(ApiVersionsRequest(), 0, 1, "other"))
    assert len(steps) > 5
    *others, most = sorted(steps)
    assert most < A_WHOLE_BROKER
    assert max(others) < FEW_FUNCTIONS
    assert long.receive()


def answers(release: str) -> Iterator[tuple[str, bytes]]:
    """What a broker answers to three elements in any array of any request."""
    accepted = kafka_of(release).connect().core.cluster.brokers[0].accepted
    for key, (_, version) in accepted.items():
        for path in arrays(request_class(key), version):
            request: Any = grown(request_class(key), version, path, 3, distinct=True)
            client = kafka_of(release).connect()
            try:
                yield f"{key.name} {path}", client.send(request_frame(request, version, 1, "c"))
            except UsageError as waits:
                yield f"{key.name} {path}", str(waits).encode()


@pytest.mark.parametrize("release", ["0.11.0", "2.3", "3.9", "4.3"])
def test_what_is_answered_in_the_smallest_steps_is_what_is_answered_at_once(release: str) -> None:
    at_once = dict(answers(release))
    with smallest_steps():
        in_steps = dict(answers(release))
    assert in_steps == at_once
    assert len(at_once) > 30


def test_a_client_that_leaves_meanwhile_is_forgotten() -> None:
    kafka = kafka_of("3.9")
    long = kafka.connect()
    received(long, *long_request("DESCRIBE_GROUPS", "groups", MANY, "3.9"))
    long.core.step(long.connection)
    long.disconnect()
    assert not long.connection.has_request
    assert kafka.connect().send(request_frame(ApiVersionsRequest(), 0, 1, "other"))
    assert not kafka.failures
