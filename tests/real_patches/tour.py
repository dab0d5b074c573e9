"""A short tour of a broker: the most frequent requests of clients, in every version that the release has, and some
requests that it refuses.
"""

import socket
import struct
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from fakekafka import Release
from fakekafka.errors import MalformedBytes
from fakekafka.ids import ApiKey
from fakekafka.records import v0, v1, v2
from fakekafka.records.record import Record
from fakekafka.releases.profile import profile
from fakekafka.wire.apis import request_class, response_class
from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.apis.create_topics import CreatableTopic, CreateTopicsRequest
from fakekafka.wire.apis.delete_topics import DeleteTopicsRequest, DeleteTopicState
from fakekafka.wire.apis.describe_configs import DescribeConfigsRequest, DescribeConfigsResource
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchTopic
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest
from fakekafka.wire.apis.heartbeat import HeartbeatRequest
from fakekafka.wire.apis.init_producer_id import InitProducerIdRequest
from fakekafka.wire.apis.leave_group import LeaveGroupRequest, MemberIdentity
from fakekafka.wire.apis.list_offsets import ListOffsetsPartition, ListOffsetsRequest, ListOffsetsTopic
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from fakekafka.wire.apis.offset_fetch import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
)
from fakekafka.wire.apis.offset_for_leader_epoch import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, TopicProduceData
from fakekafka.wire.frames import SIZE, read_response, request_frame
from fakekafka.wire.message import Request, Response

TOPIC: Final = "tour"
NOBODYS: Final = "nobody-has-made-it"
GROUP: Final = "travellers"
AT_MS: Final = 1_600_000_000_000
PATIENCE_S: Final = 30.0
BEFORE_THE_NEXT_TRY_S: Final = 0.1
RETRIABLE: Final = frozenset({5, 6, 14, 15, 16})
"""The errors that clients get while a topic, a coordinator or its offsets are being created."""
CREATED: Final = frozenset({0, 36})
"""What CreateTopics answers of a topic that is there."""


class Answer(NamedTuple):
    """A request, and what came back."""

    name: str
    version: int
    response: Response | None
    """None if the connection was closed."""


class Traveller:
    """Asks a broker at `address` as a client of `release` may."""

    def __init__(self, address: str, release: Release) -> None:
        host, _, port = address.rpartition(":")
        self._address = host, int(port)
        self._known = profile(release)
        self.topic_id = bytes(16)

    def versions(self, key: ApiKey) -> range:
        """The versions of an API that the release advertises; empty if it does not have the API."""
        found = self._known.advertised.get(key)
        return range(0) if found is None else range(found.low, found.high + 1)

    def ask(self, request: Request, version: int) -> Response | None:
        """The answer, on a new connection; None if the broker closes it instead."""
        cls = response_class(ApiKey(request.KEY))
        with socket.create_connection(self._address, PATIENCE_S) as connection:
            connection.sendall(request_frame(request, version, 7, "traveller"))
            try:
                (size,) = SIZE.unpack(_received(connection, SIZE.size))
                return read_response(cls, version, _received(connection, size))[1]
            except (ConnectionError, MalformedBytes, struct.error):
                return None

    def until_ready(self, request: Request, version: int) -> Response | None:
        """The first answer without an error that clears by itself."""
        return self._until(lambda found: not RETRIABLE & set(_codes(found)), request, version)

    def until_there(self, request: CreateTopicsRequest, version: int) -> None:
        """Create topics: a broker that has just started refuses to as long as it does not know a controller."""
        self._until(lambda found: set(_codes(found)) <= CREATED, request, version)

    def _until(self, enough: Callable[[Response], bool], request: Request, version: int) -> Response | None:
        end = time.monotonic() + PATIENCE_S
        while True:
            found = self.ask(request, version)
            if found is None or enough(found) or time.monotonic() > end:
                return found
            time.sleep(BEFORE_THE_NEXT_TRY_S)


def _received(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = connection.recv(size - len(data))
        if not piece:
            raise ConnectionError("closed")
        data += piece
    return data


def _codes(value: Any) -> Iterator[int]:
    """Every error code in an answer."""
    for name, spec in value.FIELDS.items():
        inner = getattr(value, name)
        if name in ("error_code", "partition_error_code"):
            yield inner
        elif spec.struct is not None and spec.is_array:
            for element in inner or ():
                yield from _codes(element)


def tour(traveller: Traveller) -> Iterator[Answer]:
    """Every answer of the tour."""
    yield from _before(traveller)
    for key, request in _questions(traveller.topic_id).items():
        for version in traveller.versions(key):
            yield Answer(request_class(key).__name__, version, traveller.until_ready(request(version), version))
    yield from _refused(traveller)
    yield from _deleted(traveller)


def _before(traveller: Traveller) -> Iterator[Answer]:
    """The table of versions, and a topic."""
    for version in traveller.versions(ApiKey.API_VERSIONS) if traveller.versions(ApiKey.API_VERSIONS) else ():
        asked = ApiVersionsRequest(client_software_name="traveller", client_software_version="1", node_id=-1)
        yield Answer("ApiVersions", version, traveller.ask(asked, version))
    created = traveller.versions(ApiKey.CREATE_TOPICS)
    if created:
        wanted = CreatableTopic(name=TOPIC, num_partitions=1, replication_factor=1, assignments=[], configs=[])
        traveller.until_there(CreateTopicsRequest(topics=[wanted], timeout_ms=30_000), created[0])
        for version in created[1:]:
            again = traveller.ask(CreateTopicsRequest(topics=[wanted], timeout_ms=30_000), version)
            yield Answer("CreateTopics of what is there", version, again)
    oldest = traveller.versions(ApiKey.METADATA)[0]
    named = MetadataRequest(topics=[MetadataRequestTopic(name=TOPIC)])
    traveller.until_ready(named, oldest)
    with_ids = [version for version in traveller.versions(ApiKey.METADATA) if version >= 10]
    if with_ids:
        known: Any = traveller.ask(named, with_ids[-1])
        traveller.topic_id = known.topics[0].topic_id
    for version in traveller.versions(ApiKey.METADATA):
        yield Answer("Metadata", version, traveller.ask(named, version))


def _questions(topic_id: bytes) -> Mapping[ApiKey, Callable[[int], Request]]:
    """The requests of every version, by API, as functions of the version. Producing comes first."""
    described = [
        DescribeConfigsResource(resource_type=kind, resource_name=name, configuration_keys=None)
        for kind, name in ((2, TOPIC), (4, "0"))
    ]
    return {
        ApiKey.PRODUCE: lambda version: _produce(version, TOPIC, topic_id),
        ApiKey.FETCH: lambda _: _fetch(topic_id),
        ApiKey.LIST_OFFSETS: lambda _: _end_of_log(),
        ApiKey.OFFSET_FOR_LEADER_EPOCH: lambda _: _end_of_epoch(),
        ApiKey.FIND_COORDINATOR: lambda _: FindCoordinatorRequest(key=GROUP, coordinator_keys=[GROUP]),
        ApiKey.OFFSET_COMMIT: lambda version: _commit(version, topic_id),
        ApiKey.OFFSET_FETCH: lambda _: _committed(topic_id),
        ApiKey.INIT_PRODUCER_ID: lambda _: InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=1000),
        ApiKey.DESCRIBE_CONFIGS: lambda _: DescribeConfigsRequest(resources=described, include_synonyms=True),
    }


def _fetch(topic_id: bytes) -> FetchRequest:
    one = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1 << 20)
    topic = FetchTopic(topic=TOPIC, topic_id=topic_id, partitions=[one])
    return FetchRequest(max_wait_ms=100, min_bytes=1, topics=[topic])


def _end_of_log() -> ListOffsetsRequest:
    one = ListOffsetsPartition(partition_index=0, timestamp=-1, max_num_offsets=3)
    return ListOffsetsRequest(replica_id=-1, topics=[ListOffsetsTopic(name=TOPIC, partitions=[one])])


def _end_of_epoch() -> OffsetForLeaderEpochRequest:
    one = OffsetForLeaderPartition(partition=0, current_leader_epoch=-1, leader_epoch=0)
    return OffsetForLeaderEpochRequest(replica_id=-1, topics=[OffsetForLeaderTopic(topic=TOPIC, partitions=[one])])


def _commit(version: int, topic_id: bytes) -> OffsetCommitRequest:
    one = OffsetCommitRequestPartition(partition_index=0, committed_offset=version, committed_metadata="here")
    topic = OffsetCommitRequestTopic(name=TOPIC, topic_id=topic_id, partitions=[one])
    return OffsetCommitRequest(group_id=GROUP, member_id="", topics=[topic])


def _committed(topic_id: bytes) -> OffsetFetchRequest:
    old = OffsetFetchRequestTopic(name=TOPIC, partition_indexes=[0, 9])
    new = OffsetFetchRequestTopics(name=TOPIC, topic_id=topic_id, partition_indexes=[0, 9])
    group = OffsetFetchRequestGroup(group_id=GROUP, topics=[new])
    return OffsetFetchRequest(group_id=GROUP, topics=[old], groups=[group])


def _produce(version: int, topic: str, topic_id: bytes) -> ProduceRequest:
    record = Record(0, AT_MS, 0, b"key", b"value")
    build = v0.build if version < 2 else v1.build if version < 3 else v2.build
    one = PartitionProduceData(index=0, records=bytearray(build([record])))
    data = [TopicProduceData(name=topic, topic_id=topic_id, partition_data=[one])]
    return ProduceRequest(acks=-1, timeout_ms=10_000, topic_data=data)


def _refused(traveller: Traveller) -> Iterator[Answer]:
    """Requests about things that do not exist."""
    for version in traveller.versions(ApiKey.PRODUCE):
        refused = traveller.ask(_produce(version, NOBODYS, b"\1" * 16), version)
        yield Answer("Produce to what is not there", version, refused)
    nobody = {"group_id": "nobodys", "member_id": "nobody"}
    for version in traveller.versions(ApiKey.HEARTBEAT):
        beat = HeartbeatRequest(**nobody, generation_id=1)
        yield Answer("Heartbeat of nobody", version, traveller.until_ready(beat, version))
    for version in traveller.versions(ApiKey.LEAVE_GROUP):
        leave = LeaveGroupRequest(**nobody, members=[MemberIdentity(member_id="nobody")])
        yield Answer("LeaveGroup of nobody", version, traveller.until_ready(leave, version))


def _deleted(traveller: Traveller) -> Iterator[Answer]:
    for version in traveller.versions(ApiKey.DELETE_TOPICS):
        asked = DeleteTopicsRequest(topic_names=[NOBODYS], topics=[DeleteTopicState(name=NOBODYS)], timeout_ms=1000)
        yield Answer("DeleteTopics of what is not there", version, traveller.ask(asked, version))
