"""The consumer groups that a broker coordinates: where they are, what is on, how a change is written down.

The part of the group coordinator that is about them; the other part, `broker.groups.coordinator`, has the offsets, the
partitions of the offsets topic and the classic groups.
"""

import base64
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from fakekafka.coordinators.groups.consumer.assignors import RANGE, UNIFORM, Assignor, by_range, by_sticky_range
from fakekafka.coordinators.groups.consumer.group import ConsumerGroup
from fakekafka.coordinators.groups.consumer.member import Member, MemberState
from fakekafka.coordinators.groups.consumer.records import CoordinatorRecord, encoded
from fakekafka.coordinators.groups.consumer.replay import replay
from fakekafka.coordinators.groups.consumer.uniform import by_count, by_count_of_4_0
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import DurationMs, PartitionIndex, TimestampMs
from fakekafka.releases.configs.definition import parse_value

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.coordinator import GroupCoordinator

FEATURE: Final = "group.version"
PROTOCOLS: Final = "group.coordinator.rebalance.protocols"
CLASSES: Final = {"UniformAssignor": UNIFORM, "RangeAssignor": RANGE}
"""Names of the assignors whose classes are configured."""


class ConsumerGroups:
    """The consumer groups of one broker."""

    def __init__(self, coordinator: "GroupCoordinator") -> None:
        self.coordinator = coordinator
        self.cluster = coordinator.cluster
        self.config = coordinator.config
        self.timers = coordinator.timers
        self.rules = coordinator.broker.profile.consumer_groups
        self.groups: dict[str, ConsumerGroup] = {}

    @property
    def now(self) -> TimestampMs:
        return self.coordinator.now

    @property
    def is_on(self) -> bool:
        """Is the protocol served?"""
        if self.rules.on_by == "nothing" or PROTOCOLS not in self.config.table:
            return False
        by_feature = self.rules.on_by == "config" or self.cluster.settings.features.get(FEATURE, 0) > 0
        return by_feature and "consumer" in self._names(PROTOCOLS)

    @property
    def may_upgrade(self) -> bool:
        """May a classic group become a consumer group?"""
        return self._policy in ("bidirectional", "upgrade")

    @property
    def may_downgrade(self) -> bool:
        """May a consumer group become a classic one?"""
        return self._policy in ("bidirectional", "downgrade")

    @property
    def _policy(self) -> str:
        name = "group.consumer.migration.policy"
        return self.config.text(name).lower() if name in self.config.table else "disabled"

    def _names(self, config: str) -> tuple[str, ...]:
        """The values of a config that is a list."""
        value = self.config.value(config)
        return value if isinstance(value, tuple) else ()

    def setting_ms(self, group_id: str, name: str) -> DurationMs:
        """A config of a group, such as "session.timeout.ms": its own, or the broker's."""
        own = self.cluster.settings.groups.get(group_id, {}).get(f"consumer.{name}")
        broker_wide = f"group.consumer.{name}"
        if own is not None:
            value = parse_value(self.config.table[broker_wide], own)
            assert isinstance(value, int)
            return value
        return self.config.int(broker_wide)

    @property
    def assignors(self) -> dict[str, Assignor]:
        """The server-side assignors by name; the first one is the default."""
        uniform = by_count if self.rules.extra_partitions == "who has them" else by_count_of_4_0
        ranges = by_range if self.rules.range_assignor == "ranges" else by_sticky_range
        known: dict[str, Assignor] = {UNIFORM: uniform, RANGE: ranges}
        names = [name.rpartition(".")[2] for name in self._names("group.consumer.assignors")]
        found = [CLASSES.get(name, name) for name in names]
        return {name: known[name] for name in found if name in known}

    def new_id(self) -> str:
        """An id for a member, as 22 characters of base64."""
        while True:
            text = base64.urlsafe_b64encode(self.cluster.random.randbytes(16)).decode().rstrip("=")
            if not text.startswith("-"):
                return text

    # ---- groups

    def require(self, group_id: str) -> ConsumerGroup:
        """The group. Raises `ApiError` 69."""
        group = self.groups.get(group_id)
        if group is not None:
            return group
        words = "is not a consumer group." if self.coordinator.knows(group_id) else "not found."
        raise ApiError(ErrorCode.GROUP_ID_NOT_FOUND, f"Group {group_id} {words}")

    def of_partition(self, index: PartitionIndex) -> Iterator[ConsumerGroup]:
        """The groups whose records lie in a partition of the offsets topic."""
        return (group for group in list(self.groups.values()) if self.coordinator.partition_of(group.id) == index)

    # ---- changes

    def write(self, group_id: str, records: Sequence[CoordinatorRecord]) -> None:
        """Write records down, in one append, and let them count. Raises `ApiError`."""
        if records:
            self.append(group_id, records)
            self.apply(records)

    def append(self, group_id: str, records: Sequence[CoordinatorRecord]) -> None:
        """Only write them down. Raises `ApiError`."""
        done = self.coordinator.append(group_id, [encoded(record) for record in records])
        if done.error is not ErrorCode.NONE:
            raise ApiError(APPEND_ERRORS.get(done.error, done.error))

    def write_soon(self, group_id: str, records: Sequence[CoordinatorRecord]) -> None:
        """The same for what nobody waits for: it may lie in the log together with what comes next."""
        if records:
            self.coordinator.append_soon(group_id, [encoded(record) for record in records])
            self.apply(records)

    def apply(self, records: Sequence[CoordinatorRecord]) -> None:
        """Only let them count."""
        for record in records:
            replay(self.groups, self.rules.first_epoch, record)

    # ---- loading

    def take_over(self, groups: dict[str, ConsumerGroup], expire: "Callable[[str, str], None]") -> None:
        """Groups were read from the log. `expire(group_id, member_id)`: what the end of a session or of the time for a
        rebalance does.
        """
        self.groups.update(groups)
        for group in groups.values():
            for member in group.members.values():
                self._start_timers(group, member, expire)

    def _start_timers(self, group: ConsumerGroup, member: Member, expire: "Callable[[str, str], None]") -> None:
        session = self.session_timeout_ms(group, member)
        group.set_timer("session", member.id, self.timers.after(session, lambda: expire(group.id, member.id)))
        if member.state is MemberState.UNREVOKED_PARTITIONS:
            timer = self.timers.after(member.rebalance_timeout_ms, lambda: expire(group.id, member.id))
            group.set_timer("rebalance", member.id, timer)

    def session_timeout_ms(self, group: ConsumerGroup, member: Member) -> DurationMs:
        """How long a member may be silent."""
        if member.classic is not None:
            return member.classic.session_timeout_ms
        return self.setting_ms(group.id, "session.timeout.ms")

    def drop(self, group: ConsumerGroup) -> None:
        """Forget a group, here only."""
        group.stop_timers()
        self.groups.pop(group.id, None)

    def clear(self) -> None:
        """Forget everything."""
        for group in list(self.groups.values()):
            self.drop(group)


APPEND_ERRORS: Final = {
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_ENOUGH_REPLICAS: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.REQUEST_TIMED_OUT: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_LEADER_OR_FOLLOWER: ErrorCode.NOT_COORDINATOR,
    ErrorCode.KAFKA_STORAGE_ERROR: ErrorCode.NOT_COORDINATOR,
    ErrorCode.MESSAGE_TOO_LARGE: ErrorCode.UNKNOWN_SERVER_ERROR,
    ErrorCode.RECORD_LIST_TOO_LARGE: ErrorCode.UNKNOWN_SERVER_ERROR,
    ErrorCode.INVALID_FETCH_SIZE: ErrorCode.UNKNOWN_SERVER_ERROR,
}
"""What members hear when records cannot be appended (CoordinatorOperationExceptionHelper)."""
