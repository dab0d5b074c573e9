"""OffsetFetch, key 9: read the offsets that a group has committed.

Behaviour: -1 without an error for partitions without a commit; version 0 reads from ZooKeeper and answers 3 for them.
Versions: 0 - 10; all topics by null from 2 on, stable offsets from 7, several groups from 8, topic ids from 10 on.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias, TypeVar

from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.errors import ErrorCode
from fakekafka.handlers.as_map import as_map
from fakekafka.handlers.call import Call, Outcome, Result, stepwise
from fakekafka.handlers.forwarding import at_coordinator
from fakekafka.ids import NO_EPOCH, NO_OFFSET, NO_TIMESTAMP, ZERO_UUID, PartitionIndex, TopicName, Uuid
from fakekafka.pieces import PER_STEP, Stepwise, in_turn
from fakekafka.wire.apis.offset_fetch import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchResponse,
    OffsetFetchResponseGroup,
    OffsetFetchResponsePartition,
    OffsetFetchResponsePartitions,
    OffsetFetchResponseTopic,
    OffsetFetchResponseTopics,
)

FIRST_IN_TOPIC: Final = 1
FIRST_WITH_NULL_TOPICS: Final = 2
"""KIP-88. Error codes of the whole answer came with it."""
FIRST_WITH_SEVERAL_GROUPS: Final = 8
"""KIP-709."""
FIRST_WITH_TOPIC_IDS: Final = 10

P = TypeVar("P", OffsetFetchResponsePartition, OffsetFetchResponsePartitions)
CommittedOrError: TypeAlias = Committed | ErrorCode | None
"""What is committed for a partition, None if nothing is, or the error instead."""


class Asked(NamedTuple):
    """The partitions of one topic."""

    name: TopicName
    topic_id: Uuid
    partitions: Sequence[PartitionIndex]


@stepwise
def handle(request: OffsetFetchRequest, call: Call) -> Stepwise[Result]:
    """Read the offsets of one group, or of several."""
    if call.version >= FIRST_WITH_SEVERAL_GROUPS:
        return (yield from _several(request, call))
    call = at_coordinator(call, request.group_id)
    asked = _asked(request, call)
    error = _status(call, request.group_id)
    if error is not ErrorCode.NONE and call.version >= FIRST_WITH_NULL_TOPICS:
        return OffsetFetchResponse(topics=[], error_code=error)
    if error is not ErrorCode.NONE and call.profile.offsets.old_fetch_refused == "by nothing":
        return OffsetFetchResponse(topics=[])
    topics = _all(call, request.group_id, request.require_stable) if asked is None else asked
    in_zookeeper = call.version < FIRST_IN_TOPIC
    call.refused_as_a_whole = bool(error) or (in_zookeeper and call.profile.offsets.version_0 == "error 35")

    def fetched(topic: Asked) -> OffsetFetchResponseTopic:
        commits = _commits(call, request.group_id, topic, error, request)
        return OffsetFetchResponseTopic(
            name=topic.name, partitions=_answers(OffsetFetchResponsePartition, topic, commits)
        )

    return OffsetFetchResponse(error_code=ErrorCode.NONE, topics=(yield from in_turn(fetched, topics)))


def _several(request: OffsetFetchRequest, call: Call) -> Stepwise[Result]:
    groups = list(request.groups)
    if not groups and call.profile.offsets.no_groups_fetched == "hang":
        return Outcome.HANG
    if call.profile.offsets.same_group_twice == "merged":
        groups = list({group.group_id: group for group in groups}.values())
    return OffsetFetchResponse(groups=(yield from _answered(request, groups, call)))


def _answered(
    request: OffsetFetchRequest, groups: Iterable[OffsetFetchRequestGroup], call: Call
) -> Stepwise[list[OffsetFetchResponseGroup]]:
    """The answer for each group. Those for all offsets of one that is named again and again are the same object."""
    whole: dict[tuple[str, str | None, int], OffsetFetchResponseGroup] = {}
    answers = []
    for group in groups:
        key = (group.group_id, group.member_id, group.member_epoch)
        answer = whole.get(key) if group.topics is None else None
        if answer is None:
            answer = yield from _group(request, group, at_coordinator(call, group.group_id))
        if group.topics is None:
            whole[key] = answer
        answers.append(answer)
        if not len(answers) % PER_STEP:
            yield
    return answers


def _group(
    request: OffsetFetchRequest, group: OffsetFetchRequestGroup, call: Call
) -> Stepwise[OffsetFetchResponseGroup]:
    error = _status(call, group.group_id)
    modern = call.groups.modern_group(group.group_id)
    if modern is not None and error is ErrorCode.NONE:
        error = modern.validate_offset_fetch(group.member_epoch, group.member_id)
    if error is not ErrorCode.NONE:
        return OffsetFetchResponseGroup(group_id=group.group_id, topics=[], error_code=error)
    if group.topics is None:
        asked = _all(call, group.group_id, request.require_stable)
    else:
        asked = _listed(call, (Asked(t.name, t.topic_id, t.partition_indexes) for t in group.topics))

    def fetched(topic: Asked) -> OffsetFetchResponseTopics:
        commits = _commits(call, group.group_id, topic, ErrorCode.NONE, request)
        rows = _answers(OffsetFetchResponsePartitions, topic, commits)
        return OffsetFetchResponseTopics(name=topic.name, topic_id=topic.topic_id, partitions=rows)

    topics = yield from in_turn(fetched, asked)
    return OffsetFetchResponseGroup(group_id=group.group_id, error_code=ErrorCode.NONE, topics=topics)


# ---- what is asked for


def _asked(request: OffsetFetchRequest, call: Call) -> list[Asked] | None:
    """The topics of a request about one group; None: all."""
    if request.topics is None:
        return None
    rules = call.profile.offsets
    named = [Asked(t.name, ZERO_UUID, t.partition_indexes) for t in request.topics]
    without = not any(topic.partitions for topic in named)
    if call.version >= FIRST_IN_TOPIC and without and rules.nothing_asks_for_all:
        return None
    return _listed(call, named)


def _listed(call: Call, asked: Iterable[Asked]) -> list[Asked]:
    """Topics as they are answered: by name, and as the release keeps them."""
    by_id = call.broker.cluster.topics_by_id
    if call.profile.offsets.fetch_kept == "as a map":
        kept = as_map((((topic.name, topic.topic_id), topic.partitions) for topic in asked), lambda index: index)
        asked = [Asked(name, topic_id, partitions) for (name, topic_id), partitions in kept]
    return [topic._replace(name=by_id[topic.topic_id].name) if topic.topic_id in by_id else topic for topic in asked]


def _all(call: Call, group_id: str, stable: bool) -> list[Asked]:
    """Everything that a group has committed. A partition whose only commit is not stable is left out."""
    by_topic: dict[TopicName, list[PartitionIndex]] = {}
    for topic, partition, _ in call.groups.offsets.of_group(group_id):
        by_topic.setdefault(topic, []).append(partition)
    topics = call.broker.cluster.topics
    ids = {name: topics[name].id for name in by_topic if name in topics}
    return [Asked(name, ids.get(name, ZERO_UUID), partitions) for name, partitions in by_topic.items()]


# ---- what is answered


def _status(call: Call, group_id: str) -> ErrorCode:
    return ErrorCode.NONE if call.version < FIRST_IN_TOPIC else call.groups.status(group_id)


def _commits(
    call: Call, group_id: str, topic: Asked, error: ErrorCode, request: OffsetFetchRequest
) -> "Sequence[CommittedOrError]":
    """What is known about the partitions of a topic."""
    if error is not ErrorCode.NONE:
        return [error for _ in topic.partitions]
    if call.version < FIRST_IN_TOPIC:
        return [_in_zookeeper(call, group_id, topic.name, partition) for partition in topic.partitions]
    if call.version >= FIRST_WITH_TOPIC_IDS and not topic.name:
        return [ErrorCode.UNKNOWN_TOPIC_ID for _ in topic.partitions]
    groups = call.groups
    commits: list[CommittedOrError] = list(groups.offsets.of_topic(group_id, topic.name, topic.partitions))
    if request.require_stable and groups.pending:
        for n, partition in enumerate(topic.partitions):
            if groups.pending.has(group_id, topic.name, partition):
                commits[n] = ErrorCode.UNSTABLE_OFFSET_COMMIT
    missing = call.profile.offsets.unknown_partition_fetched
    if missing is not ErrorCode.NONE:
        known = call.broker.cluster.topics.get(topic.name)
        for n, partition in enumerate(topic.partitions):
            if known is None or known.partition(partition) is None:
                commits[n] = missing
    return commits


def _in_zookeeper(call: Call, group_id: str, name: TopicName, partition: PartitionIndex) -> Committed | ErrorCode:
    if call.profile.offsets.version_0 == "error 35":
        return ErrorCode.UNSUPPORTED_VERSION
    cluster = call.broker.cluster
    topic = cluster.topics.get(name)
    checks = call.profile.offsets.checks_partition
    is_there = topic is not None and not (checks and topic.partition(partition) is None)
    if is_there and not group_id:  # ZooKeeper has no node without a name (KafkaApis.handleOffsetFetchRequest)
        return ErrorCode.UNKNOWN_SERVER_ERROR
    offset = cluster.zookeeper_offsets.get(group_id, name, partition) if is_there else None
    return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION if offset is None else Committed(offset, NO_EPOCH, "", NO_TIMESTAMP)


def _answers(kind: type[P], topic: Asked, commits: "Sequence[CommittedOrError]") -> list[P]:
    """A thousand partitions are not unusual here, so answers are built without checking field names; fields that are
    not given have their default.
    """
    answers: list[P] = []
    new = object.__new__  # what `Struct.fast` does, without a call for each
    for partition, one in zip(topic.partitions, commits):
        if one is None:
            answer = kind(partition_index=partition, committed_offset=NO_OFFSET)
        elif isinstance(one, ErrorCode):
            answer = kind(partition_index=partition, committed_offset=NO_OFFSET, error_code=one)
        else:
            offset, epoch, metadata, _, _ = one
            answer = new(kind)
            answer.__dict__ = {"partition_index": partition, "committed_offset": offset}
            if metadata or epoch != NO_EPOCH:
                answer.metadata, answer.committed_leader_epoch = metadata, epoch
        answers.append(answer)
    return answers
