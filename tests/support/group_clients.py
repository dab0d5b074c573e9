"""Members of groups, played by tests: one connection each, one request at a time, answers whenever they come."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from fakekafka import FakeKafka, ManualClock
from fakekafka.coordinators.groups.coordinator import GroupCoordinator
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest, FindCoordinatorResponse
from fakekafka.wire.apis.heartbeat import HeartbeatRequest, HeartbeatResponse
from fakekafka.wire.apis.join_group import JoinGroupRequest, JoinGroupRequestProtocol, JoinGroupResponse
from fakekafka.wire.apis.leave_group import LeaveGroupRequest, LeaveGroupResponse, MemberIdentity
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
)
from fakekafka.wire.apis.offset_fetch import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
    OffsetFetchResponse,
)
from fakekafka.wire.apis.sync_group import SyncGroupRequest, SyncGroupRequestAssignment, SyncGroupResponse
from fakekafka.wire.frames import SIZE, read_response, request_frame
from fakekafka.wire.message import Request, Response

from tests.support.brokers import answer
from tests.support.seeded import NOW, broker_of

R = TypeVar("R", bound=Response)
RANGE = (("range", b""),)
SMALL: dict[str, object] = {"offsets.topic.num.partitions": 1, "log.index.size.max.bytes": 4096}


def grouped(release: str = "3.8", *, partitions: int = 8, **config: object) -> FakeKafka:
    """A broker with the topic "t" and an offsets topic of one partition. `config`: properties, with underscores for
    dots.
    """
    given = {name.replace("_", "."): value for name, value in config.items()}
    kafka = FakeKafka(release, config=SMALL | given, clock=ManualClock(NOW), topics={"t": partitions}).boot()
    coordinator_is_there(kafka)
    return kafka


def coordinator_is_there(kafka: FakeKafka) -> None:
    """Have the offsets topic created, if it does not exist."""
    version = newest(kafka, ApiKey.FIND_COORDINATOR, 0)
    answer(kafka, FindCoordinatorRequest(key="g"), version, FindCoordinatorResponse)


def clock_of(kafka: FakeKafka) -> ManualClock:
    assert isinstance(kafka.clock, ManualClock)
    return kafka.clock


def coordinator_of(kafka: FakeKafka) -> GroupCoordinator:
    return coordinators_of(broker_of(kafka)).groups


def newest(kafka: FakeKafka, key: ApiKey, most: int = 99) -> int:
    """The newest version that is advertised, up to `most`; the oldest if that is newer."""
    least, last = broker_of(kafka).advertised[key]
    return max(least, min(last, most))


class Member:
    """A member, or a client that wants to become one."""

    def __init__(
        self,
        kafka: FakeKafka,
        group: str = "g",
        *,
        instance_id: str | None = None,
        protocols: Sequence[tuple[str, bytes]] = RANGE,
        protocol_type: str = "consumer",
        session_ms: int = 10_000,
        rebalance_ms: int = 60_000,
        versions: Mapping[ApiKey, int] | None = None,
    ) -> None:
        self.kafka = kafka
        self.group = group
        self.instance_id = instance_id
        self.protocols = protocols
        self.protocol_type = protocol_type
        self.session_ms = session_ms
        self.rebalance_ms = rebalance_ms
        self.id = ""
        self.generation = -1
        self.protocol = protocols[0][0] if protocols else ""
        self.client_id: str | None = "test"
        self._versions = dict(versions or {})
        self._client = kafka.connect()

    def version(self, key: ApiKey, most: int = 99) -> int:
        return self._versions.get(key, newest(self.kafka, key, most))

    def reconnect(self) -> None:
        """Open a new connection, and forget pending requests."""
        self._client.disconnect()
        self._client = self.kafka.connect()

    def ask(self, request: Request, version: int, kind: type[R]) -> R | None:
        """Send a request, and return its answer, or None if there is none yet."""
        return self._read(self._client.send(request_frame(request, version, 1, self.client_id)), version, kind)

    def _read(self, data: bytes, version: int, kind: type[R]) -> R | None:
        return read_response(kind, version, data[SIZE.size :])[1] if data else None

    # ---- the life of a member

    def start_joining(self) -> JoinGroupResponse | None:
        """Send one JoinGroup."""
        request = JoinGroupRequest(
            group_id=self.group,
            session_timeout_ms=self.session_ms,
            rebalance_timeout_ms=self.rebalance_ms,
            member_id=self.id,
            group_instance_id=self.instance_id,
            protocol_type=self.protocol_type,
            protocols=[JoinGroupRequestProtocol(name=name, metadata=data) for name, data in self.protocols],
        )
        return self._joined(self.ask(request, self.version(ApiKey.JOIN_GROUP), JoinGroupResponse))

    def join(self) -> JoinGroupResponse | None:
        """Join, the second time with the id that the coordinator gave. Returns the answer, or None if there is none
        yet.
        """
        joined = self.start_joining()
        if joined is not None and joined.error_code == ErrorCode.MEMBER_ID_REQUIRED:
            joined = self.start_joining()
        return joined

    def joined(self) -> JoinGroupResponse | None:
        """The answer to JoinGroup, if it has come in the meantime."""
        return self._joined(self._read(self._client.receive(), self.version(ApiKey.JOIN_GROUP), JoinGroupResponse))

    def _joined(self, joined: JoinGroupResponse | None) -> JoinGroupResponse | None:
        if joined is not None and joined.error_code in (ErrorCode.NONE, ErrorCode.MEMBER_ID_REQUIRED):
            self.id, self.generation = joined.member_id, joined.generation_id
            self.protocol = joined.protocol_name or self.protocol
        return joined

    def sync(self, shares: "Mapping[Member, bytes] | None" = None) -> SyncGroupResponse | None:
        """Send SyncGroup, with all members' shares if this member leads."""
        request = SyncGroupRequest(
            group_id=self.group,
            generation_id=self.generation,
            member_id=self.id,
            group_instance_id=self.instance_id,
            protocol_type=self.protocol_type,
            protocol_name=self.protocol,
            assignments=[SyncGroupRequestAssignment(member_id=m.id, assignment=x) for m, x in (shares or {}).items()],
        )
        return self.ask(request, self.version(ApiKey.SYNC_GROUP), SyncGroupResponse)

    def synced(self) -> SyncGroupResponse | None:
        """The answer to SyncGroup, if it has come in the meantime."""
        return self._read(self._client.receive(), self.version(ApiKey.SYNC_GROUP), SyncGroupResponse)

    def heartbeat(self) -> ErrorCode:
        request = HeartbeatRequest(
            group_id=self.group,
            generation_id=self.generation,
            member_id=self.id,
            group_instance_id=self.instance_id,
        )
        done = self.ask(request, self.version(ApiKey.HEARTBEAT), HeartbeatResponse)
        assert done is not None
        return ErrorCode(done.error_code)

    def leave(self) -> ErrorCode:
        identity = MemberIdentity(member_id=self.id, group_instance_id=self.instance_id)
        request = LeaveGroupRequest(group_id=self.group, member_id=self.id, members=[identity])
        done = self.ask(request, self.version(ApiKey.LEAVE_GROUP), LeaveGroupResponse)
        assert done is not None
        return ErrorCode(done.members[0].error_code if done.members else done.error_code)

    # ---- offsets

    def commit(self, *offsets: int, metadata: str = "", retention_ms: int = -1, topic: str = "t") -> list[ErrorCode]:
        """Commit offsets for partitions 0, 1 …; returns an error for each."""
        partitions = [
            OffsetCommitRequestPartition(partition_index=n, committed_offset=at, committed_metadata=metadata)
            for n, at in enumerate(offsets)
        ]
        request = OffsetCommitRequest(
            group_id=self.group,
            generation_id_or_member_epoch=self.generation,
            member_id=self.id,
            group_instance_id=self.instance_id,
            retention_time_ms=retention_ms,
            topics=[OffsetCommitRequestTopic(name=topic, partitions=partitions)],
        )
        most = 9 if retention_ms == -1 else 4
        done = self.ask(request, self.version(ApiKey.OFFSET_COMMIT, most), OffsetCommitResponse)
        assert done is not None
        return [ErrorCode(p.error_code) for t in done.topics for p in t.partitions]

    def fetch(self, *partitions: int, topic: str = "t") -> list[int]:
        """The offsets of some partitions; -1 where nothing is committed."""
        version = self.version(ApiKey.OFFSET_FETCH, 9)
        request = OffsetFetchRequest(
            group_id=self.group,
            topics=[OffsetFetchRequestTopic(name=topic, partition_indexes=list(partitions))],
            groups=[
                OffsetFetchRequestGroup(
                    group_id=self.group,
                    topics=[OffsetFetchRequestTopics(name=topic, partition_indexes=list(partitions))],
                )
            ],
        )
        done = self.ask(request, version, OffsetFetchResponse)
        assert done is not None
        if version < 8:
            found = {p.partition_index: p.committed_offset for t in done.topics for p in t.partitions}
        else:
            found = {p.partition_index: p.committed_offset for g in done.groups for t in g.topics for p in t.partitions}
        return [found[n] for n in partitions]


def settled(*members: Member) -> None:
    """Have the members join one group, the first one first; each gets its number as its share."""
    for member in members:
        member.join()
    for member in members:
        if member.generation != members[-1].generation:
            member.start_joining()
    for member in members:
        member.joined()
    shares = {member: str(n).encode() for n, member in enumerate(members)}
    for member in reversed(members):
        member.sync(shares if member is members[0] else None)
    for member in members:
        member.synced()


def simple(kafka: FakeKafka, group: str = "g") -> Member:
    """A client that only commits and fetches offsets."""
    return Member(kafka, group)
