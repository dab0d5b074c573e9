"""What ShareFetch and ShareAcknowledge have in common: the requesting member, and its acknowledgements."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from fakekafka.coordinators.share_partitions.delivery import Ack, AckBatch
from fakekafka.coordinators.share_partitions.hosting import ShareHosting
from fakekafka.coordinators.share_partitions.partitions import find
from fakekafka.coordinators.share_partitions.state_records import SharePartitionKey
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import BrokerId, LeaderEpoch, TopicIdPartition

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

FIRST_TYPE, LAST_TYPE = Ack.GAP, Ack.REJECT
NO_RENEWALS = "Renewing acquisition locks is not enabled for the group."


class AckRow(Protocol):
    """Acknowledgements as a request has them."""

    first_offset: int
    last_offset: int
    acknowledge_types: list[int]


class ShareClient(NamedTuple):
    """A member of a share group, at a broker."""

    hosting: ShareHosting
    group: str
    member: str

    @property
    def broker(self) -> "Broker":
        return self.hosting.broker

    def share_partition(self, tp: TopicIdPartition) -> SharePartitionKey:
        return SharePartitionKey(self.group, *tp)


class Leader(NamedTuple):
    """The leader of a partition."""

    node_id: BrokerId = 0
    epoch: LeaderEpoch = 0


NOT_TOLD: Final = Leader()
LEADER_ERRORS: Final = (ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.FENCED_LEADER_EPOCH)


class Acknowledged(NamedTuple):
    """The result of acknowledgements for one partition."""

    error: ErrorCode
    words: str | None = None
    carry_out: Callable[[], None] = lambda: None
    """Does what was acknowledged."""


def check_member(broker: "Broker", member_id: str | None) -> None:
    """Raises `ApiError` for an empty member id."""
    if not member_id:
        in_words = broker.profile.share_groups.empty_member_id == "in words"
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR if in_words else ErrorCode.INVALID_REQUEST)


def leader_elsewhere(broker: "Broker", tp: TopicIdPartition, error: int) -> Leader:
    """The leader of a partition that this broker does not lead, if that is the error (KIP-951)."""
    topic = broker.cluster.topics_by_id.get(tp[0])
    state = None if topic is None else topic.partition(tp[1])
    if state is None or error not in LEADER_ERRORS:
        return NOT_TOLD
    known = broker.cluster.as_known_to(broker.node_id, state)
    return Leader(known.leader, known.leader_epoch)


def leading_brokers(broker: "Broker", tps: Iterable[tuple[TopicIdPartition, int]]) -> list["Broker"]:
    """The leaders of the partitions, given with their errors, that this broker does not lead."""
    leaders = {leader_elsewhere(broker, tp, error).node_id for tp, error in tps if error in LEADER_ERRORS}
    known = broker.cluster.brokers_known_to(broker.node_id)
    return [other for other in known.values() if other.node_id in leaders]


def acknowledge(client: ShareClient, tp: TopicIdPartition, rows: Sequence[AckRow], *, renews: bool) -> Acknowledged:
    """Take a member's acknowledgements for one partition. `renews`: whether it may ask for more time (KIP-1222)."""
    acknowledged = check(client, tp, rows, renews=renews)
    acknowledged.carry_out()
    return acknowledged


def check(client: ShareClient, tp: TopicIdPartition, rows: Sequence[AckRow], *, renews: bool) -> Acknowledged:
    """Check acknowledgements for `acknowledge`; the result is still to be carried out."""
    if not _are_well_formed(rows, LAST_TYPE + renews):
        return Acknowledged(ErrorCode.INVALID_REQUEST)
    if any(Ack.RENEW in row.acknowledge_types for row in rows) and not _may_renew(client):
        return Acknowledged(ErrorCode.INVALID_RECORD_STATE, NO_RENEWALS)
    partition = find(client.broker, tp)
    if isinstance(partition, ErrorCode):
        return Acknowledged(partition)
    batches = [AckBatch(row.first_offset, row.last_offset, row.acknowledge_types) for row in rows]
    try:
        carry_out = client.hosting.partitions.checked(client.share_partition(tp), partition, client.member, batches)
    except ApiError as refused:
        return Acknowledged(refused.code, refused.message)
    return Acknowledged(ErrorCode.NONE, None, carry_out)


def _may_renew(client: ShareClient) -> bool:
    return client.hosting.configs.group_config(client.group, "renew.acknowledge.enable", "true").lower() == "true"


def _are_well_formed(rows: Iterable[AckRow], last_type: int) -> bool:
    """Whether each batch has one type for all its records or one for each, and batches are in order (KafkaApis)."""
    before = -1
    for row in rows:
        count = row.last_offset - row.first_offset + 1
        types = row.acknowledge_types
        if count < 1 or row.first_offset <= before or len(types) not in (1, count):
            return False
        if not all(FIRST_TYPE <= word <= last_type for word in types):
            return False
        before = row.last_offset
    return True
