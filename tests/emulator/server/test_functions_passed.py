"""How many of our functions a request passes on its way: the cost of the hot path, whatever the machine.

Counted from the bytes of a request to those of its answer, without sockets, once everything is imported and made. The
bounds are what was counted under Python 3.11; later versions enter fewer. A change that needs more says why.
"""

from collections.abc import Callable

import pytest
from fakekafka import FakeKafka
from fakekafka.ids import Offset
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchTopic
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest
from fakekafka.wire.frames import request_frame
from fakekafka.wire.message import Request

from tests.support.functions_passed import functions_passed
from tests.support.producing import T0, batch, request, timed

PRODUCE, FETCH, HEARTBEAT, FIND_COORDINATOR = 11, 12, 1, 4
"""The versions of the requests that are sent to 4.3."""


def sending(client: MemoryClient, message: Request, version: int) -> Callable[[], object]:
    """An action that sends the request, whose bytes are made beforehand."""
    frame = request_frame(message, version, 1, "c")
    return lambda: client.send(frame)


def fetch(offset: Offset, max_wait_ms: int = 0) -> FetchRequest:
    partition = FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=1 << 20)
    topics = [FetchTopic(topic="t", partitions=[partition])]
    return FetchRequest(max_wait_ms=max_wait_ms, min_bytes=1, max_bytes=1 << 20, session_epoch=-1, topics=topics)


def join(member_id: str) -> ConsumerGroupHeartbeatRequest:
    return ConsumerGroupHeartbeatRequest(
        group_id="g",
        member_id=member_id,
        rebalance_timeout_ms=60_000,
        subscribed_topic_names=["t"],
        topic_partitions=[],
    )


@pytest.mark.parametrize(
    ("release", "data", "version", "most"), [("0.10.2", timed(), 2, 174), ("4.3", batch(), PRODUCE, 157)]
)
def test_one_produce_passes_few_functions(release: str, data: bytes, version: int, most: int) -> None:
    """Up to 0.11, twelve of them count what the client uses, for a quota that it may get later."""
    client = FakeKafka(release, topics={"t": 1}).boot().connect()
    produce = sending(client, request({T0: data}), version)
    produce()
    assert functions_passed(produce) <= most


@pytest.mark.parametrize(("offset", "most"), [(0, 123), (2, 99)], ids=["records", "nothing there"])
def test_one_fetch_passes_few_functions(offset: Offset, most: int) -> None:
    client = FakeKafka("4.3", topics={"t": 1}).boot().connect()
    client.send(request_frame(request({T0: batch()}), PRODUCE, 1, "c"))
    read = sending(client, fetch(offset), FETCH)
    read()
    assert functions_passed(read) <= most


def test_a_record_passes_few_functions_on_its_way_to_a_waiting_consumer() -> None:
    """From the bytes of a Produce request to those of the answer to the Fetch that waited for it."""
    kafka = FakeKafka("4.3", topics={"t": 1}).boot()
    consumer, producer = kafka.connect(), kafka.connect()
    produce = sending(producer, request({T0: batch()}), PRODUCE)
    for offset in (0, 2):
        assert consumer.send(request_frame(fetch(offset, 500), FETCH, 1, "c")) == b""
        passed = functions_passed(lambda: (produce(), consumer.receive()))
    assert passed <= 249


def test_one_member_passes_few_functions_when_it_joins() -> None:
    kafka = FakeKafka("4.3", topics={"t": 2}).boot()
    client = kafka.connect()
    client.send(request_frame(FindCoordinatorRequest(coordinator_keys=["g"]), FIND_COORDINATOR, 1, "c"))
    client.send(request_frame(join("first"), HEARTBEAT, 1, "c"))
    assert functions_passed(sending(client, join("second"), HEARTBEAT)) <= 437


def test_planning_a_cluster_passes_few_functions() -> None:
    FakeKafka("4.3")
    assert functions_passed(lambda: FakeKafka("4.3")) <= 20


def test_a_start_and_a_stop_pass_few_functions() -> None:
    def start_and_stop() -> None:
        FakeKafka("4.3", topics={"t": 1}).start().stop()

    start_and_stop()
    assert functions_passed(start_and_stop) <= 564


def test_a_reset_passes_few_functions() -> None:
    """Ten topics with a record in each of their partitions; each topic that is made again takes about forty."""
    topics = {f"t{n}": 4 for n in range(10)}
    kafka = FakeKafka("4.3", topics=topics).boot()
    for _ in range(2):
        for name in topics:
            for index in range(4):
                kafka.send(name, b"v", partition=index)
        passed = functions_passed(kafka.reset)
    assert passed <= 914
