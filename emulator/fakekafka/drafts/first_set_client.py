"""A client of KIP-98's first draft: sends message sets as the draft has them, and fetches them, over sockets.

No client library knows the draft. It uses versions of requests that every release from 0.11 to 4.x has; there is
neither TLS nor SASL, and each call opens its own connection. Sets and messages are those of `records.drafts.kip98`.
"""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from fakekafka.errors import ErrorCode, MalformedBytes, UsageError
from fakekafka.ids import Offset, PartitionIndex, TopicName
from fakekafka.records.drafts.kip98 import DraftSet, decode, encode
from fakekafka.records.scan import units
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, ProduceResponse, TopicProduceData
from fakekafka.wire.frames import SIZE, read_response, request_frame
from fakekafka.wire.message import Request, Response

T = TypeVar("T")
R = TypeVar("R", bound=Response)

CLIENT_ID: Final = "kip-98-draft"
METADATA, PRODUCE, FETCH = 4, 3, 4
"""Versions of these requests."""
TIMEOUT_MS: Final = 10_000
FETCH_BYTES: Final = 1 << 20


def produce(servers: str, topic: TopicName, messages: DraftSet, partition: PartitionIndex = 0) -> Offset:
    """Send one set, and return the offset of its first message. Raises `UsageError` if a broker refuses it."""
    return _run(_produce(servers, topic, partition, encode(messages)))


def fetch(servers: str, topic: TopicName, offset: Offset = 0, partition: PartitionIndex = 0) -> list[DraftSet]:
    """The sets from the one that holds `offset` on, at most a mebibyte. Raises `UsageError`, and `MalformedBytes` if
    the cluster serves another format.
    """
    return _run(_fetch(servers, topic, partition, offset))


def _run(work: Coroutine[Any, Any, T]) -> T:
    """Do work in its own thread, since the caller may have a running loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asyncio.wait_for(work, TIMEOUT_MS / 1000)).result()


async def _produce(servers: str, topic: TopicName, partition: PartitionIndex, data: bytes) -> Offset:
    parts = [PartitionProduceData(index=partition, records=data)]
    sent = [TopicProduceData(name=topic, partition_data=parts)]
    asked = ProduceRequest(transactional_id=None, acks=-1, timeout_ms=TIMEOUT_MS, topic_data=sent)
    answer = await _ask(await _leader(servers, topic, partition), asked, PRODUCE, ProduceResponse)
    done = answer.responses[0].partition_responses[0]
    _check(topic, done.error_code)
    return done.base_offset


async def _fetch(servers: str, topic: TopicName, partition: PartitionIndex, offset: Offset) -> list[DraftSet]:
    wanted = FetchPartition(partition=partition, fetch_offset=offset, partition_max_bytes=FETCH_BYTES)
    asked = FetchRequest(
        replica_id=-1,
        max_wait_ms=0,
        min_bytes=0,
        max_bytes=FETCH_BYTES,
        topics=[FetchTopic(topic=topic, partitions=[wanted])],
    )
    answer = await _ask(await _leader(servers, topic, partition), asked, FETCH, FetchResponse)
    answered = answer.responses[0].partitions[0]
    _check(topic, answered.error_code)
    data = (
        b"".join(map(bytes, answered.records)) if isinstance(answered.records, list) else bytes(answered.records or b"")
    )
    return [decode(data[unit.position : unit.position + unit.size]) for unit in units(data)]


async def _leader(servers: str, topic: TopicName, partition: PartitionIndex) -> str:
    """The address of the partition's leader."""
    asked = MetadataRequest(topics=[MetadataRequestTopic(name=topic)], allow_auto_topic_creation=False)
    answer = await _ask(servers.split(",")[0], asked, METADATA, MetadataResponse)
    _check(topic, answer.topics[0].error_code)
    leaders = {part.partition_index: part.leader_id for part in answer.topics[0].partitions}
    addresses = [f"{b.host}:{b.port}" for b in answer.brokers if b.node_id == leaders.get(partition)]
    if not addresses:
        raise UsageError(f"nobody leads {topic}-{partition}")
    return addresses[0]


async def _ask(address: str, request: Request, version: int, kind: type[R]) -> R:
    host, _, port = address.strip().rpartition(":")
    try:
        reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
    except OSError as e:
        raise UsageError(f"no answer from {address}: {e}") from e
    try:
        writer.write(request_frame(request, version, 1, CLIENT_ID))
        (size,) = SIZE.unpack(await reader.readexactly(SIZE.size))
        return read_response(kind, version, await reader.readexactly(size))[1]
    except (OSError, asyncio.IncompleteReadError, MalformedBytes) as e:
        raise UsageError(f"no answer from {address}: {e!r}") from e
    finally:
        writer.close()
        await writer.wait_closed()


def _check(topic: TopicName, error: int) -> None:
    if error != ErrorCode.NONE:
        raise UsageError(f"{topic}: {ErrorCode(error).name}")
