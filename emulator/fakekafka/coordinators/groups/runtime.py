"""The runtime of all groups that are stored as typed records (CoordinatorRuntime, GroupMetadataManager). Every request
is carried out in three steps:

    plan    the records and the answer are worked out; nothing changes yet
    write   the runtime appends the records, in one batch; if that is refused, `ApiError` is raised: nothing has changed
    apply   each record is replayed: the one way in which a group changes, now and when the log is read
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

from fakekafka.coordinators.groups.log import GroupLog
from fakekafka.coordinators.groups.modern_group import ModernGroup
from fakekafka.coordinators.groups.typed_records import CoordinatorRecord, KeyValue, RecordTypes, TypedRecord, group_of
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import PartitionIndex, TimestampMs
from fakekafka.releases.configs.definition import parse_value
from fakekafka.wire.message import Message

G = TypeVar("G", bound=ModernGroup[Any, Any])

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
"""The errors for members when records cannot be appended (CoordinatorOperationExceptionHelper)."""


class Plan(Generic[G]):
    """What a request would change, as records."""

    def __init__(self, group: G) -> None:
        self.group = group
        """The current group; a new one is stored only by applying its records."""
        self.records: list[CoordinatorRecord] = []
        self.on_written: list[Callable[[], object]] = []
        """What to do once the records are written, before they are replayed."""

    def add(self, *records: CoordinatorRecord) -> None:
        """Add records after the earlier ones."""
        self.records += records


class AssignmentRules(Protocol):
    """What the release says about every kind of group."""

    @property
    def first_epoch(self) -> int: ...

    @property
    def assignment_interval(self) -> bool: ...


class ModernGroups(ABC, Generic[G]):
    """The groups of one kind that a broker coordinates. No id belongs to two kinds."""

    KIND: ClassVar[str]
    """The kind's name in configs and messages: "consumer"."""
    TYPES: RecordTypes
    """The layouts of their records."""
    REPLAY: ClassVar["staticmethod[[Any, Message, Message | None], None]"]
    """Applies a record to its group, of type `G`, unless the record deletes the group."""
    METADATA_KEY: ClassVar[type[Message]]
    """The type of the record whose tombstone ends a group."""
    COMMITS: ClassVar[bool] = True
    """Whether groups of this kind commit offsets."""

    def __init__(self, log: GroupLog, rules: AssignmentRules, is_taken: Callable[[str], bool]) -> None:
        """`is_taken`: whether there is a group, of any kind, with a given id."""
        self.log = log
        self.broker = log.broker
        self.cluster = log.cluster
        self.config = log.config
        self.timers = log.timers
        self.is_taken = is_taken
        self.groups: dict[str, G] = {}
        self._rules = rules

    @property
    def now(self) -> TimestampMs:
        return self.cluster.clock.now_ms

    @property
    @abstractmethod
    def exists(self) -> bool:
        """Whether the release has groups of this kind, on or off."""

    # ---- configs

    def setting(self, group_id: str, name: str) -> int:
        """A config of a group, such as "session.timeout.ms": its own, or the broker's."""
        own = self.cluster.settings.groups.get(group_id, {}).get(f"{self.KIND}.{name}")
        broker_wide = f"group.{self.KIND}.{name}"
        if own is not None:
            value = parse_value(self.config.table[broker_wide], own)
            assert isinstance(value, int)
            return value
        return self.config.int(broker_wide)

    def config_list(self, name: str) -> tuple[str, ...]:
        """The values of a broker config that is a list."""
        value = self.config.value(name)
        return value if isinstance(value, tuple) else ()

    def check_size(self, group: G, member_id: str) -> None:
        """Raises `ApiError` 81 if the group is full."""
        limit = self.config.int(f"group.{self.KIND}.max.size")
        if len(group.members) >= limit and member_id not in group.members:
            words = f"The {self.KIND} group has reached its maximum capacity of {limit} members."
            raise ApiError(ErrorCode.GROUP_MAX_SIZE_REACHED, words)

    # ---- groups

    @abstractmethod
    def new_group(self, group_id: str) -> G:
        """A new group. It is not stored yet."""

    def require(self, group_id: str, *, absent: str = "Group {} not found.") -> G:
        """The group. Raises `ApiError` 69, with the message `absent` if no group of any kind has this id."""
        group = self.groups.get(group_id)
        if group is not None:
            return group
        if self.is_taken(group_id):
            raise ApiError(ErrorCode.GROUP_ID_NOT_FOUND, f"Group {group_id} is not a {self.KIND} group.")
        raise ApiError(ErrorCode.GROUP_ID_NOT_FOUND, absent.format(group_id))

    def of_partition(self, index: PartitionIndex) -> Iterator[G]:
        """The groups whose records lie in a partition of the offsets topic."""
        return (group for group in list(self.groups.values()) if self.log.partition_of(group.id) == index)

    def may_assign(self, group: G) -> bool:
        """Whether another target assignment is already allowed (the assignment interval, from 4.3 on)."""
        if not self._rules.assignment_interval or not group.assignment_timestamp:
            return True
        interval = self.setting(group.id, "assignment.interval.ms")
        return interval == 0 or self.now >= group.assignment_timestamp + interval

    @property
    def assignment_timestamp(self) -> TimestampMs:
        """The time in the record of a target assignment; 0 where the release does not keep it."""
        return self.now if self._rules.assignment_interval else 0

    # ---- write and apply

    def commit(self, plan: Plan[G], *, soon: bool = False) -> None:
        """Write a plan in one append, and apply it. If it raises `ApiError`, nothing has changed.

        `soon`: no client waits for it, so its records may share a batch with the next ones.
        """
        if plan.records:
            append = self.log.append_soon if soon else self.log.append
            error = append(plan.group.id, self.encoded(plan)).error
            if error is not ErrorCode.NONE:
                raise ApiError(APPEND_ERRORS.get(error, error))
        self.apply(plan)

    def encoded(self, plan: Plan[G]) -> list[KeyValue]:
        """The records of a plan, encoded for the log."""
        return [self.TYPES.encoded(record) for record in plan.records]

    def apply(self, plan: Plan[G]) -> None:
        """Apply the records of a plan after they were written."""
        for action in plan.on_written:
            action()
        for key, value in plan.records:
            if isinstance(key, Message):  # records about classic groups are not replayed here
                assert not isinstance(value, bytes)
                self.replay(self.groups, (key, value))

    def replay(self, groups: dict[str, G], record: TypedRecord) -> None:
        """Apply a record. A tombstone of an unknown group does nothing."""
        key, value = record
        group_id = group_of(record)
        if value is None and isinstance(key, self.METADATA_KEY):
            self.forget(groups, group_id)
            return
        group = groups.get(group_id)
        if group is None:
            if value is None:
                return
            group = groups[group_id] = self.new_group(group_id)
            if groups is self.groups:
                self.log.arrived(group_id)
        self.REPLAY(group, key, value)

    # ---- loading

    @abstractmethod
    def deletion(self, group: G) -> Plan[G]:
        """A plan that deletes a group."""

    def drop(self, group: G) -> None:
        """Forget a group, without writing anything."""
        self.forget(self.groups, group.id)

    def forget(self, groups: dict[str, G], group_id: str) -> None:
        """Take a group out of `groups`, and stop its deadlines."""
        group = groups.pop(group_id, None)
        if group is not None:
            group.stop_timers()
            if groups is self.groups and not self.is_taken(group_id):
                self.log.left(group_id)

    def drop_partition(self, index: PartitionIndex) -> None:
        """Another broker coordinates the groups of a partition of the offsets topic."""
        for group in self.of_partition(index):
            self.drop(group)

    def clear(self) -> None:
        """Forget everything."""
        for group in list(self.groups.values()):
            self.drop(group)
