"""Members of streams groups, played by tests, with topologies and a broker for them."""

from collections.abc import Iterable, Mapping, Sequence

from fakekafka import FakeKafka
from fakekafka.coordinators.groups.streams.group import StreamsGroup, TaskId, by_subtopology
from fakekafka.coordinators.groups.streams.groups import StreamsGroups
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey, TopicName
from fakekafka.wire.apis.streams_group_describe import (
    DescribedGroup,
    StreamsGroupDescribeRequest,
    StreamsGroupDescribeResponse,
)
from fakekafka.wire.apis.streams_group_heartbeat import (
    CopartitionGroup,
    KeyValue,
    StreamsGroupHeartbeatRequest,
    StreamsGroupHeartbeatResponse,
    Subtopology,
    TaskIds,
    TopicInfo,
    Topology,
)

from tests.support.brokers import answer
from tests.support.group_clients import coordinator_of, grouped, newest

Held = Mapping[str, Sequence[int]]


def streaming(release: str = "4.3", *, partitions: int = 4, **config: object) -> FakeKafka:
    """A broker whose streams groups wait for nothing."""
    quick: dict[str, object] = {"group_streams_initial_rebalance_delay_ms": 0}
    if release >= "4.3":
        quick["group_streams_assignment_interval_ms"] = 0
    return grouped(release, partitions=partitions, **{**quick, **config})


def groups_of(kafka: FakeKafka) -> StreamsGroups:
    return coordinator_of(kafka).streams_groups


def group_of(kafka: FakeKafka, group_id: str = "g") -> StreamsGroup:
    return groups_of(kafka).groups[group_id]


def described(kafka: FakeKafka, group_id: str = "g") -> DescribedGroup:
    request = StreamsGroupDescribeRequest(group_ids=[group_id])
    version = newest(kafka, ApiKey.STREAMS_GROUP_DESCRIBE)
    return answer(kafka, request, version, StreamsGroupDescribeResponse).groups[0]


# ---- topologies


def internal(
    name: TopicName, partitions: int = 0, configs: Mapping[str, str] | None = None, replicas: int = 0
) -> TopicInfo:
    """A repartition or changelog topic."""
    rows = [KeyValue(key=key, value=value) for key, value in (configs or {}).items()]
    return TopicInfo(name=name, partitions=partitions, replication_factor=replicas, topic_configs=rows)


def part(
    id: str,
    sources: Iterable[TopicName] = (),
    *,
    changelogs: Iterable[TopicInfo] = (),
    repartition: Iterable[TopicInfo] = (),
    sinks: Iterable[TopicName] = (),
    together: Iterable[tuple[Sequence[int], Sequence[int]]] = (),
) -> Subtopology:
    """A subtopology. `together`: places of source topics and of repartition topics that are read together."""
    return Subtopology(
        subtopology_id=id,
        source_topics=list(sources),
        source_topic_regex=[],
        state_changelog_topics=list(changelogs),
        repartition_sink_topics=list(sinks),
        repartition_source_topics=list(repartition),
        copartition_groups=[
            CopartitionGroup(source_topics=list(a), source_topic_regex=[], repartition_source_topics=list(b))
            for a, b in together
        ],
    )


def plan(*parts: Subtopology, epoch: int = 0) -> Topology:
    return Topology(epoch=epoch, subtopologies=list(parts))


PLAIN = plan(part("0", ["t"]))
"""A topology that reads the topic "t"."""
STATEFUL = plan(part("0", ["t"], changelogs=[internal("t-changelog")]))
"""A topology with a state store."""


class StreamsMember:
    """A member of a streams group, or a client that wants to become one."""

    def __init__(
        self,
        kafka: FakeKafka,
        id: str = "m",
        *,
        group: str = "g",
        process: str | None = None,
        topology: Topology = PLAIN,
    ) -> None:
        self.kafka = kafka
        self.id = id
        self.group = group
        self.process = id if process is None else process
        self.topology = topology
        self.epoch = 0
        self.active: frozenset[TaskId] = frozenset()
        self.standby: frozenset[TaskId] = frozenset()

    def send(self, epoch: int, **fields: object) -> StreamsGroupHeartbeatResponse:
        """Send one heartbeat, and take the answer."""
        request = StreamsGroupHeartbeatRequest(
            group_id=self.group, member_id=self.id, member_epoch=epoch, topology=None, user_endpoint=None
        )
        for name, value in fields.items():
            setattr(request, name, value)
        version = newest(self.kafka, ApiKey.STREAMS_GROUP_HEARTBEAT)
        return self._take(answer(self.kafka, request, version, StreamsGroupHeartbeatResponse))

    def join(self, **fields: object) -> StreamsGroupHeartbeatResponse:
        told: dict[str, object] = {"rebalance_timeout_ms": 1000, "topology": self.topology, "process_id": self.process}
        nothing: dict[str, object] = {"active_tasks": [], "standby_tasks": [], "warmup_tasks": []}
        return self.send(0, **{**told, **nothing, **fields})

    def beat(self, **fields: object) -> StreamsGroupHeartbeatResponse:
        """Send a heartbeat that says what the member has."""
        has = {"active_tasks": _rows(self.active), "standby_tasks": _rows(self.standby), "warmup_tasks": []}
        return self.send(self.epoch, **{**has, **fields})

    def leave(self) -> StreamsGroupHeartbeatResponse:
        return self.send(-1)

    @property
    def tasks(self) -> list[TaskId]:
        """The member's active tasks."""
        return sorted(self.active)

    def _take(self, said: StreamsGroupHeartbeatResponse) -> StreamsGroupHeartbeatResponse:
        if said.error_code == ErrorCode.NONE:
            self.epoch = said.member_epoch
            if said.active_tasks is not None:
                self.active = _tasks(said.active_tasks)
                self.standby = _tasks(said.standby_tasks or [])
        return said


def _rows(tasks: frozenset[TaskId]) -> list[TaskIds]:
    return [TaskIds(subtopology_id=id, partitions=found) for id, found in by_subtopology(tasks).items()]


def _tasks(rows: Iterable[TaskIds]) -> frozenset[TaskId]:
    return frozenset((row.subtopology_id, partition) for row in rows for partition in row.partitions)


def settle(*members: StreamsMember) -> None:
    """Send heartbeats until nothing changes any more."""
    for _ in range(2 * len(members) + 2):
        for member in members:
            member.beat()
