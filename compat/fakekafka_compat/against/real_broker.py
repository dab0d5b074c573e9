"""A broker that is not ours, as a stage sees it: through requests, and through what went over the link.

Its release must be the one of the cells, and it must be the only one of its cluster, since clients are led to one
address. A user who names a broker with --against lets the tool create topics there; each is deleted when its cell is
over.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from fakekafka import CommittedOffset, Conversion, ErrorCode, StoredRecord, SystemClock, UsageError
from fakekafka.client_configs import Client, client_config
from fakekafka.ids import ApiKey, Offset
from fakekafka.records import v1, v2
from fakekafka.records.batch import Batch
from fakekafka.records.compression import CODEC_NAMES
from fakekafka.records.record import Record
from fakekafka.records.scan import batches
from fakekafka.releases.profile import Profile, profile
from fakekafka.releases.release import Release
from fakekafka.texts.summary import api_name
from fakekafka.wire.apis.api_versions import ApiVersionsRequest, ApiVersionsResponse
from fakekafka.wire.apis.create_topics import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
    CreateTopicsResponse,
)
from fakekafka.wire.apis.delete_topics import DeleteTopicsRequest, DeleteTopicsResponse
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic, PartitionData
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.apis.offset_fetch import OffsetFetchRequest, OffsetFetchRequestTopic, OffsetFetchResponse
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, ProduceResponse, TopicProduceData

from fakekafka_compat.against.asking import PATIENCE_S, Address, NoAnswer
from fakekafka_compat.against.traffic import Traffic, one_buffer
from fakekafka_compat.records import FILLER, PARTITIONS, Filler

MOST: Final = {
    ApiKey.PRODUCE: 8, ApiKey.FETCH: 12, ApiKey.METADATA: 9, ApiKey.OFFSET_FETCH: 7, ApiKey.CREATE_TOPICS: 4,
    ApiKey.DELETE_TOPICS: 5,
}  # fmt: skip
"""The newest version of each API that the tool uses: the last one with topics by name, and one group in a request."""
COMPARED: Final = (ApiKey.PRODUCE, ApiKey.FETCH, ApiKey.LIST_OFFSETS, ApiKey.METADATA, ApiKey.JOIN_GROUP)
"""The APIs by which a release is recognised."""
FIRST_PRODUCE_OF_FORMAT_2: Final = 3
FETCH_BYTES: Final = 64 << 20
BEFORE_THE_NEXT_LOOK_S: Final = 0.2
COMPACTED_WITHIN_S: Final = 60.0
"""How long to wait for the cleaner, which by default looks for logs every 15 seconds."""
SEGMENT_MS: Final = 100
ROLLS_SOON: Final = {"segment.ms": str(SEGMENT_MS), "min.cleanable.dirty.ratio": "0"}
"""What a topic needs so that all of it can be compacted soon."""
TIMESTAMP_TYPES: Final = {-1: None, 0: "CreateTime", 1: "LogAppendTime"}
SHOWN: Final = 10


class RealBroker:
    """The broker at `address`, which must be of `release`, and what clients have said to it so far.

    Raises `UsageError` if it is of another release or not the only broker of its cluster, `NoAnswer` if it cannot be
    asked.
    """

    is_running = True

    def __init__(self, address: Address, release: str, traffic: Traffic) -> None:
        self.release = release
        self.clock = SystemClock()
        self.requests = traffic
        self._address = address
        self._known = self._recognised()
        self._topics: set[str] = set()
        brokers = self._metadata(()).brokers
        if len(brokers) != 1:
            raise UsageError(f"--against {address}: a cluster of {len(brokers)} brokers; the tool can use one of one")

    @property
    def failures(self) -> Sequence[BaseException]:
        """What went over the link and cannot be read. Other faults cannot be seen from outside."""
        return self.requests.malformed

    @property
    def versions_used(self) -> dict[str, list[int]]:
        """The versions in which clients requested each API."""
        versions: dict[str, list[int]] = {}
        for key, version in sorted(self.requests.versions):
            versions.setdefault(api_name(key), []).append(version)
        return versions

    def client_config(self, client: Client, user: str | None = None) -> Mapping[str, Any]:
        """Settings for a client library. There are no logins."""
        return client_config(client, str(self._address), Release.parse(self.release))

    def create_topic(self, name: str, partitions: int, config: Mapping[str, str]) -> None:
        """Create a topic, and wait until it has leaders. Raises `UsageError` if the broker refuses it, and `NoAnswer`,
        after deleting it, if it gets no leader.
        """
        given = {**config, **(ROLLS_SOON if config.get("cleanup.policy") == "compact" else {})}
        wanted = CreatableTopic(
            name=name,
            num_partitions=partitions,
            replication_factor=1,
            assignments=[],
            configs=[CreatableTopicConfig(name=key, value=value) for key, value in given.items()],
        )
        (made,) = self._ask(CreateTopicsRequest(topics=[wanted]), CreateTopicsResponse).topics
        if made.error_code:
            raise UsageError(f"{self._address} refuses {name}: {ErrorCode(made.error_code).name} {made.error_message}")
        self._topics.add(name)
        try:
            self._until(lambda: self._has_leaders(name), f"no leader for {name}")
        except NoAnswer:
            self.delete_topics()
            raise

    def delete_topics(self) -> None:
        """Delete the topics that were created here."""
        self._ask(DeleteTopicsRequest(topic_names=sorted(self._topics), timeout_ms=10_000), DeleteTopicsResponse)

    def records(self, topic: str) -> list[StoredRecord]:
        """Every record as it is stored, by partition and offset, without the tool's own."""
        return [record for index in range(PARTITIONS) for record in self._stored(topic, index) if record.key != FILLER]

    def committed(self, group: str) -> dict[tuple[str, int], CommittedOffset]:
        """The offsets that a group has committed for the tool's topics."""
        asked = [OffsetFetchRequestTopic(name=name, partition_indexes=list(range(PARTITIONS))) for name in self._topics]
        answer = self._ask(OffsetFetchRequest(group_id=group, topics=asked), OffsetFetchResponse)
        return {
            (topic.name, one.partition_index): CommittedOffset(
                one.committed_offset, one.metadata or "", one.committed_leader_epoch, -1
            )
            for topic in answer.topics
            for one in topic.partitions
            if one.committed_offset >= 0
        }

    def compact(self, topic: str, *, roll: bool) -> list[Filler]:
        """End the active segments by appending the tool's own records, and wait for the broker's cleaner. If it does
        not come, the topic's contents will show it.
        """
        if roll:
            time.sleep(2 * SEGMENT_MS / 1000)  # without timestamps, it is the broker's time that ends a segment
        fillers = [self._appended_filler(topic, index) for index in range(PARTITIONS) if roll]
        end = time.monotonic() + COMPACTED_WITHIN_S
        while not self._is_compacted(topic) and time.monotonic() < end:
            time.sleep(BEFORE_THE_NEXT_LOOK_S)
        return fillers

    def conversions(self) -> list[Conversion]:
        """The records that clients sent or got in a format other than the one in which they are stored."""
        formats = {record.magic for topic in self._topics for record in self.records(topic)}
        lines = [each.as_conversion(topic, log_magic) for topic in self._topics for log_magic in formats
                 for each in self.requests.carried]  # fmt: skip
        return [line for line in lines if line is not None and len(formats) == 1]

    def summary(self) -> str:
        """The last requests, for a person."""
        last = [f"{each.api} v{each.version} {each.error or ''}".strip() for each in self.requests.exchanges[-SHOWN:]]
        return "\n".join([f"Kafka {self.release} at {self._address}", *last])

    # ---- asking

    def _recognised(self) -> Profile:
        """The release, with its facts. Raises `UsageError` if the broker does not offer what these say."""
        known = profile(Release.parse(self.release))
        offered = self._address.ask(ApiVersionsRequest(), 0, ApiVersionsResponse).api_keys
        ranges = {one.api_key: (one.min_version, one.max_version) for one in offered}
        for key in COMPARED:
            expected = tuple(known.advertised[key])
            if ranges.get(key) != expected:
                raise UsageError(
                    f"--against {self._address}: not Kafka {self.release}, which has {api_name(key)}"
                    f" {expected[0]}-{expected[1]}; it says {ranges.get(key)}"
                )
        return known

    def _ask(self, request: Any, kind: Any) -> Any:
        key = ApiKey(request.KEY)
        version = min(self._known.advertised[key].high, MOST[key])
        return self._address.ask(request, version, kind)

    def _metadata(self, topics: tuple[str, ...]) -> MetadataResponse:
        asked = [MetadataRequestTopic(name=name) for name in topics]
        answer: MetadataResponse = self._ask(
            MetadataRequest(topics=asked, allow_auto_topic_creation=False), MetadataResponse
        )
        return answer

    def _has_leaders(self, topic: str) -> bool:
        (described,) = self._metadata((topic,)).topics
        errors = [described.error_code, *(one.error_code for one in described.partitions)]
        return len(described.partitions) == PARTITIONS and not any(errors)

    def _until(self, is_so: Callable[[], bool], otherwise: str) -> None:
        end = time.monotonic() + PATIENCE_S
        while not is_so():
            if time.monotonic() > end:
                raise NoAnswer(f"{self._address}: {otherwise} within {PATIENCE_S:.0f} s")
            time.sleep(BEFORE_THE_NEXT_LOOK_S)

    # ---- the log

    def _stored(self, topic: str, index: int) -> Iterator[StoredRecord]:
        at: Offset = 0
        while True:
            fetched = self._fetched(topic, index, at)
            new = list(batches(one_buffer(fetched.records)))
            for batch in new:
                yield from (record for record in _records(topic, index, batch) if record.offset >= at)
            if not new or new[-1].last_offset + 1 >= fetched.high_watermark:
                return
            at = new[-1].last_offset + 1

    def _fetched(self, topic: str, index: int, at: Offset) -> PartitionData:
        place = FetchPartition(partition=index, fetch_offset=at, partition_max_bytes=FETCH_BYTES)
        asked = FetchRequest(max_wait_ms=0, min_bytes=0, topics=[FetchTopic(topic=topic, partitions=[place])])
        ((answered,),) = (topic.partitions for topic in self._ask(asked, FetchResponse).responses)
        if answered.error_code:
            raise NoAnswer(f"{self._address} does not show {topic}-{index}: {ErrorCode(answered.error_code).name}")
        data: PartitionData = answered
        return data

    def _is_compacted(self, topic: str) -> bool:
        keys = [record.key for record in self.records(topic)]
        return len(keys) == len(set(keys))

    def _appended_filler(self, topic: str, index: int) -> Filler:
        build = v2.build if self._known.advertised[ApiKey.PRODUCE].high >= FIRST_PRODUCE_OF_FORMAT_2 else v1.build
        data = build([Record(0, self.clock.now_ms, 0, FILLER, b"")])
        sets = [TopicProduceData(name=topic, partition_data=[PartitionProduceData(index=index, records=data)])]
        answer = self._ask(ProduceRequest(acks=-1, timeout_ms=10_000, topic_data=sets), ProduceResponse)
        ((done,),) = (topic.partition_responses for topic in answer.responses)
        if done.error_code:
            raise NoAnswer(f"{self._address} refuses a record of ours: {ErrorCode(done.error_code).name}")
        return Filler(index, done.base_offset)


def _records(topic: str, index: int, batch: Batch) -> Iterator[StoredRecord]:
    """The records of a batch; none for a transaction marker."""
    for r in () if batch.is_control else batch.records():
        kind = TIMESTAMP_TYPES[r.timestamp_type]
        codec = CODEC_NAMES[batch.codec]
        yield StoredRecord(topic, index, r.offset, r.timestamp, kind, r.key, r.value, r.headers, batch.magic, codec)
