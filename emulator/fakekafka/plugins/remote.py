"""The topics of plug-ins over a socket: what the tool and the clients read, and what the tool writes.

This is KIP-984's "special producer" and "special consumer", made of five requests in versions that every release from
0.11 to 4.x has. It knows neither TLS nor SASL.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from fakekafka.errors import ErrorCode, MalformedBytes, UsageError
from fakekafka.ids import BrokerId, Offset, TopicName
from fakekafka.plugins.entry import Language, PluginEntry, language_of, topic_of
from fakekafka.plugins.registration import Registered, by_language
from fakekafka.records import v2
from fakekafka.records.record import Record
from fakekafka.records.scan import batches
from fakekafka.wire.apis.create_topics import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
    CreateTopicsResponse,
)
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic
from fakekafka.wire.apis.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
)
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataResponse, MetadataResponseTopic
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, ProduceResponse, TopicProduceData
from fakekafka.wire.frames import SIZE, read_response, request_frame
from fakekafka.wire.message import Request, Response

T = TypeVar("T")
R = TypeVar("R", bound=Response)

CLIENT_ID: Final = "kafka-plugin-tool"
VERSIONS: Final[Mapping[type[Request], int]] = {
    MetadataRequest: 4,
    CreateTopicsRequest: 2,
    ProduceRequest: 3,
    FetchRequest: 4,
    ListOffsetsRequest: 1,
}
TIMEOUT_MS: Final = 10_000
FETCH_BYTES: Final = 1 << 20
EARLIEST: Final = -2
LATEST: Final = -1
ALL_IN_SYNC: Final = -1
REPLICAS: Final = 3
"""Replicas of a new topic, if there are that many brokers."""
CONFIGS: Final = {"cleanup.policy": "compact", "compression.type": "producer"}


def read_registered(bootstrap_servers: str | Sequence[str]) -> Registered:
    """What a cluster has registered. Raises `UsageError` if it cannot be reached."""
    return _run(bootstrap_servers, _Cluster.read)


def write_entries(bootstrap_servers: str | Sequence[str], entries: Mapping[Language, PluginEntry]) -> None:
    """Store entries, each in the topic of its language, which is created if it is missing. Raises `UsageError`."""
    _run(bootstrap_servers, lambda cluster: cluster.write(entries))


def _run(servers: str | Sequence[str], work: Callable[["_Cluster"], Awaitable[T]]) -> T:
    """Do work in its own loop and thread, since the caller may have a running loop."""
    addresses = servers.split(",") if isinstance(servers, str) else list(servers)

    async def done() -> T:
        cluster = _Cluster(addresses)
        try:
            return await asyncio.wait_for(work(cluster), TIMEOUT_MS / 1000)
        except (OSError, asyncio.IncompleteReadError, MalformedBytes, TimeoutError) as e:
            raise UsageError(f"no answer from {', '.join(addresses)}: {e!r}") from e
        finally:
            cluster.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, done()).result()


class _Cluster:
    """The brokers of one cluster, as far as they have been asked."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._addresses = addresses
        self._connections: dict[BrokerId | None, tuple[asyncio.StreamReader, asyncio.StreamWriter]] = {}
        self._brokers: dict[BrokerId, str] = {}
        self._controller: BrokerId = -1

    def close(self) -> None:
        for _, writer in self._connections.values():
            writer.close()

    # ---- reading

    async def read(self) -> Registered:
        topics = await self._topics()
        entries: dict[Language, Mapping[str, PluginEntry]] = {}
        for name, leader in topics.items():
            language = language_of(name)
            if language is not None:
                rows = [(language, row.key or b"", row.value) async for row in self._records(name, leader)]
                entries[language] = by_language(rows).get(language, {})
        return entries

    async def _topics(self) -> dict[TopicName, BrokerId]:
        """The topics of plug-ins, and the leader of each."""
        asked = MetadataRequest(topics=None, allow_auto_topic_creation=False)
        answer = await self._ask(None, asked, MetadataResponse)
        self._brokers = {broker.node_id: f"{broker.host}:{broker.port}" for broker in answer.brokers}
        self._controller = answer.controller_id
        return {topic.name: _leader(topic) for topic in answer.topics if topic.name and language_of(topic.name)}

    async def _records(self, topic: TopicName, leader: BrokerId):  # type: ignore[no-untyped-def]
        offset, end = await self._offset(topic, leader, EARLIEST), await self._offset(topic, leader, LATEST)
        while offset < end:
            wanted = FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=FETCH_BYTES)
            asked = FetchRequest(
                replica_id=-1,
                max_wait_ms=0,
                min_bytes=0,
                max_bytes=FETCH_BYTES,
                topics=[FetchTopic(topic=topic, partitions=[wanted])],
            )
            part = (await self._ask(leader, asked, FetchResponse)).responses[0].partitions[0]
            _check(topic, part.error_code)
            units = list(batches(b"".join(map(bytes, _pieces(part.records)))))
            for unit in units:
                for record in unit.records():
                    if record.offset >= offset:
                        yield record
            if not units:
                return
            offset = units[-1].last_offset + 1

    async def _offset(self, topic: TopicName, leader: BrokerId, timestamp: int) -> Offset:
        wanted = ListOffsetsPartition(partition_index=0, timestamp=timestamp)
        asked = ListOffsetsRequest(replica_id=-1, topics=[ListOffsetsTopic(name=topic, partitions=[wanted])])
        part = (await self._ask(leader, asked, ListOffsetsResponse)).topics[0].partitions[0]
        _check(topic, part.error_code)
        return part.offset

    # ---- writing

    async def write(self, entries: Mapping[Language, PluginEntry]) -> None:
        leaders = await self._topics()
        missing = [topic_of(language) for language in entries if topic_of(language) not in leaders]
        if missing:
            await self._create(missing)
            leaders = await self._led(missing)
        for language, entry in entries.items():
            await self._produce(topic_of(language), leaders[topic_of(language)], entry)

    async def _led(self, names: Sequence[TopicName]) -> dict[TopicName, BrokerId]:
        """Ask until new topics have leaders. The caller limits the time."""
        while True:
            leaders = await self._topics()
            if all(leaders.get(name, -1) >= 0 for name in names):
                return leaders
            await asyncio.sleep(0.05)

    async def _create(self, names: Sequence[TopicName]) -> None:
        factor = min(REPLICAS, len(self._brokers))
        configs = [CreatableTopicConfig(name=name, value=value) for name, value in CONFIGS.items()]
        topics = [
            CreatableTopic(name=name, num_partitions=1, replication_factor=factor, assignments=[], configs=configs)
            for name in names
        ]
        asked = CreateTopicsRequest(topics=topics, timeout_ms=TIMEOUT_MS)
        for topic in (await self._ask(self._controller, asked, CreateTopicsResponse)).topics:
            if topic.error_code != ErrorCode.TOPIC_ALREADY_EXISTS:
                _check(topic.name, topic.error_code)

    async def _produce(self, topic: TopicName, leader: BrokerId, entry: PluginEntry) -> None:
        row = Record(0, 0, 0, entry.key, entry.value)
        data = PartitionProduceData(index=0, records=v2.build([row._replace(timestamp=_now_ms())]))
        asked = ProduceRequest(
            transactional_id=None,
            acks=ALL_IN_SYNC,
            timeout_ms=TIMEOUT_MS,
            topic_data=[TopicProduceData(name=topic, partition_data=[data])],
        )
        answer = await self._ask(leader, asked, ProduceResponse)
        _check(topic, answer.responses[0].partition_responses[0].error_code)

    # ---- requests

    async def _ask(self, node_id: BrokerId | None, request: Request, kind: type[R]) -> R:
        """The answer of a broker; None: of any broker."""
        reader, writer = self._connections.get(node_id) or await self._connect(node_id)
        version = VERSIONS[type(request)]
        writer.write(request_frame(request, version, 1, CLIENT_ID))
        (size,) = SIZE.unpack(await reader.readexactly(SIZE.size))
        return read_response(kind, version, await reader.readexactly(size))[1]

    async def _connect(self, node_id: BrokerId | None) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        addresses = self._addresses if node_id is None else [self._brokers[node_id]]
        problem: OSError | None = None
        for address in addresses:
            host, _, port = address.strip().rpartition(":")
            try:
                self._connections[node_id] = await asyncio.open_connection(host.strip("[]"), int(port))
                return self._connections[node_id]
            except OSError as e:
                problem = e
        assert problem is not None
        raise problem


def _pieces(records: object) -> Iterator[bytes]:
    """The bytes of a fetched set, whether they came in one piece or in several."""
    if isinstance(records, list):
        yield from records
    elif records is not None:
        yield bytes(records)  # type: ignore[call-overload]


def _now_ms() -> int:
    from fakekafka.clock import SystemClock

    return SystemClock().now_ms


def _leader(topic: MetadataResponseTopic) -> BrokerId:
    return next((part.leader_id for part in topic.partitions if part.partition_index == 0), -1)


def _check(topic: str, error: int) -> None:
    if error != ErrorCode.NONE:
        raise UsageError(f"{topic}: {ErrorCode(error).name}")
