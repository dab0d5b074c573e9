"""OffsetCommit: who may commit into a group, and how commits are written down.

A commit is one append: all its partitions, or none, and they show together. Commits of a transaction stay pending
until its marker comes (`pending_offsets`).
"""

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from fakekafka.cluster.internal_topics import Producer
from fakekafka.coordinators.groups.classic.group import Group
from fakekafka.coordinators.groups.classic.map_order import committed_order
from fakekafka.coordinators.groups.classic.membership import Identity, refusal_of
from fakekafka.coordinators.groups.classic.rebalance import keep_alive
from fakekafka.coordinators.groups.classic.states import State
from fakekafka.coordinators.groups.consumer import commits as consumer_commits
from fakekafka.coordinators.groups.offsets import Committed
from fakekafka.coordinators.groups.records import offset_key, offset_value
from fakekafka.coordinators.groups.streams import commits as streams_commits
from fakekafka.errors import ErrorCode
from fakekafka.ids import (
    NO_PRODUCER_ID,
    ZERO_UUID,
    DurationMs,
    GenerationId,
    PartitionIndex,
    ProducerId,
    TimestampMs,
    TopicName,
    Uuid,
)

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.coordinator import GroupCoordinator

NOT_GIVEN = -1
PLACE = itemgetter(0, 1)
"""Topic and partition of a commit: in this order they are packed best."""
OFFSETS = Producer(sequence=0)
"""Commits outside of transactions have a sequence number all the same."""


class Commit(NamedTuple):
    """What a client commits for one partition."""

    topic: TopicName
    partition: PartitionIndex
    committed: Committed


def refusal_of_commit(
    on: "GroupCoordinator", group_id: str, generation: GenerationId, who: Identity, absent: ErrorCode, version: int
) -> ErrorCode:
    """What is wrong with a commit whatever its partitions are; a good one is a sign of life of its member.

    `absent`: the error for a generation of a group that does not exist. `version`: of the request.
    """
    status = on.status(group_id)
    if status is not ErrorCode.NONE or on.offset_rules.generation_of_unknown_group is ErrorCode.NONE:
        return status  # 0.8.2 has no groups that it could ask
    if group_id in on.share_groups.groups:
        return ErrorCode.GROUP_ID_NOT_FOUND
    modern = on.consumer_groups.groups.get(group_id)
    if modern is not None:
        return consumer_commits.refusal_of_commit(on.consumer_groups, modern, generation, who.member_id, version)
    streams = on.streams_groups.groups.get(group_id)
    if streams is not None:
        return streams_commits.refusal_of_commit(streams, generation, who.member_id, version)
    group = on.group(group_id)
    if group is None:
        if generation >= 0:
            return absent
        group = on.new_group(group_id)
    if not on.rules.offsets_make_groups and not group.members:
        return ErrorCode.NONE if generation < 0 else ErrorCode.ILLEGAL_GENERATION
    error = _refusal(on, group, generation, who)
    if error is ErrorCode.NONE and on.offset_rules.commit_keeps_session and who.member_id in group.members:
        keep_alive(on, group, group.members[who.member_id])
    return error


def _refusal(on: "GroupCoordinator", group: Group, generation: GenerationId, who: Identity) -> ErrorCode:
    rules = on.offset_rules
    is_named = bool(who.member_id) or who.instance_id is not None
    keeps_offsets_only = generation < 0 and group.state is State.EMPTY
    if keeps_offsets_only and (not is_named or rules.simple_commit_with_member is ErrorCode.NONE):
        return ErrorCode.NONE
    fenced = who.instance_id is not None and group.static_ids.get(who.instance_id, who.member_id) != who.member_id
    if fenced:
        return ErrorCode.FENCED_INSTANCE_ID
    awaiting_sync = group.state is State.COMPLETING_REBALANCE
    if awaiting_sync and rules.old_generation_awaiting_sync is ErrorCode.REBALANCE_IN_PROGRESS:
        return ErrorCode.REBALANCE_IN_PROGRESS
    error = refusal_of(on, group, who)
    if error is not ErrorCode.NONE:
        return error
    if generation != group.generation:
        return ErrorCode.ILLEGAL_GENERATION
    return ErrorCode.REBALANCE_IN_PROGRESS if awaiting_sync else ErrorCode.NONE


def refusal_of_places(
    on: "GroupCoordinator",
    group_id: str,
    epoch: int,
    member_id: str,
    places: Iterable[tuple[TopicName, PartitionIndex]],
) -> ErrorCode:
    """Is there a partition that the member did not have in the epoch that it names (KIP-1251)? One spoils the whole
    commit."""
    modern, streams = on.consumer_groups.groups.get(group_id), on.streams_groups.groups.get(group_id)
    for place in places:
        error = ErrorCode.NONE
        if modern is not None:
            error = consumer_commits.refusal_of_partition(on.consumer_groups, modern, epoch, member_id, *place)
        elif streams is not None:
            error = streams_commits.refusal_of_partition(streams, epoch, member_id, *place)
        if error is not ErrorCode.NONE:
            return error
    return ErrorCode.NONE


def status_of_txn_commit(on: "GroupCoordinator", group_id: str) -> ErrorCode:
    """May a transaction commit into the group here?"""
    if not group_id and on.rules.empty_group_id is ErrorCode.INVALID_GROUP_ID:
        return ErrorCode.INVALID_GROUP_ID
    return on.status(group_id)


def refusal_of_txn_commit(on: "GroupCoordinator", group_id: str, generation: GenerationId, who: Identity) -> ErrorCode:
    """The same for TxnOffsetCommit, once `status_of_txn_commit` allows it. It makes the group.

    Old clients do not say who they are (KIP-447).
    """
    if group_id in on.share_groups.groups:
        return ErrorCode.GROUP_ID_NOT_FOUND
    modern = on.consumer_groups.groups.get(group_id)
    if modern is not None:
        return consumer_commits.refusal_of_txn_commit(modern, generation, who.member_id, who.instance_id)
    streams = on.streams_groups.groups.get(group_id)
    if streams is not None:
        return streams_commits.refusal_of_txn_commit(streams, generation, who.member_id, who.instance_id)
    group = on.group(group_id)
    if group is None:
        if generation >= 0 and on.rules.coordinator == "java":
            return ErrorCode.ILLEGAL_GENERATION
        group = on.groups[group_id] = on.new_group(group_id)
    rule = on.broker.profile.transactions.commit_membership
    if rule == "not checked":
        return ErrorCode.NONE
    if rule == "what is given":
        return _refusal_of_given(group, generation, who)
    return _refusal_of_all(on, group, generation, who)


def _refusal_of_given(group: Group, generation: GenerationId, who: Identity) -> ErrorCode:
    if who.instance_id is not None and group.static_ids.get(who.instance_id, who.member_id) != who.member_id:
        return ErrorCode.FENCED_INSTANCE_ID
    if who.member_id and who.member_id not in group.members:
        return ErrorCode.UNKNOWN_MEMBER_ID
    return ErrorCode.NONE if generation < 0 or generation == group.generation else ErrorCode.ILLEGAL_GENERATION


def _refusal_of_all(on: "GroupCoordinator", group: Group, generation: GenerationId, who: Identity) -> ErrorCode:
    is_named = bool(who.member_id) or who.instance_id is not None
    if generation < 0 and not is_named:
        return ErrorCode.NONE
    if generation < 0 and group.state is State.EMPTY and on.offset_rules.simple_commit_with_member is ErrorCode.NONE:
        return ErrorCode.NONE
    error = refusal_of(on, group, who)
    return error or (ErrorCode.NONE if generation == group.generation else ErrorCode.ILLEGAL_GENERATION)


# ---- times


def committed_at(
    on: "GroupCoordinator", timestamp: TimestampMs, retention_ms: DurationMs
) -> tuple[TimestampMs, TimestampMs | None]:
    """Commit and expiry timestamps of a commit now. `timestamp`, `retention_ms`: as the request says, -1 if not.

    An expiry of None follows the broker's retention.
    """
    now = on.now
    if on.offset_rules.expiry_from == "empty group":
        expiry = None if retention_ms == NOT_GIVEN else now + retention_ms
        return (now if timestamp == NOT_GIVEN else timestamp), expiry
    if on.offset_rules.value_version == 0:
        return (now if timestamp == NOT_GIVEN else timestamp), None
    kept = retention_of(on) if retention_ms == NOT_GIVEN else retention_ms
    return now, kept + (now if timestamp == NOT_GIVEN else timestamp)


def retention_of(on: "GroupCoordinator") -> DurationMs:
    """offsets.retention.minutes."""
    seconds = on.config.int("offsets.retention.minutes") * 60
    if on.offset_rules.retention_overflows:
        seconds = (seconds + 2**31) % 2**32 - 2**31
    return seconds * 1000


# ---- writing


def store_offsets(
    on: "GroupCoordinator",
    group_id: str,
    commits: Sequence[Commit],
    producer: Producer = OFFSETS,
    *,
    by_id: bool = False,
) -> list[ErrorCode]:
    """Write commits down and let them count. An error for each; metadata that is too long spoils only its own.

    `producer`: they are part of its open transaction. `by_id`: the request names the topics by their ids.
    """
    limit = on.config.int("offset.metadata.max.bytes")
    fits = [utf16_units(c.committed.metadata) <= limit for c in commits]
    accepted = [commit for commit, fit in zip(commits, fits) if fit]
    error = ErrorCode.NONE
    if accepted:
        error = _append(on, group_id, _ordered(on, accepted), producer, by_id)
    elif on.rules.offsets_make_groups and not on.knows(group_id):
        on.groups[group_id] = on.new_group(group_id)  # real coordinators make the group before they look at this
    if error is ErrorCode.NONE and on.offset_rules.long_metadata == "remembered":
        for c, fit in zip(commits, fits):
            if not fit:
                on.offsets.put(group_id, *c)
    return [error if fit else ErrorCode.OFFSET_METADATA_TOO_LARGE for fit in fits]


def _ordered(on: "GroupCoordinator", commits: Sequence[Commit]) -> Sequence[Commit]:
    """Commits in the order of their records. What goes through a map is there once, as it was said last."""
    order = on.offset_rules.map_order
    if order == "request":
        return commits
    by_place = {(commit.topic, commit.partition): commit for commit in commits}
    return [by_place[place] for place in committed_order(by_place, order)]


def _append(
    on: "GroupCoordinator",
    group_id: str,
    commits: Sequence[Commit],
    producer: Producer,
    by_id: bool,
) -> ErrorCode:
    key_type, versions = on.offset_rules.key_version, on.values
    ids: dict[TopicName, Uuid] = {}
    with_ids = on.offset_rules.topic_ids_written
    if (with_ids == "always" or (with_ids == "asked by id" and by_id)) and producer.id == NO_PRODUCER_ID:
        ids = {name: topic.id for name in {c.topic for c in commits} if (topic := on.cluster.topics.get(name))}
    records: list[tuple[bytes, bytes | None]] = [
        (offset_key(key_type, group_id, topic, partition), offset_value(versions, committed, ids.get(topic, ZERO_UUID)))
        for topic, partition, committed in commits
    ]
    if on.commit_log is not None and producer.id == NO_PRODUCER_ID:
        done = on.commit_log.append(group_id, commits)
    else:
        done = on.append(group_id, records, producer)
    if done.error is not ErrorCode.NONE:
        return COMMIT_ERRORS.get(done.error, done.error)
    for name, partition, committed in sorted(commits, key=PLACE):
        key = group_id, name, partition
        if producer.id != NO_PRODUCER_ID:
            on.pending.add(producer.id, key, done.base_offset, committed)
        else:
            if on.pending:
                on.pending.supersede(key, done.base_offset)
            on.offsets.put(*key, normal(on, committed))
    return ErrorCode.NONE


def complete_transaction(on: "GroupCoordinator", index: PartitionIndex, producer_id: ProducerId, commits: bool) -> None:
    """A marker was written into partition `index` of the offsets topic: what `producer_id` has pending there counts, or
    is dropped."""
    groups = {group for group in on.pending.groups() if on.partition_of(group) == index}
    for key, at, committed in on.pending.complete(producer_id, groups):
        if commits:
            on.pending.supersede(key, at)
            on.offsets.put(*key, normal(on, committed))


def normal(on: "GroupCoordinator", committed: Committed) -> Committed:
    """A commit as it is kept in memory: without an expiry that the broker's retention says, too."""
    if committed.expire_timestamp is None or on.offset_rules.expiry_from != "commit":
        return committed
    if committed.expire_timestamp == committed.commit_timestamp + retention_of(on):
        return committed._replace(expire_timestamp=None)
    return committed


def utf16_units(text: str) -> int:
    """Length of a text as Java counts it."""
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
"""What a client hears when its commit cannot be appended (GroupMetadataManager.storeOffsets)."""
