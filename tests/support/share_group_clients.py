"""Members of share groups, played by tests, and a broker for them."""

from collections.abc import Sequence

from fakekafka import FakeKafka
from fakekafka.coordinators.groups.share.group import ShareGroup
from fakekafka.coordinators.groups.share.groups import ShareGroups
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.coordinators.share_partitions.state_records import SharePartitionKey, State
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey
from fakekafka.wire.apis.share_acknowledge import AcknowledgementBatch as Row
from fakekafka.wire.apis.share_acknowledge import (
    AcknowledgePartition,
    AcknowledgeTopic,
    ShareAcknowledgeRequest,
    ShareAcknowledgeResponse,
)
from fakekafka.wire.apis.share_fetch import (
    AcknowledgementBatch,
    FetchPartition,
    FetchTopic,
    ShareFetchRequest,
    ShareFetchResponse,
)
from fakekafka.wire.apis.share_group_heartbeat import ShareGroupHeartbeatRequest, ShareGroupHeartbeatResponse

from tests.support.brokers import answer, answer_over
from tests.support.group_clients import coordinator_of, grouped, newest
from tests.support.seeded import broker_of

Acks = Sequence[tuple[int, int, Sequence[int]]]
EARLIEST = {"share.auto.offset.reset": "earliest"}


def shared(release: str = "4.3", *, partitions: int = 1, records: int = 0, **config: object) -> FakeKafka:
    """A broker with share groups, where the group "g" reads "t" from the beginning."""
    quick = {"group_share_assignment_interval_ms": 0} if release >= "4.3" else {}
    kafka = grouped(release, partitions=partitions, share_coordinator_state_topic_num_partitions=1, **quick, **config)
    settings = broker_of(kafka).cluster.settings
    settings.features["share.version"] = 1
    settings.groups["g"] = dict(EARLIEST)
    for n in range(records):
        kafka.send("t", b"%d" % n, partition=n % partitions)
    return kafka


def groups_of(kafka: FakeKafka) -> ShareGroups:
    return coordinator_of(kafka).share_groups


def group_of(kafka: FakeKafka, group_id: str = "g") -> ShareGroup:
    return groups_of(kafka).groups[group_id]


def place(kafka: FakeKafka, partition: int = 0, group: str = "g") -> SharePartitionKey:
    return SharePartitionKey(group, broker_of(kafka).cluster.topics["t"].id, partition)


def state_of(kafka: FakeKafka, partition: int = 0) -> State:
    """What is stored about the topic's partition."""
    state = coordinators_of(broker_of(kafka)).share.states.read(place(kafka, partition))
    assert state is not None
    return state


class ShareMember:
    """A member of a share group, or a client that wants to become one."""

    def __init__(self, kafka: FakeKafka, id: str = "m", *, group: str = "g", topics: Sequence[str] = ("t",)) -> None:
        self.kafka = kafka
        self.id = id
        self.group = group
        self.topics = topics
        self.epoch = 0
        self.session_epoch = 0
        self.assigned: dict[bytes, list[int]] = {}
        self.connection = kafka.connect()
        """The connection over which the member fetches; its share session ends with the connection."""

    def send(self, epoch: int, topics: Sequence[str] | None = None) -> ShareGroupHeartbeatResponse:
        """Send one heartbeat, and take the answer."""
        request = ShareGroupHeartbeatRequest(
            group_id=self.group,
            member_id=self.id,
            member_epoch=epoch,
            subscribed_topic_names=None if topics is None else list(topics),
        )
        version = newest(self.kafka, ApiKey.SHARE_GROUP_HEARTBEAT)
        return self._take(answer(self.kafka, request, version, ShareGroupHeartbeatResponse))

    def join(self) -> ShareGroupHeartbeatResponse:
        """Join; the second heartbeat brings the assignment."""
        self.send(0, self.topics)
        return self.send(self.epoch)

    def _take(self, said: ShareGroupHeartbeatResponse) -> ShareGroupHeartbeatResponse:
        if said.error_code == ErrorCode.NONE:
            self.epoch = said.member_epoch
            if said.assignment is not None:
                self.assigned = {t.topic_id: sorted(t.partitions) for t in said.assignment.topic_partitions}
        return said

    def fetch(
        self,
        acks: Acks = (),
        *,
        partitions: Sequence[int] = (0,),
        most: int = 100,
        max_bytes: int = 1 << 20,
        min_bytes: int = 1,
        max_wait_ms: int = 0,
    ) -> ShareFetchResponse:
        """Fetch from the topic "t". What does not wait gets nothing of partitions whose states the leader has yet to
        read, so a session is opened twice, at first for no records.
        """
        if self.session_epoch == 0 and most and not max_wait_ms:
            self.fetch(acks, partitions=partitions, most=0)
            self.session_epoch = 0
        rows = [AcknowledgementBatch(first_offset=f, last_offset=e, acknowledge_types=list(t)) for f, e, t in acks]
        asked = [FetchPartition(partition_index=p, acknowledgement_batches=rows) for p in partitions]
        request = ShareFetchRequest(
            group_id=self.group,
            member_id=self.id,
            share_session_epoch=self.session_epoch,
            max_wait_ms=max_wait_ms,
            min_bytes=min_bytes,
            max_bytes=max_bytes,
            max_records=most,
            batch_size=most,
            topics=[FetchTopic(topic_id=place(self.kafka).topic, partitions=asked)],
            forgotten_topics_data=[],
        )
        version = newest(self.kafka, ApiKey.SHARE_FETCH)
        said = answer_over(self.connection, request, version, ShareFetchResponse)
        if said.error_code == ErrorCode.NONE:
            self.session_epoch += 1
        return said

    def got(self, acks: Acks = (), *, most: int = 100) -> list[tuple[int, int, int]]:
        """What a fetch returns: first and last offset, and delivery count."""
        return [
            (span.first_offset, span.last_offset, span.delivery_count)
            for topic in self.fetch(acks, most=most).responses
            for row in topic.partitions
            for span in row.acquired_records
        ]

    def acknowledge(self, *acks: tuple[int, int, Sequence[int]], epoch: int | None = None) -> ShareAcknowledgeResponse:
        """Say what became of records; `epoch` -1 ends the session."""
        rows = [Row(first_offset=f, last_offset=e, acknowledge_types=list(t)) for f, e, t in acks]
        asked = AcknowledgePartition(partition_index=0, acknowledgement_batches=rows)
        request = ShareAcknowledgeRequest(
            group_id=self.group,
            member_id=self.id,
            share_session_epoch=self.session_epoch if epoch is None else epoch,
            topics=[AcknowledgeTopic(topic_id=place(self.kafka).topic, partitions=[asked])],
            is_renew_ack=any(4 in types for _, _, types in acks),
        )
        version = newest(self.kafka, ApiKey.SHARE_ACKNOWLEDGE)
        said = answer_over(self.connection, request, version, ShareAcknowledgeResponse)
        if said.error_code == ErrorCode.NONE:
            self.session_epoch += 1
        return said

    def says(self, *acks: tuple[int, int, Sequence[int]]) -> int:
        """The error of one partition's acknowledgements."""
        return self.acknowledge(*acks).responses[0].partitions[0].error_code
