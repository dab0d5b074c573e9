"""A story being played on one side: it sends requests to a broker, reports each step, and notes what it observes.

Every request goes over the wire, so the same story can be played against a real broker.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from fakekafka.bugs.bug import Seen, Side
from fakekafka.bugs.sets import NONE, in_newest_format
from fakekafka.bugs.stage import Closed, NoAnswer, Stage, WillNotStart
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey, CodecId, DurationMs, Offset, PartitionIndex, TimestampMs, TopicName, TopicPartition
from fakekafka.records.batch import Batch
from fakekafka.records.malformed import CorruptUnit
from fakekafka.records.record import Record
from fakekafka.records.scan import units, view
from fakekafka.releases.history.step import Versions
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.wire.apis import request_class, response_class
from fakekafka.wire.frames import read_response, request_frame
from fakekafka.wire.plain import from_plain

CLOSED = "the connection is closed"
NO_ANSWER = "no answer"
FIRST_WITH_ONE_ERROR = 2
"""The first version of OffsetFetch that has an error for the whole answer."""
PATIENCE_MS = 500
MINUTE_MS = 60_000
CLIENT_ID = "story"


class Produced(NamedTuple):
    """The answer for one partition of a Produce request."""

    error: str
    offset: Offset = -1


class Fetched(NamedTuple):
    """The answer for one partition of a Fetch request."""

    error: str
    records: bytes = b""
    high_watermark: Offset = -1
    stable_offset: Offset = -1
    aborted: tuple[tuple[int, Offset], ...] = ()
    """Producer id and first offset of each aborted transaction."""

    @property
    def units(self) -> list[Batch]:
        """The complete units in the records: batches and messages."""
        return _batches(self.records)

    @property
    def magics(self) -> list[int]:
        """The format of each unit."""
        return [unit.magic for unit in self.units]


class Member(NamedTuple):
    """A member of a group whose leader it is."""

    id: str = ""
    generation: int = -1


NO_MEMBER = Member()


class Play:
    """One side of a story."""

    def __init__(self, stage: Stage, side: Side) -> None:
        self.stage = stage
        self.side = side
        self.narrative: list[str] = []
        """What happened, step by step."""
        self.seen: dict[str, Seen] = {}
        """What was observed, by the names of `Bug.sees`."""
        self._correlation_id = 0

    # ---- reporting

    def tell(self, text: str) -> None:
        """Say what happens next."""
        self.narrative.append(text)

    def see(self, what: str, value: Seen) -> None:
        """Note an observation."""
        self.seen[what] = value
        self.narrative.append(f"{what}: {value}")

    # ---- the broker

    @property
    def now(self) -> TimestampMs:
        """The broker's wall clock."""
        return self.stage.now_ms

    @property
    def release(self) -> Release:
        """The broker's current release."""
        return Release.parse(self.stage.release)

    def newest(self, api: str) -> int:
        """The newest version of an API that the broker accepts."""
        return self._accepted(api).high

    def known(self, api: str, version: int) -> int:
        """This version of an API, or that which is nearest to it of those that the broker accepts."""
        accepted = self._accepted(api)
        return max(accepted.low, min(version, accepted.high))

    def set_of(self, rows: Sequence[Record], codec: CodecId = NONE) -> bytes:
        """These records as a set in the newest format that the broker has: messages, a wrapper, or a batch."""
        return in_newest_format(self.release, rows, codec)

    def topic(self, name: TopicName = "t", partitions: int = 1, **config: object) -> None:
        """Create a topic. `config`: Kafka's names, with underscores for dots."""
        self.stage.create_topic(name, partitions, {k.replace("_", "."): str(v) for k, v in config.items()})

    def configure(self, name: TopicName = "t", **config: object) -> None:
        """Set configs of a topic; names as in `topic`."""
        self.stage.configure_topic(name, {k.replace("_", "."): str(v) for k, v in config.items()})

    def advance(self, ms: DurationMs) -> None:
        """Let time pass."""
        self.stage.advance(ms)

    def restart(
        self, release: str | None = None, config: Mapping[str, object] | None = None, crash: bool = False
    ) -> None:
        """Stop and start the broker on its files, possibly as another release."""
        self.tell(
            f"the broker is {'killed' if crash else 'stopped'} and started again{f' as {release}' if release else ''}"
        )
        self.stage.restart(release, config, crash)

    def starts(self, release: str | None = None, config: Mapping[str, object] | None = None) -> bool:
        """Whether the broker starts again with these settings."""
        try:
            self.restart(release, config)
        except WillNotStart as e:
            self.tell(f"it does not start: {e}")
            return False
        return True

    def edit(self, changes: Mapping[str, bytes | None], crash: bool = False) -> str:
        """Change files while the broker is down. Returns "starts", or "does not start"."""
        self.tell(f"while the broker is stopped, {', '.join(changes)} are written or deleted")
        try:
            self.stage.edit(changes, crash)
        except WillNotStart as e:
            self.tell(f"it does not start: {e}")
            return "does not start"
        return "starts"

    def compact(self, topic: TopicName = "t") -> str:
        """Run one pass of the cleaner over every segment. Returns "done", or "the cleaner stops"."""
        outcome = "done" if self.stage.compact(topic) else "the cleaner stops"
        self.tell(f"the cleaner passes over {topic}: {outcome}")
        return outcome

    def log(self, topic: TopicName = "t", partition: PartitionIndex = 0) -> list[Batch]:
        """The content of a partition's segments, read from the files."""
        return [batch for data in self.files(f"{topic}-{partition}/", ".log").values() for batch in _batches(data)]

    def files(self, beginning: str, end: str) -> dict[str, bytes]:
        """The files of the log directory whose paths begin with `beginning` and end with `end`, sorted."""
        found = self.stage.files(beginning)
        return {name: found[name] for name in sorted(found) if name.endswith(end)}

    def file(self, name: str) -> bytes | None:
        """A file of the log directory; None if it is not there."""
        return self.stage.files(name).get(name)

    # ---- requests

    def call(self, api: str, version: int, /, *, connection: str = "main", **fields: object) -> Any:
        """The answer to a request. Raises `Closed` and `NoAnswer`."""
        key = _key(api)
        return self._exchange(request_frame(from_plain(request_class(key), fields), version, self._next(), CLIENT_ID),
                              key, version, connection)  # fmt: skip

    def raw(self, body: bytes, api: str, version: int, *, connection: str = "main") -> Any:
        """The answer to a request given as bytes: with its header, but without the size that precedes it."""
        return self._exchange(len(body).to_bytes(4, "big") + body, _key(api), version, connection)

    def waits(self, api: str, version: int, /, *, connection: str = "waiting", **fields: object) -> bool:
        """Whether a request is not answered at once."""
        frame = request_frame(from_plain(request_class(_key(api)), fields), version, self._next(), CLIENT_ID)
        return self.stage.waits(frame, connection)

    def ending(self, api: str, version: int, /, *, connection: str = "main", **fields: object) -> str:
        """How a request ends: "answered", or why there was no answer."""
        try:
            self.call(api, version, connection=connection, **fields)
        except Closed:
            return CLOSED
        except NoAnswer:
            return NO_ANSWER
        return "answered"

    def produce(
        self,
        records: bytes,
        version: int | None = None,
        topic: TopicName = "t",
        partition: PartitionIndex = 0,
        acks: int = -1,
        transactional_id: str | None = None,
    ) -> Produced:
        """Produce one record set, and return the answer for it."""
        return self.produce_all({(topic, partition): records}, version, acks, transactional_id)[topic, partition]

    def produce_all(
        self,
        sets: Mapping[TopicPartition, bytes],
        version: int | None = None,
        acks: int = -1,
        transactional_id: str | None = None,
    ) -> dict[TopicPartition, Produced]:
        """Produce several record sets with this version, or with the broker's newest if that is older. The default is
        the newest one without topic ids.
        """
        version = min(12 if version is None else version, self.newest("Produce"))
        topics = [
            {"name": name, "partition_data": [{"index": index, "records": records}]}
            for (name, index), records in sets.items()
        ]
        try:
            answer = self.call("Produce", version, transactional_id=transactional_id, acks=acks, timeout_ms=1000,
                               topic_data=topics)  # fmt: skip
        except (Closed, NoAnswer) as e:
            return dict.fromkeys(sets, Produced(_ending(e)))
        return {
            (topic.name, part.index): Produced(name_of(part.error_code), part.base_offset)
            for topic in answer.responses
            for part in topic.partition_responses
        }

    def fetch(
        self,
        offset: Offset = 0,
        version: int | None = None,
        topic: TopicName = "t",
        partition: PartitionIndex = 0,
        max_bytes: int = 1 << 20,
        committed: bool = False,
    ) -> Fetched:
        """Read one partition as a consumer."""
        return self.fetch_all([(topic, partition, offset)], version, max_bytes, committed)[0]

    def fetch_all(
        self,
        places: Sequence[tuple[TopicName, PartitionIndex, Offset]],
        version: int | None = None,
        max_bytes: int = 1 << 20,
        committed: bool = False,
    ) -> list[Fetched]:
        """Read several partitions as a consumer; the result is in the order of the answer. Versions are as in
        `produce_all`.
        """
        version = min(12 if version is None else version, self.newest("Fetch"))
        topics = [
            {"topic": t, "partitions": [{"partition": p, "fetch_offset": at, "partition_max_bytes": max_bytes}]}
            for t, p, at in places
        ]
        try:
            answer = self.call("Fetch", version, max_wait_ms=PATIENCE_MS, min_bytes=1, max_bytes=max_bytes,
                               isolation_level=int(committed), topics=topics)  # fmt: skip
        except (Closed, NoAnswer) as e:
            return [Fetched(_ending(e))] * len(places)
        return [_fetched(part) for topic in answer.responses for part in topic.partitions]

    def list_offset(self, time: TimestampMs, version: int, committed: bool = False) -> tuple[str, Offset]:
        """Error and offset that ListOffsets 1+ gives for a time in partition 0 of "t"."""
        asked = [{"name": "t", "partitions": [{"partition_index": 0, "timestamp": time}]}]
        version = self.known("ListOffsets", version)
        answer = self.call("ListOffsets", version, replica_id=-1, isolation_level=int(committed), topics=asked)
        part = answer.topics[0].partitions[0]
        return name_of(part.error_code), part.offset

    # ---- producers and groups

    def producer_id(self, transactional_id: str | None = None, timeout_ms: DurationMs = MINUTE_MS) -> int:
        """A producer id from InitProducerId 0. `timeout_ms`: the timeout of its transactions."""
        if transactional_id is not None:
            self.call("FindCoordinator", 1, key=transactional_id, key_type=1)
        answer = self.call("InitProducerId", 0, transactional_id=transactional_id, transaction_timeout_ms=timeout_ms)
        return int(answer.producer_id)

    def begin_transaction(
        self, name: str, *partitions: PartitionIndex, topic: TopicName = "t", timeout_ms: DurationMs = MINUTE_MS
    ) -> int:
        """A producer id whose transaction `name` has these partitions (default: partition 0)."""
        producer = self.producer_id(name, timeout_ms)
        self.add_to_transaction(name, producer, *partitions, topic=topic)
        return producer

    def add_to_transaction(self, name: str, producer: int, *partitions: PartitionIndex, topic: TopicName = "t") -> None:
        """Add partitions (default: partition 0) to the producer's transaction, which begins with the first of them."""
        topics = [{"name": topic, "partitions": list(partitions or (0,))}]
        self.call("AddPartitionsToTxn", 0, v3_and_below_transactional_id=name, v3_and_below_producer_id=producer,
                  v3_and_below_producer_epoch=0, v3_and_below_topics=topics)  # fmt: skip

    def end_transaction(self, name: str, producer: int, commit: bool = True) -> None:
        """Commit or abort a transaction."""
        self.call("EndTxn", 0, transactional_id=name, producer_id=producer, producer_epoch=0, committed=commit)

    def join(self, group: str, session_timeout_ms: DurationMs, topics: Sequence[TopicName] = ("t",)) -> Member:
        """Join a group as its only consumer, subscribed to these topics."""
        self.call("FindCoordinator", 0, key=group)
        names = b"".join(len(name).to_bytes(2, "big") + name.encode() for name in topics)
        subscription = bytes(2) + len(topics).to_bytes(4, "big") + names + bytes(4)
        protocols = [{"name": "range", "metadata": subscription}]
        joined = self.call("JoinGroup", 0, group_id=group, session_timeout_ms=session_timeout_ms,
                           protocol_type="consumer", protocols=protocols)  # fmt: skip
        self.call("SyncGroup", 0, group_id=group, generation_id=joined.generation_id, member_id=joined.member_id,
                  assignments=[{"member_id": joined.member_id, "assignment": bytes(10)}])  # fmt: skip
        return Member(joined.member_id, joined.generation_id)

    def commit(self, offset: Offset, group: str = "g", version: int = 2, member: Member = NO_MEMBER) -> str:
        """Commit an offset for partition 0 of "t", by default not as a member of the group. Returns the error."""
        self.call("FindCoordinator", 0, key=group)
        part = {"partition_index": 0, "committed_offset": offset, "committed_metadata": ""}
        topics = [{"name": "t", "partitions": [part]}]
        version = self.known("OffsetCommit", version)
        answer = self.call("OffsetCommit", version, group_id=group, generation_id_or_member_epoch=member.generation,
                           member_id=member.id, topics=topics)  # fmt: skip
        return name_of(answer.topics[0].partitions[0].error_code)

    def committed(self, group: str = "g") -> Offset:
        """The offset committed for partition 0 of "t"; -1 if there is none."""
        topics = [{"name": "t", "partition_indexes": [0]}]
        answer = self.call("OffsetFetch", 1, group_id=group, topics=topics)
        return int(answer.topics[0].partitions[0].committed_offset)

    def group_error(self, group: str = "g") -> str:
        """The error of a group that fetches the offset of partition 0 of "t"."""
        version, topics = self.known("OffsetFetch", 2), [{"name": "t", "partition_indexes": [0]}]
        answer = self.call("OffsetFetch", version, group_id=group, topics=topics)
        has_one = version >= FIRST_WITH_ONE_ERROR
        return name_of(answer.error_code if has_one else answer.topics[0].partitions[0].error_code)

    def delete_records(self, offset: Offset) -> None:
        """Delete the records before `offset` in partition 0 of "t"."""
        topics = [{"name": "t", "partitions": [{"partition_index": 0, "offset": offset}]}]
        self.call("DeleteRecords", 0, topics=topics, timeout_ms=1000)

    # ---- inside

    def _accepted(self, api: str) -> Versions:
        release = self.release
        return profile(release, release.default_mode).accepted[_key(api)]

    def _next(self) -> int:
        self._correlation_id += 1
        return self._correlation_id

    def _exchange(self, frame: bytes, key: ApiKey, version: int, connection: str) -> Any:
        return read_response(response_class(key), version, self.stage.exchange(frame, connection))[1]


def name_of(code: int) -> str:
    """The name of an error in Kafka; "NONE" for no error."""
    return ErrorCode(code).name


def _batches(data: bytes) -> list[Batch]:
    """The complete units of a set, up to the first thing that is not a unit, such as a filler."""
    batches = []
    with suppress(CorruptUnit):
        for unit in units(data):
            batches.append(view(data, unit))
    return batches


def _fetched(part: Any) -> Fetched:
    aborted = tuple((one.producer_id, one.first_offset) for one in part.aborted_transactions or ())
    return Fetched(
        name_of(part.error_code), bytes(part.records or b""), part.high_watermark, part.last_stable_offset, aborted
    )


def _ending(failure: Exception) -> str:
    return CLOSED if isinstance(failure, Closed) else NO_ANSWER


def _key(api: str) -> ApiKey:
    """The key of an API by name: `ApiKey.LIST_OFFSETS` for "ListOffsets"."""
    return next(key for key in ApiKey if key.name.title().replace("_", "") == api)
