"""How long real brokers take for what fakekafka does at once: the figures in `emulator/fakekafka/pace/measured.py`.

    python -m tests.benchmarks.real_paces 2.8.2 3.9.1
    python -m tests.benchmarks.real_paces 2.8.2=127.0.0.1:9092 2.8.2=127.0.0.1:9093 3.9.1=127.0.0.1:9094

Of a release alone, brokers are started here, which needs a JDK and Maven: some one after the other, and a pair for
reassignments. Brokers with an address run already. Each of them must be new and otherwise idle: it creates its internal
topics only once. Several brokers of a release count as one. A cluster of several brokers, named by its controller's
address, shows reassignments as well. Prints a row per release and event: how often it was seen, median and 95th
percentile in milliseconds, and the errors that clients get meanwhile.
"""

import socket
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, TypeVar

from fakekafka import Release
from fakekafka.wire.apis.add_partitions_to_txn import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
    AddPartitionsToTxnTopic,
)
from fakekafka.wire.apis.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    AlterPartitionReassignmentsResponse,
    ReassignablePartition,
    ReassignableTopic,
)
from fakekafka.wire.apis.api_versions import ApiVersionsRequest, ApiVersionsResponse
from fakekafka.wire.apis.create_topics import CreatableTopic, CreateTopicsRequest, CreateTopicsResponse
from fakekafka.wire.apis.end_txn import EndTxnRequest, EndTxnResponse
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest, FindCoordinatorResponse
from fakekafka.wire.apis.heartbeat import HeartbeatRequest, HeartbeatResponse
from fakekafka.wire.apis.init_producer_id import InitProducerIdRequest, InitProducerIdResponse
from fakekafka.wire.apis.list_partition_reassignments import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsResponse,
)
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.frames import SIZE, read_response, request_frame
from fakekafka.wire.message import Request, Response

from tests.real_patches.cluster import cluster

R = TypeVar("R", bound=Response)

TIMES: Final = 40
NEW_BROKERS: Final = 4
"""How many brokers are started of a release: what happens once in a broker's life is seen that often."""
CONFIG: Final = {
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "group.initial.rebalance.delay.ms": "0",
}
FIRST_WITH_TRANSACTIONS: Final = Release.parse("0.11.0.0")
FIRST_WITH_REASSIGNMENTS: Final = Release.parse("2.4.0")
"""From here on clients may ask for them."""
PATIENCE_S: Final = 30
PAUSE_S: Final = 0.001
"""The pause between two requests. What takes less than this plus a round trip cannot be measured."""
CREATE_TOPICS: Final = 19
CREATE_TOPICS_VERSION: Final = 2
"""The only version that all releases from 0.11 on have."""
INIT_PRODUCER_ID: Final = 22
ALTER_PARTITION_REASSIGNMENTS: Final = 45
UNKNOWN_MEMBER_ID: Final = 25
HEADER: Final = f"{'release':9} {'event':26} {'seen':>4} {'median':>8} {'95 %':>8}   errors meanwhile (code x times)"


class Seen(NamedTuple):
    """One occurrence of an event."""

    event: str
    took_ms: float
    errors: frozenset[int]


class Client:
    """One connection."""

    def __init__(self, server: str) -> None:
        host, _, port = server.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), timeout=PATIENCE_S)
        self._stream = self._socket.makefile("rb")

    def ask(self, request: Request, version: int, kind: type[R]) -> R:
        self._socket.sendall(request_frame(request, version, 1, "paces"))
        (size,) = SIZE.unpack(self._stream.read(SIZE.size))
        return read_response(kind, version, self._stream.read(size))[1]

    def close(self) -> None:
        self._stream.close()
        self._socket.close()


def until_well(event: str, ask: Callable[[], int]) -> Seen:
    """Ask until an answer has no error."""
    errors, start = set(), time.monotonic()
    while (error := ask()) and time.monotonic() < start + PATIENCE_S:
        errors.add(error)
        time.sleep(PAUSE_S)
    assert not error, f"{event}: still error {error}"
    return Seen(event, 1000 * (time.monotonic() - start), frozenset(errors))


def seen_at_new(release: Release, folder: Path) -> Iterator[Seen]:
    """Everything that new brokers show."""
    config = CONFIG if release >= FIRST_WITH_TRANSACTIONS else {"offsets.topic.replication.factor": "1"}
    for n in range(NEW_BROKERS):
        (alone := folder / str(n)).mkdir()
        with cluster(release, release.default_mode, 1, config, alone) as brokers:
            brokers.start(0)
            yield from seen_at(brokers.addresses[0])
    if release >= FIRST_WITH_REASSIGNMENTS:
        (pair := folder / "pair").mkdir()
        with cluster(release, release.default_mode, 2, config, pair) as brokers:
            brokers.start(0)  # under ZooKeeper, the first one is the controller
            brokers.start(1)
            client = Client(brokers.addresses[0])
            until_well("topic asked for", lambda: _leader(client, "asked-0"))
            yield from _reassignments(client)
            client.close()


def seen_at(server: str) -> Iterator[Seen]:
    """Everything that one new broker shows."""
    client = Client(server)
    newest = {api.api_key: api.max_version for api in client.ask(ApiVersionsRequest(), 0, ApiVersionsResponse).api_keys}
    yield from _new_topics(client)
    if newest[CREATE_TOPICS] >= CREATE_TOPICS_VERSION:
        yield from _created_topics(client)
    yield until_well("offsets topic", lambda: _coordinator(client, "g", 0))
    yield until_well("offsets loaded", lambda: _heartbeat(client))
    if INIT_PRODUCER_ID in newest:
        yield until_well("transactions topic", lambda: _coordinator(client, "t", 1))
        yield until_well("first producer id", lambda: client.ask(_init("t"), 0, InitProducerIdResponse).error_code)
        yield from _markers(client)
    if ALTER_PARTITION_REASSIGNMENTS in newest:
        yield from _reassignments(client)
    client.close()


def _new_topics(client: Client) -> Iterator[Seen]:
    for n in range(TIMES):
        yield until_well("topic asked for", lambda n=n: _leader(client, f"asked-{n}"))  # type: ignore[misc]


def _created_topics(client: Client) -> Iterator[Seen]:
    for n in range(TIMES):
        name = f"created-{n}"
        topic = CreatableTopic(name=name, num_partitions=1, replication_factor=1)
        yield until_well("CreateTopics answered", lambda: _create(client, topic))  # noqa: B023 - it is called at once
        yield until_well("topic created", lambda: _leader(client, name))  # noqa: B023


def _leader(client: Client, topic: str) -> int:
    asked = MetadataRequest(topics=[MetadataRequestTopic(name=topic)])
    (found,) = client.ask(asked, 1, MetadataResponse).topics
    return found.error_code or next((p.error_code for p in found.partitions if p.error_code), 0)


def _create(client: Client, topic: CreatableTopic) -> int:
    asked = CreateTopicsRequest(topics=[topic], timeout_ms=10_000)
    return client.ask(asked, CREATE_TOPICS_VERSION, CreateTopicsResponse).topics[0].error_code


def _coordinator(client: Client, key: str, kind: int) -> int:
    asked = FindCoordinatorRequest(key=key, key_type=kind)
    return client.ask(asked, min(kind, 1), FindCoordinatorResponse).error_code


def _heartbeat(client: Client) -> int:
    """Heartbeat: 0 once the group's offsets are loaded, since the member is unknown then."""
    asked = HeartbeatRequest(group_id="g", generation_id=0, member_id="nobody")
    error = client.ask(asked, 0, HeartbeatResponse).error_code
    return 0 if error == UNKNOWN_MEMBER_ID else error


def _init(transactional_id: str) -> InitProducerIdRequest:
    return InitProducerIdRequest(transactional_id=transactional_id, transaction_timeout_ms=60_000)


def _markers(client: Client) -> Iterator[Seen]:
    """The time from the answer to EndTxn until the next transaction may begin."""
    producer = client.ask(_init("t"), 0, InitProducerIdResponse)
    end = EndTxnRequest(
        transactional_id="t",
        producer_id=producer.producer_id,
        producer_epoch=producer.producer_epoch,
        committed=True,
    )
    first = AddPartitionsToTxnTopic(name="asked-0", partitions=[0])
    add = AddPartitionsToTxnRequest(
        v3_and_below_transactional_id="t",
        v3_and_below_producer_id=producer.producer_id,
        v3_and_below_producer_epoch=producer.producer_epoch,
        v3_and_below_topics=[first],
    )

    def begin() -> int:
        answer = client.ask(add, 0, AddPartitionsToTxnResponse)
        return answer.results_by_topic_v3_and_below[0].results_by_partition[0].partition_error_code

    begin()
    for _ in range(TIMES):
        until_well("transaction begun", begin)
        until_well("EndTxn answered", lambda: client.ask(end, 0, EndTxnResponse).error_code)
        yield until_well("markers", begin)


def _reassignments(client: Client) -> Iterator[Seen]:
    """The time from the answer that a partition will move until the partition is no longer listed as moving."""
    nodes = [one.node_id for one in client.ask(MetadataRequest(topics=[]), 1, MetadataResponse).brokers]
    if len(nodes) < 2:
        return
    for n in range(TIMES):
        part = ReassignablePartition(partition_index=0, replicas=[nodes[n % 2]])
        wanted = AlterPartitionReassignmentsRequest(topics=[ReassignableTopic(name="asked-0", partitions=[part])])
        client.ask(wanted, 0, AlterPartitionReassignmentsResponse)
        yield until_well("reassignment", lambda: _listed(client))._replace(errors=frozenset())


def _listed(client: Client) -> int:
    """How many topics are being reassigned."""
    asked = ListPartitionReassignmentsRequest(topics=None, timeout_ms=1000)
    return len(client.ask(asked, 0, ListPartitionReassignmentsResponse).topics)


def rows(release: str, seen: Sequence[Seen]) -> Iterator[str]:
    """A row of the table for each event."""
    times, errors = defaultdict(list), defaultdict[str, Counter[int]](Counter)
    for one in seen:
        times[one.event].append(one.took_ms)
        errors[one.event].update(one.errors)
    for event, took in times.items():
        high = sorted(took)[min(len(took) - 1, int(0.95 * len(took)))]
        told = " ".join(f"{code}x{count}" for code, count in sorted(errors[event].items()))
        yield f"{release:9} {event:26} {len(took):4} {median(took):8.1f} {high:8.1f}   {told}"


def main(arguments: Sequence[str]) -> None:
    found: dict[str, list[Seen]] = defaultdict(list)
    for argument in arguments:
        release, _, server = argument.partition("=")
        if server:
            found[release] += seen_at(server)
        else:
            with TemporaryDirectory() as folder:
                found[release] += seen_at_new(Release.parse(release), Path(folder))
    print(HEADER)
    for release, seen in found.items():
        print("\n".join(rows(release, seen)))


if __name__ == "__main__":
    main(sys.argv[1:])
