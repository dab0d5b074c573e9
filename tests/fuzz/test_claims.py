"""Claimed lengths and counts of gigabytes: whatever a request says about its size, only what has come takes memory."""

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import MalformedBytes
from fakekafka.ids import ApiKey
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis import request_class
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, TopicProduceData
from fakekafka.wire.codec import decode, encode_bytes
from fakekafka.wire.frames import SIZE, request_frame

from tests.emulator.wire.values import filled, restricted
from tests.fuzz.record_sets import checked, inside, packed, right
from tests.fuzz.under_fire import NOW, TOPICS

CLAIMS = (b"\x7f\xff\xff\xff", b"\x7f\xff", b"\xff\xff\xff\xff\x07", b"\xfe\xff\xff\xff\x0f")
"""2 GiB as a count or a length, the longest string, and 2 GiB as a varint: unsigned, and zigzag."""
BOUND = 8 << 20
"""Bytes that one request may take beyond its own size. The buffer of a frame begins with 1 MiB."""


@contextmanager
def little_memory() -> Iterator[None]:
    """Raises if the code inside ever uses more than `BOUND` of additional memory."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        yield
        assert tracemalloc.get_traced_memory()[1] - before < BOUND
    finally:
        tracemalloc.stop()


def claiming(data: bytes) -> Iterator[bytes]:
    """`data` with every claim in every place."""
    for at in range(len(data)):
        for claim in CLAIMS:
            yield data[:at] + claim + data[at + len(claim) :]


@pytest.mark.parametrize("key", ApiKey, ids=lambda key: key.name)
def test_no_field_of_a_request_allocates_what_it_claims(key: ApiKey) -> None:
    cls = request_class(key)
    shapes = {version in cls.FLEXIBLE: version for version in range(cls.VERSIONS.low, cls.VERSIONS.high + 1)}
    whole = filled(cls)
    with little_memory():
        for version in shapes.values():
            for data in claiming(encode_bytes(restricted(whole, version), version)):
                with suppress(MalformedBytes):
                    decode(cls, version, data)


@pytest.fixture(params=["0.8.2", "0.10.2", "2.3", "4.3"])
def kafka(request: pytest.FixtureRequest) -> Iterator[FakeKafka]:
    broker = FakeKafka(request.param, clock=ManualClock(NOW), topics=TOPICS).boot()
    yield broker
    broker.stop()


def client_in_use(kafka: FakeKafka, last: list[MemoryClient]) -> MemoryClient:
    """An open connection: the last one if it is still open, otherwise a new one."""
    if not last or last[-1].closed:
        last[:] = [kafka.connect()]
    return last[-1]


@pytest.mark.parametrize(("magic", "codec"), [(0, 0), (0, 1), (1, 0), (1, 2), (2, 0), (2, 3)])
def test_no_field_of_a_record_allocates_what_it_claims(kafka: FakeKafka, magic: int, codec: int) -> None:
    low, high = next(v for k, v in kafka.connect().core.cluster.brokers[0].accepted.items() if k is ApiKey.PRODUCE)
    version = max(low, min(high, 2 if magic < 2 else 8))
    sets = [packed(magic, codec, x) for x in claiming(inside(magic))] if codec else map(checked, claiming(right(magic)))
    clients: list[MemoryClient] = []
    with little_memory():
        for number, data in enumerate(sets):
            part = PartitionProduceData(index=0, records=data)
            body = ProduceRequest(acks=1, topic_data=[TopicProduceData(name="t", partition_data=[part])])
            client_in_use(kafka, clients).send(request_frame(body, version, number, "claims"))
    assert not kafka.failures


@pytest.mark.parametrize("size", [2**31 - 1, 104857600, -1])
def test_a_frame_that_never_comes_takes_no_memory(kafka: FakeKafka, size: int) -> None:
    with little_memory():
        client = kafka.connect()
        assert client.send(SIZE.pack(size) + bytes(40_000)) == b""
    assert client.closed == (size != 104857600)
    assert not kafka.failures
