"""The classic groups that a broker coordinates: which ones exist, and how they are stored (GroupMetadataManager,
ClassicGroup of 4.x).

A group that never had members exists only through its offsets.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from fakekafka.coordinators.groups.classic.group import Group, State
from fakekafka.coordinators.groups.classic.member import Identity, JoinResult, SyncResult
from fakekafka.coordinators.groups.classic.votes import VoteOrder
from fakekafka.coordinators.groups.log import GroupLog
from fakekafka.coordinators.groups.offsets.store import OffsetStore
from fakekafka.coordinators.groups.records import group_key, group_value
from fakekafka.coordinators.groups.runtime import Plan
from fakekafka.coordinators.groups.typed_records import KeyValue
from fakekafka.errors import ErrorCode
from fakekafka.ids import PartitionIndex, TimestampMs
from fakekafka.releases.coordinator_values import value_versions
from fakekafka.releases.protocol_effects import STATIC_MEMBERS

STORE_ERRORS: Final = {
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_ENOUGH_REPLICAS: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_LEADER_OR_FOLLOWER: ErrorCode.NOT_COORDINATOR,
    ErrorCode.KAFKA_STORAGE_ERROR: ErrorCode.NOT_COORDINATOR,
    ErrorCode.REQUEST_TIMED_OUT: ErrorCode.REBALANCE_IN_PROGRESS,
    ErrorCode.MESSAGE_TOO_LARGE: ErrorCode.UNKNOWN_SERVER_ERROR,
    ErrorCode.RECORD_LIST_TOO_LARGE: ErrorCode.UNKNOWN_SERVER_ERROR,
    ErrorCode.INVALID_FETCH_SIZE: ErrorCode.UNKNOWN_SERVER_ERROR,
}
"""The error for members when a group cannot be stored (GroupMetadataManager.storeGroup)."""


class ClassicGroups:
    """The classic groups of one broker."""

    def __init__(self, log: GroupLog, offsets: OffsetStore, is_modern: Callable[[str], bool]) -> None:
        """`is_modern`: whether there is a group of another kind with a given id."""
        self.log = log
        self.broker = log.broker
        self.cluster = log.cluster
        self.config = log.config
        self.timers = log.timers
        self.waiters = log.waiters
        self.rules = log.rules
        self.groups: dict[str, Group] = {}
        """The groups that have, or had, members."""
        self.values = value_versions(log.offset_rules, self.config.text("inter.broker.protocol.version"))
        """The versions in which values are written."""
        self._offsets = offsets
        self._is_modern = is_modern

    @property
    def now(self) -> TimestampMs:
        return self.cluster.clock.now_ms

    def member_status(self, group_id: str) -> ErrorCode:
        """The error for requests of members about the group, as from `GroupLog.status`; a group id may not be ""."""
        if not group_id and self.rules.empty_group_id is not ErrorCode.UNKNOWN_MEMBER_ID:
            return self.rules.empty_group_id
        return self.log.status(group_id)

    def refuses(self, instance_id: str | None) -> bool:
        """Whether the request is from a static member and the inter-broker protocol is too old for that."""
        protocol = self.config.text("inter.broker.protocol.version")
        return instance_id is not None and not self.broker.profile.allows(STATIC_MEMBERS, protocol)

    def validate_member(self, group: Group, identity: Identity) -> ErrorCode:
        """What is wrong with a member's identity: 82 for a process that was replaced, 25 for an unknown member."""
        if group.is_fenced(identity):
            return ErrorCode.FENCED_INSTANCE_ID
        is_unknown = identity.instance_id is not None and identity.instance_id not in group.static_ids
        if is_unknown and self.rules.unknown_instance == "refused":
            return ErrorCode.UNKNOWN_MEMBER_ID
        return ErrorCode.NONE if identity.member_id in group.members else ErrorCode.UNKNOWN_MEMBER_ID

    # ---- which groups there are

    def find(self, group_id: str, *, makes_room: bool = False) -> Group | None:
        """The group, if it exists: with members, or by its offsets alone.

        `makes_room`: a group of another kind does not count, because it is about to give up its name.
        """
        if self._is_modern(group_id) and not makes_room:
            return None
        group = self.groups.get(group_id)
        if group is None and self.rules.offsets_make_groups and group_id in self._offsets:
            return Group(group_id, State.EMPTY, self.now)
        return group

    def everyone(self) -> Iterator[Group]:
        """Every classic group."""
        yield from self.groups.values()
        if self.rules.offsets_make_groups:
            for group_id in self._offsets.groups():
                if group_id not in self.groups and not self._is_modern(group_id):
                    yield Group(group_id, State.EMPTY, self.now)

    @property
    def vote_order(self) -> VoteOrder:
        """Which of several protocols with as many votes comes first."""
        return "java" if self.rules.coordinator == "java" else self.rules.tied_protocols

    def keep(self, group: Group) -> None:
        """From now on this is the group with its name."""
        self.groups[group.id] = group
        self.log.arrived(group.id)

    def new_group(self, group_id: str, protocol_type: str | None = None) -> Group:
        """A new group. It is not stored yet."""
        if self.rules.empty_groups == "kept":
            return Group(group_id, State.EMPTY, self.now, self.vote_order)
        group = Group(group_id, State.STABLE, self.now, self.vote_order)
        group.protocol_type = protocol_type
        return group

    # ---- records

    def record(self, group: Group, assignments: Mapping[str, bytes]) -> KeyValue:
        """The record of a group at the end of a rebalance."""
        return group_key(group.id), group_value(self.values, group, assignments)

    def store(self, group: Group, assignments: Mapping[str, bytes]) -> ErrorCode:
        """Store a group at the end of a rebalance. Returns the error for its members if that fails."""
        error = self.log.append(group.id, [self.record(group, assignments)]).error
        return STORE_ERRORS.get(error, error)

    def store_new(self, group: Group, before: Sequence[KeyValue] = ()) -> ErrorCode:
        """Store a new group before it has members (GroupCoordinatorRecordHelpers).

        `before`: records about a group of another kind that gives up its name.
        """
        blank = Group(group.id, State.EMPTY, group.state_since or self.now)
        error = self.log.append_soon(group.id, [*before, self.record(blank, {})]).error
        return STORE_ERRORS.get(error, error)

    def bury(self, group: Group) -> None:
        """Remove a group without members (up to 0.10.0)."""
        group.become(State.DEAD, self.now)
        del self.groups[group.id]
        self._left(group.id)
        self.log.append(group.id, [(group_key(group.id), None)])

    def replace_by(self, plan: Plan[Any]) -> None:
        """Replace the classic group with the group of a plan, which has the same name."""
        plan.add((group_key(plan.group.id), None))
        plan.on_written.append(lambda: self.drop(plan.group.id))

    # ---- forgotten in memory only

    def drop(self, group_id: str) -> None:
        """Forget a group, if there is one."""
        group = self.groups.pop(group_id, None)
        if group is not None:
            group.stop_timers()
            group.become(State.DEAD, self.now)
            self._left(group_id)

    def _left(self, group_id: str) -> None:
        if self.find(group_id) is None and not self._is_modern(group_id):
            self.log.left(group_id)

    def drop_partition(self, index: PartitionIndex) -> None:
        """Another broker coordinates the groups of a partition of the offsets topic: redirect waiting members there."""
        for group in [g for g in self.groups.values() if self.log.partition_of(g.id) == index]:
            self._send_elsewhere(group)

    def clear(self) -> None:
        """Forget everything."""
        for group in list(self.groups.values()):
            self._send_elsewhere(group)

    def _send_elsewhere(self, group: Group) -> None:
        for member in group.members.values():
            group.answer_join(member, JoinResult(ErrorCode.NOT_COORDINATOR, member.id))
            group.answer_sync(member, SyncResult(ErrorCode.NOT_COORDINATOR))
        self.drop(group.id)
