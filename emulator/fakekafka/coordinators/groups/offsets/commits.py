"""OffsetCommit: who may commit in a group, and how commits are stored.

A commit is one append: either all its partitions or none become visible, together, once all replicas in sync have it
(`awaited`). Commits of a transaction stay pending until its marker comes (`pending_offsets`). The file is long, because
the checks of a commit and its writing need the same state.
"""

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple, assert_never

from fakekafka.cluster.internal_topics import Producer
from fakekafka.coordinators.groups.classic.group import Group, State
from fakekafka.coordinators.groups.classic.member import Identity
from fakekafka.coordinators.groups.classic.rebalance import Rebalance
from fakekafka.coordinators.groups.modern_group import CommittingGroup, NameAndId
from fakekafka.coordinators.groups.offsets.awaited import AwaitedCommits, Written
from fakekafka.coordinators.groups.offsets.map_order import CommitOrder, committed_order
from fakekafka.coordinators.groups.offsets.pending import until_unwritten
from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.coordinators.groups.offsets.written_at import written_at
from fakekafka.coordinators.groups.records import offset_key, offset_value
from fakekafka.coordinators.groups.registry import GroupRegistry
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import (
    NO_OFFSET,
    NO_PRODUCER_ID,
    ZERO_UUID,
    DurationMs,
    GenerationId,
    Offset,
    PartitionIndex,
    ProducerId,
    TimestampMs,
    TopicName,
    TopicPartition,
    Uuid,
)
from fakekafka.state.topics import COMMIT_LOG
from fakekafka.storage.partition import ALL_IN_SYNC, Partition

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.offsets.atomic.commit_log import CommitLog

NOT_GIVEN: Final = -1
BY_TOPIC: Final = itemgetter(0, 1)
"""Topic and partition of a commit: this order packs best."""
FIRST_WITH_TRANSACTIONS: Final = 2
"""The first message format of transactions."""
OUTSIDE_TRANSACTIONS: Final = Producer(sequence=0)
"""Commits outside transactions have a sequence number, too."""


class Commit(NamedTuple):
    """What a client commits for one partition."""

    topic: TopicName
    partition: PartitionIndex
    committed: Committed


class OffsetManager:
    """The committed offsets of one broker's groups, as they are written (OffsetMetadataManager)."""

    def __init__(self, groups: GroupRegistry, commit_log: "CommitLog | None") -> None:
        """`commit_log`: the log for offsets, if that is not the offsets topic."""
        self._groups = groups
        self._classic = groups.classic_groups
        self._commit_log = commit_log
        self._written = written_at(groups.rules)
        self.awaited = AwaitedCommits(groups, self._apply)  # written and not applied yet

    def validate_commit(
        self, group_id: str, generation: GenerationId, identity: Identity, absent: ErrorCode, version: int
    ) -> ErrorCode:
        """What is wrong with a commit, whatever its partitions are; a valid commit is a sign of life of its member.

        `absent`: the error for a generation of a group that does not exist. `version`: of the request.
        """
        groups, classic, rules = self._groups, self._classic, self._groups.offset_rules
        status = groups.status(group_id)
        if status is not ErrorCode.NONE or rules.generation_of_unknown_group is ErrorCode.NONE:
            return status  # 0.8.2 has no groups to check
        modern = groups.modern_group(group_id)
        if modern is not None:
            return modern.validate_offset_commit(generation, identity.member_id, version)
        group = classic.find(group_id)
        if group is None:
            if generation >= 0:
                return absent
            group = classic.new_group(group_id)
        if not groups.rules.offsets_make_groups and not group.members:
            return ErrorCode.NONE if generation < 0 else ErrorCode.ILLEGAL_GENERATION
        error = self._refusal(group, generation, identity)
        if error is not ErrorCode.NONE and classic.find(group_id) is None:
            classic.keep(group)  # GroupCoordinator.scala adds it before it refuses the commit
        if error is ErrorCode.NONE and rules.commit_keeps_session and identity.member_id in group.members:
            Rebalance(classic, group).keep_alive(group.members[identity.member_id])
        return error

    def _refusal(self, group: Group, generation: GenerationId, identity: Identity) -> ErrorCode:
        rules = self._groups.offset_rules
        is_named = bool(identity.member_id) or identity.instance_id is not None
        keeps_offsets_only = generation < 0 and group.state is State.EMPTY
        if keeps_offsets_only and (not is_named or rules.simple_commit_with_member is ErrorCode.NONE):
            return ErrorCode.NONE
        if group.is_fenced(identity):
            return ErrorCode.FENCED_INSTANCE_ID
        awaiting_sync = group.state is State.COMPLETING_REBALANCE
        if awaiting_sync and rules.old_generation_awaiting_sync is ErrorCode.REBALANCE_IN_PROGRESS:
            return ErrorCode.REBALANCE_IN_PROGRESS
        error = self._classic.validate_member(group, identity)
        if error is not ErrorCode.NONE:
            return error
        if generation != group.generation:
            return ErrorCode.ILLEGAL_GENERATION
        return ErrorCode.REBALANCE_IN_PROGRESS if awaiting_sync else ErrorCode.NONE

    def validate_partitions(
        self, group_id: str, epoch: int, member_id: str, partitions: Iterable[TopicPartition]
    ) -> ErrorCode:
        """What is wrong with a commit for a partition that the member did not have in the epoch that it names
        (KIP-1251). One such partition fails the whole commit.
        """
        group, topics = self._groups.modern_group(group_id), self._groups.cluster.topics
        if not isinstance(group, CommittingGroup):
            return ErrorCode.NONE
        for name, partition in partitions:
            topic = NameAndId(name, topics[name].id if name in topics else b"")
            error = group.validate_partition(epoch, member_id, topic, partition)
            if error is not ErrorCode.NONE:
                return error
        return ErrorCode.NONE

    def txn_status(self, group_id: str) -> ErrorCode:
        """The error for commits of transactions in the group, as from `GroupLog.status`."""
        if not group_id and self._groups.rules.empty_group_id is ErrorCode.INVALID_GROUP_ID:
            return ErrorCode.INVALID_GROUP_ID
        return self._groups.status(group_id)

    def make_group_of_transaction(self, group_id: str) -> None:
        """Make an unknown group, as Scala coordinators do before they look at the transaction; others make it when the
        commit is stored (`store`). Recorded from 3.9.1: control_questions.
        """
        if self._groups.rules.coordinator == "java" or self._groups.modern_group(group_id) is not None:
            return
        if self._classic.find(group_id) is None:
            self._classic.keep(self._classic.new_group(group_id))

    def validate_txn_commit(self, group_id: str, generation: GenerationId, identity: Identity) -> ErrorCode:
        """What is wrong with a commit of a transaction, once `txn_status` allows it.

        Old clients do not name their member (KIP-447).
        """
        groups, classic = self._groups, self._classic
        modern = groups.modern_group(group_id)
        if modern is not None:
            is_named = generation >= 0 or bool(identity.member_id) or identity.instance_id is not None
            if modern.members and not is_named and not groups.broker.profile.consumer_groups.anonymous_txn_commits:
                return ErrorCode.UNKNOWN_MEMBER_ID
            return modern.validate_txn_offset_commit(generation, identity.member_id, identity.instance_id)
        group = classic.find(group_id)
        if group is None:
            if generation >= 0:
                return ErrorCode.ILLEGAL_GENERATION
            group = classic.new_group(group_id)
        match groups.broker.profile.transactions.commit_membership:
            case "not checked":
                return ErrorCode.NONE
            case "what is given":
                return _refusal_of_given(group, generation, identity)
            case "as a whole":
                return self._refusal_of_all(group, generation, identity)
            case rule:
                assert_never(rule)

    def _refusal_of_all(self, group: Group, generation: GenerationId, identity: Identity) -> ErrorCode:
        is_named = bool(identity.member_id) or identity.instance_id is not None
        if generation < 0 and not is_named:
            return ErrorCode.NONE
        anybody_may = self._groups.offset_rules.simple_commit_with_member is ErrorCode.NONE
        if generation < 0 and group.state is State.EMPTY and anybody_may:
            return ErrorCode.NONE
        error = self._classic.validate_member(group, identity)
        return error or (ErrorCode.NONE if generation == group.generation else ErrorCode.ILLEGAL_GENERATION)

    # ---- times

    def committed_at(
        self, timestamp: TimestampMs, given_retention_ms: DurationMs
    ) -> tuple[TimestampMs, TimestampMs | None]:
        """Commit and expiry timestamps of a commit now. `timestamp`, `given_retention_ms`: from the request, or -1.

        An expiry of None follows the broker's retention.
        """
        now = self._groups.now
        if self._groups.offset_rules.expiry_from == "empty group":
            expiry = None if given_retention_ms == NOT_GIVEN else now + given_retention_ms
            return (now if timestamp == NOT_GIVEN else timestamp), expiry
        if self._groups.offset_rules.value_version == 0:
            return (now if timestamp == NOT_GIVEN else timestamp), None
        kept = self.retention_ms() if given_retention_ms == NOT_GIVEN else given_retention_ms
        return now, kept + (now if timestamp == NOT_GIVEN else timestamp)

    def retention_ms(self) -> DurationMs:
        """offsets.retention.minutes."""
        seconds = self._groups.config.int("offsets.retention.minutes") * 60
        if self._groups.offset_rules.retention_overflows:
            seconds = (seconds + 2**31) % 2**32 - 2**31
        return seconds * 1000

    # ---- writing

    def store(
        self,
        group_id: str,
        commits: Sequence[Commit],
        producer: Producer = OUTSIDE_TRANSACTIONS,
        *,
        by_id: bool = False,
    ) -> list[ErrorCode]:
        """Write commits and apply them. Returns an error for each; metadata that is too long only fails its own commit.
        `producer`: the producer whose open transaction they are part of. `by_id`: the request gives topics by id.
        Raises 43 if they cannot be part of one.
        """
        if self._commit_log is not None and producer.id == NO_PRODUCER_ID:
            from fakekafka.coordinators.groups.offsets.atomic.conditions import judged  # only a draft needs it

            asked = judged(group_id, commits, self.last_written)
            if not asked.is_met:
                return [ErrorCode.INVALID_REQUEST] * len(commits)
            commits = [Commit(*entry) for entry in asked.commits]
        fits = [self.fits(commit.committed.metadata) for commit in commits]
        ordered = self._ordered(commits, producer)  # in their map, before what does not fit is left out
        accepted = [commit for commit in ordered if self.fits(commit.committed.metadata)]
        error = self._append(group_id, accepted, producer, by_id) if accepted else ErrorCode.NONE
        if error is ErrorCode.NONE and (producer.id != NO_PRODUCER_ID or not accepted):
            self._make_group(group_id)  # real coordinators create it even if all metadata is too long
        if error is ErrorCode.NONE and not all(fits):
            refused = [commit for commit, fit in zip(commits, fits) if not fit]
            self._keep_refused(group_id, refused, producer, alone=not accepted)
        return [error if fit else ErrorCode.OFFSET_METADATA_TOO_LARGE for fit in fits]

    def fits(self, metadata: str) -> bool:
        """Whether metadata is short enough to be kept."""
        return utf16_units(metadata) <= self._groups.config.int("offset.metadata.max.bytes")

    def _keep_refused(self, group_id: str, refused: Sequence[Commit], producer: Producer, *, alone: bool) -> None:
        """Keep commits with metadata that is too long, in releases that do. `alone`: without others beside them."""
        match self._groups.offset_rules.long_metadata:
            case "refused":
                return
            case "remembered":
                for commit in refused:
                    self._groups.offsets.put(group_id, *commit)
            case "left pending":
                for name, partition, committed in () if alone else refused:
                    self._groups.pending.add(producer.id, (group_id, name, partition), NO_OFFSET, committed)
            case rule:
                assert_never(rule)

    def _make_group(self, group_id: str) -> None:
        """Store a group that has no committed offsets yet."""
        if self._groups.rules.offsets_make_groups and not self._groups.knows(group_id):
            self._classic.keep(self._classic.new_group(group_id))

    def _ordered(self, commits: Sequence[Commit], producer: Producer) -> Sequence[Commit]:
        """Commits in the order of their records. A partition that goes through a map occurs once, with the last offset
        given for it.
        """
        rules = self._groups.offset_rules
        order: CommitOrder = rules.map_order
        if producer.id != NO_PRODUCER_ID:
            match rules.transaction_map_order:
                case "as a commit":
                    pass
                case "mutable of java" | "2.13 of java" as of_transaction:
                    order = of_transaction
                case word:
                    assert_never(word)
        if order == "request":
            return commits
        by_place = {(commit.topic, commit.partition): commit for commit in commits}
        return [by_place[place] for place in committed_order(by_place, order)]

    def _append(self, group_id: str, commits: Sequence[Commit], producer: Producer, by_id: bool) -> ErrorCode:
        if producer.id != NO_PRODUCER_ID:
            self._check_format(group_id)
        key_type, versions = self._groups.offset_rules.key_version, self._classic.values
        ids: dict[TopicName, Uuid] = {}
        match self._groups.offset_rules.topic_ids_written:
            case "never":
                with_ids = False
            case "asked by id":
                with_ids = by_id
            case "always":
                with_ids = True
            case rule:
                assert_never(rule)
        if with_ids and producer.id == NO_PRODUCER_ID:
            topics = self._groups.cluster.topics
            ids = {name: topics[name].id for name in {c.topic for c in commits} if name in topics}
        records: list[tuple[bytes, bytes | None]] = [
            (
                offset_key(key_type, group_id, topic, partition),
                offset_value(versions, committed, ids.get(topic, ZERO_UUID)),
            )
            for topic, partition, committed in commits
        ]
        if self._commit_log is not None and producer.id == NO_PRODUCER_ID:
            done = self._commit_log.append(group_id, commits, self.last_written)
        else:
            done = self._groups.append(group_id, records, producer)
        if done.error is not ErrorCode.NONE:
            return COMMIT_ERRORS.get(done.error, done.error)
        if producer.id == NO_PRODUCER_ID:
            at = done.base_offset if self._commit_log is None else self._groups.end_of(group_id)
            self._apply_when_replicated(Written(group_id, commits, at, done.last_offset + 1))
        else:
            for name, partition, committed in sorted(commits, key=BY_TOPIC):
                self._groups.pending.add(producer.id, (group_id, name, partition), done.base_offset, committed)
        return ErrorCode.NONE

    def _check_format(self, group_id: str) -> None:
        """Raises 43 if new records of the group's partition are of a format without transactions
        (GroupMetadataManager.scala). Recorded from 2.0.1 and 3.1.2: random_walks.
        """
        partition = self.partition_written(group_id)
        if partition is not None and partition.log.config.message_format < FIRST_WITH_TRANSACTIONS:
            raise ApiError(ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT)

    def _apply_when_replicated(self, commit: Written) -> None:
        """Apply a commit at once, unless some replica in sync lacks it and its client waits for that."""
        partition = self.partition_written(commit.group_id)
        if partition is not None and self._waits(partition, commit.end):
            self.awaited.add(partition, commit)
        else:
            self._apply(commit)

    def _waits(self, partition: Partition, end: Offset) -> bool:
        if partition.high_watermark >= end and not self.awaited.has(partition.index):
            return False
        return self._groups.config.int("offsets.commit.required.acks", ALL_IN_SYNC) == ALL_IN_SYNC

    def _apply(self, commit: Written) -> None:
        """Enter a commit into the map of offsets, all of it in one step."""
        offsets, pending = self._groups.offsets, self._groups.pending
        self._arrived(commit.group_id)
        for name, partition, committed in sorted(commit.offsets, key=BY_TOPIC):
            key = commit.group_id, name, partition
            if pending:
                pending.settle(key, commit.at)
            if self._written is None or self._written.replaces(offsets.get(*key), key, commit.at):
                offsets.put(*key, self.normal(committed))

    def give_up(self, partition: Partition, end: Offset) -> None:
        """The replicas took too long with the commit that ends at this offset of the partition's log.

        The Scala coordinator has it in its log from then on, and in its map only when it reads the log again (asked of
        2.3.1); the Java one, and a separate log for offsets, show it once the replicas have it.
        """
        if self._groups.rules.coordinator == "scala" and not self.has_own_log:
            self.awaited.give_up(partition, end)

    def last_written(self, group_id: str, topic: TopicName, partition: PartitionIndex) -> Committed | None:
        """The offset that a partition has once the replicas have everything: what conditions are compared with."""
        waiting = self.awaited.latest(group_id, topic, partition)
        return self._groups.offsets.get(group_id, topic, partition) if waiting is None else waiting

    def exists(self, group_id: str, topic: TopicName, partition: PartitionIndex) -> bool:
        """Whether there is an offset, including one that waits or is pending."""
        place = group_id, topic, partition
        return self._groups.pending.has(*place) or self.last_written(*place) is not None

    def clear(self) -> None:
        """Forget everything."""
        self.awaited.clear()
        if self._commit_log is not None:
            self._commit_log.clear()

    def partition_written(self, group_id: str) -> Partition | None:
        """The partition that holds the commits of a group; None: this broker does not lead it."""
        groups = self._groups
        index = groups.partition_of(group_id)
        return groups.partition(index) if self._commit_log is None else groups.broker.partition(COMMIT_LOG, index)

    @property
    def has_own_log(self) -> bool:
        """Whether offsets have another log than the offsets topic."""
        return self._commit_log is not None

    def read_own_log_again(self, index: PartitionIndex) -> None:
        """The groups of a partition were read; read their offsets too, if these are in another log that is led here."""
        if self._commit_log is not None:
            self._commit_log.read_again(index)

    def forget(self, group_id: str, partitions: Sequence[TopicPartition]) -> None:
        """Forget offsets, with what is pending or waits. Write that down, if offsets have a log of their own."""
        groups = self._groups
        if self._commit_log is not None:
            self._commit_log.forget(group_id, [place for place in partitions if self.exists(group_id, *place)])
        groups.offsets.remove(group_id, partitions)
        if not groups.knows(group_id):
            groups.left(group_id)
        if groups.pending:
            for topic, partition in partitions:
                groups.pending.remove(group_id, topic, partition)
        self.awaited.forget(group_id, frozenset(partitions))

    def complete_transaction(self, index: PartitionIndex, producer_id: ProducerId, commits: bool) -> None:
        """A marker was written into partition `index` of the offsets topic: apply or drop what `producer_id` has
        pending there. What waits for replicas and is older than that is never applied.
        """
        groups = {group for group in self._groups.pending.groups() if self._groups.partition_of(group) == index}
        decided = self._groups.pending.complete(producer_id, groups)
        for key, at, committed in until_unwritten(decided, self._groups.offset_rules.expired_order):
            if commits:
                self._groups.pending.decide(key, at)
                self.awaited.forget(key[0], [key[1:]], before=at)
                self._groups.offsets.put(*key, self.normal(committed))
                self._arrived(key[0])

    def _arrived(self, group_id: str) -> None:
        """A group has offsets."""
        if self._groups.rules.offsets_make_groups:
            self._groups.arrived(group_id)

    def normal(self, committed: Committed) -> Committed:
        """A commit in the form kept in memory: without an expiry that merely follows from the broker's retention."""
        if committed.expire_timestamp is None or self._groups.offset_rules.expiry_from != "commit":
            return committed
        if committed.expire_timestamp == committed.commit_timestamp + self.retention_ms():
            return committed._replace(expire_timestamp=None)
        return committed


def _refusal_of_given(group: Group, generation: GenerationId, identity: Identity) -> ErrorCode:
    if group.is_fenced(identity):
        return ErrorCode.FENCED_INSTANCE_ID
    if identity.member_id and identity.member_id not in group.members:
        return ErrorCode.UNKNOWN_MEMBER_ID
    return ErrorCode.NONE if generation < 0 or generation == group.generation else ErrorCode.ILLEGAL_GENERATION


def utf16_units(text: str) -> int:
    """The length of a text as Java counts it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-be", "surrogatepass")) // 2


COMMIT_ERRORS = {
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_ENOUGH_REPLICAS: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_LEADER_OR_FOLLOWER: ErrorCode.NOT_COORDINATOR,
    ErrorCode.KAFKA_STORAGE_ERROR: ErrorCode.NOT_COORDINATOR,
    ErrorCode.MESSAGE_TOO_LARGE: ErrorCode.INVALID_COMMIT_OFFSET_SIZE,
    ErrorCode.RECORD_LIST_TOO_LARGE: ErrorCode.INVALID_COMMIT_OFFSET_SIZE,
    ErrorCode.INVALID_FETCH_SIZE: ErrorCode.INVALID_COMMIT_OFFSET_SIZE,
}
"""The error for a client whose commit cannot be appended (GroupMetadataManager.storeOffsets)."""
