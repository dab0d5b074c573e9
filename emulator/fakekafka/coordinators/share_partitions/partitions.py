"""The share partitions that a broker leads, and the sessions of their members (SharePartitionManager).

A share partition begins when a member first reads from it: where its state says, or where the group begins to read.
Locks and sessions are in memory only.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from fakekafka.coordinators.share_partitions.delivery import AckBatch, Delivery, Rules
from fakekafka.coordinators.share_partitions.state_records import UNKNOWN_START, Change, SharePartitionKey
from fakekafka.coordinators.share_partitions.states import ShareStates
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import DurationMs, LeaderEpoch, Offset, TimestampMs, TopicIdPartition
from fakekafka.log.offset_lookup import offset_for_timestamp
from fakekafka.storage.partition import Partition

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


UNITS_MS = {"d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1000}


def duration_ms(text: str) -> DurationMs:
    """The length of a duration that the config's check has accepted; fractions of a millisecond are dropped."""
    total, number = 0.0, ""
    for letter in text.lower().replace(",", "."):
        if letter in UNITS_MS:
            total += float(number) * UNITS_MS[letter]
            number = ""
        elif letter.isdigit() or letter == ".":
            number += letter
    return int(total)


LATEST = "latest"
EARLIEST = "earliest"
BY_DURATION = "by_duration:"
NO_PARTITION = "This server does not host this topic-partition."


class ShareGroupConfigs(Protocol):
    """How share groups are configured."""

    @property
    def is_on(self) -> bool:
        """Whether share groups are served."""

    def setting(self, group_id: str, name: str) -> int:
        """A config of a group, such as "record.lock.duration.ms": its own, or the broker's."""

    def group_config(self, group_id: str, name: str, default: str) -> str:
        """A config that only groups have, such as "auto.offset.reset"."""


class SharePartitions:
    """The share partitions of one broker."""

    def __init__(self, broker: "Broker", states: ShareStates, groups: ShareGroupConfigs) -> None:
        self._broker = broker
        self._states = states
        self._groups = groups
        self._deliveries: dict[tuple[SharePartitionKey, LeaderEpoch], Delivery] = {}

    def delivery(self, place: SharePartitionKey, partition: Partition) -> Delivery:
        """The deliveries of a share partition. Raises `ApiError` if it cannot begin."""
        at = (place, partition.state.leader_epoch)
        if at not in self._deliveries:
            self._deliveries[at] = self._begin(place, partition)
        delivery = self._deliveries[at]
        delivery.move_start(partition.log.log_start_offset)
        return delivery

    def forget_group(self, group_id: str) -> None:
        """Forget a group that no longer has a connected member."""
        for place in {place for place, _ in self._deliveries if place.group == group_id}:
            self.forget(place)

    def known(self, place: SharePartitionKey, partition: Partition) -> Delivery | None:
        """The deliveries of a share partition, or None if it was never read."""
        return self._deliveries.get((place, partition.state.leader_epoch))

    def forget(self, place: SharePartitionKey) -> None:
        """Start over with the next request, because an administrator has changed the state."""
        for at in [at for at in self._deliveries if at[0] == place]:
            del self._deliveries[at]

    def _begin(self, place: SharePartitionKey, partition: Partition) -> Delivery:
        leader_epoch = partition.state.leader_epoch
        state = self._states.claim(place, leader_epoch)
        if state is None:
            raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
        start = self._first_offset(place.group, partition) if state.start == UNKNOWN_START else state.start
        behaviour = self._broker.profile.share_groups
        rules = Rules(behaviour.split_units == "joined", behaviour.not_acquired, behaviour.throttled)

        def persist(change: Change) -> None:
            self._states.write(place, change, leader_epoch, state.epoch)

        return Delivery(start, state.spans, persist, rules)

    def _first_offset(self, group_id: str, partition: Partition) -> Offset:
        reset = self._groups.group_config(group_id, "auto.offset.reset", LATEST).lower()
        if reset == EARLIEST:
            return partition.log.log_start_offset
        if reset == LATEST:
            return partition.high_watermark
        age_ms = duration_ms(reset.removeprefix(BY_DURATION))
        return self._offset_at(self._broker.cluster.clock.now_ms - age_ms, partition)

    def _offset_at(self, timestamp: TimestampMs, partition: Partition) -> Offset:
        resolved = offset_for_timestamp(partition.log, self._broker.profile.log, timestamp)
        if resolved is None or resolved.offset >= partition.high_watermark:
            raise ApiError(ErrorCode.OFFSET_NOT_AVAILABLE)
        return resolved.offset

    # ---- locks

    def lock_ms(self, group_id: str) -> int:
        """How long a record stays locked for a member."""
        return self._groups.setting(group_id, "record.lock.duration.ms")

    def delivery_limit(self, group_id: str) -> int:
        """How often a record is delivered at most."""
        return self._groups.setting(group_id, "delivery.count.limit")

    def lock(self, place: SharePartitionKey, partition: Partition, delivery: Delivery) -> None:
        """Start the timer of the last lock of `delivery`."""
        number = delivery.last_lock

        def over() -> None:
            if self.known(place, partition) is delivery and delivery.expire(number, self.delivery_limit(place.group)):
                self._broker.waiters.wake(partition.key)

        self._broker.timers.after(self.lock_ms(place.group), over)

    def checked(
        self, place: SharePartitionKey, partition: Partition, member: str, batches: Sequence[AckBatch]
    ) -> Callable[[], None]:
        """Check a member's acknowledgements, and return what carries them out. Raises `ApiError`."""
        delivery = self.known(place, partition)
        if delivery is None:
            raise ApiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, NO_PARTITION)
        delivery.move_start(partition.log.log_start_offset)
        answered = delivery.answered(member, batches, self.delivery_limit(place.group))

        def carry_out() -> None:
            delivery.take(answered)
            if delivery.renewed(member, batches):
                self.lock(place, partition, delivery)
            self._broker.waiters.wake(partition.key)

        return carry_out

    def release(self, place: SharePartitionKey, partition: Partition, member: str) -> None:
        """Make the records available again that a member has of a share partition."""
        delivery = self.known(place, partition)
        if delivery is not None:
            counts = self._broker.profile.share_groups.released_count == "kept"
            delivery.release(member, self.delivery_limit(place.group), counts=counts)
            self._broker.waiters.wake(partition.key)

    def clear(self) -> None:
        """Forget everything."""
        self._deliveries.clear()


def find(broker: "Broker", tp: TopicIdPartition) -> Partition | ErrorCode:
    """The partition, if this broker leads it."""
    topic = broker.cluster.topics_by_id.get(tp[0])
    if topic is None:
        return ErrorCode.UNKNOWN_TOPIC_ID
    if topic.partition(tp[1]) is None:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    return broker.partition(topic.name, tp[1]) or ErrorCode.NOT_LEADER_OR_FOLLOWER
