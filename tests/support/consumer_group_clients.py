"""Members of consumer groups, played by tests, and a broker for them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fakekafka import FakeKafka
from fakekafka.coordinators.groups.consumer.group import ConsumerGroup
from fakekafka.coordinators.groups.consumer.groups import ConsumerGroups
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey
from fakekafka.wire.apis.consumer_group_describe import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
    DescribedGroup,
)
from fakekafka.wire.apis.consumer_group_heartbeat import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
    TopicPartitions,
)

from tests.support.brokers import answer
from tests.support.group_clients import coordinator_of, newest
from tests.support.seeded import broker_of

Shares = Mapping[str, Iterable[int]]


def groups_of(kafka: FakeKafka) -> ConsumerGroups:
    return coordinator_of(kafka).consumer_groups


def group_of(kafka: FakeKafka, group_id: str = "g") -> ConsumerGroup:
    return groups_of(kafka).groups[group_id]


def described(kafka: FakeKafka, group_id: str = "g") -> DescribedGroup:
    version = newest(kafka, ApiKey.CONSUMER_GROUP_DESCRIBE)
    request = ConsumerGroupDescribeRequest(group_ids=[group_id])
    return answer(kafka, request, version, ConsumerGroupDescribeResponse).groups[0]


class ConsumerMember:
    """A member, or a client that wants to become one. It obeys the coordinator: it owns the partitions that it was
    given last.
    """

    def __init__(
        self,
        kafka: FakeKafka,
        id: str = "m",
        *,
        group: str = "g",
        topics: Sequence[str] | None = ("t",),
        regex: str | None = None,
        instance_id: str | None = None,
        assignor: str | None = None,
        rebalance_ms: int = 60_000,
    ) -> None:
        self.kafka = kafka
        self.id = id
        self.group = group
        self.topics = topics
        self.regex = regex
        self.instance_id = instance_id
        self.assignor = assignor
        self.rebalance_ms = rebalance_ms
        self.epoch = 0
        self.owned: dict[str, list[int]] = {}

    def send(self, epoch: int, **fields: Any) -> ConsumerGroupHeartbeatResponse:
        """Send one heartbeat and return the answer, without changing the member."""
        request = ConsumerGroupHeartbeatRequest(
            group_id=self.group, member_id=self.id, member_epoch=epoch, instance_id=self.instance_id, **fields
        )
        version = newest(self.kafka, ApiKey.CONSUMER_GROUP_HEARTBEAT)
        return answer(self.kafka, request, version, ConsumerGroupHeartbeatResponse)

    def join(self) -> ConsumerGroupHeartbeatResponse:
        """Join or rejoin."""
        self.owned = {}
        return self._take(
            self.send(
                0,
                rebalance_timeout_ms=self.rebalance_ms,
                subscribed_topic_names=None if self.topics is None else list(self.topics),
                **({} if self.regex is None else {"subscribed_topic_regex": self.regex}),
                server_assignor=self.assignor,
                topic_partitions=[],
            )
        )

    def beat(self, **fields: object) -> ConsumerGroupHeartbeatResponse:
        """Send a heartbeat with what the member owns, and take what the answer assigns."""
        topics = broker_of(self.kafka).cluster.topics
        owned = [TopicPartitions(topic_id=topics[name].id, partitions=p) for name, p in self.owned.items() if p]
        return self._take(self.send(self.epoch, topic_partitions=owned, **fields))

    def leave(self, epoch: int = -1) -> ConsumerGroupHeartbeatResponse:
        return self.send(epoch)

    @property
    def partitions(self) -> list[int]:
        """The member's partitions of the topic "t"."""
        return self.owned.get("t", [])

    def _take(self, said: ConsumerGroupHeartbeatResponse) -> ConsumerGroupHeartbeatResponse:
        if said.error_code == ErrorCode.NONE:
            self.epoch = said.member_epoch
            self.id = said.member_id or self.id
            if said.assignment is not None:
                by_id = broker_of(self.kafka).cluster.topics_by_id
                rows = said.assignment.topic_partitions
                self.owned = {by_id[row.topic_id].name: sorted(row.partitions) for row in rows}
        return said


def settle(*members: ConsumerMember) -> None:
    """Send heartbeats of all members until nothing changes any more."""
    for _ in range(8):
        for member in members:
            member.beat()
