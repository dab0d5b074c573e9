"""OffsetCommit, key 8: store the offsets that a group has consumed.

Behaviour: the group's and the members' checks in `coordinators.groups`, one append for all partitions; version 0
writes into ZooKeeper, each partition by itself, or gets 35 if there is no ZooKeeper. The answer waits until all
replicas in sync have the commit (offsets.commit.required.acks, offsets.commit.timeout.ms); until then nobody else
sees the offsets (`coordinators.groups.offsets.awaited`).
Versions: 0 - 10; topic ids from 10 on.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias, assert_never

from fakekafka.aside import aside
from fakekafka.cluster.known_topics import known_partition, known_topic
from fakekafka.coordinators.groups.classic.member import Identity
from fakekafka.coordinators.groups.offsets.commits import Commit, utf16_units
from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.errors import ErrorCode
from fakekafka.handlers.as_map import count_named
from fakekafka.handlers.call import WAIT_ON, Call, Result, Wait, stepwise
from fakekafka.handlers.commits import (
    Asked,
    Results,
    TopicAnswer,
    TopicKey,
    answered,
    answered_as_map,
    each_once,
    flattened,
)
from fakekafka.handlers.forwarding import at_coordinator
from fakekafka.ids import TopicName, Uuid
from fakekafka.pieces import Stepwise
from fakekafka.storage.partition import ALL_IN_SYNC
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitResponse,
    OffsetCommitResponsePartition,
    OffsetCommitResponseTopic,
)

FIRST_WITH_TOPIC_IDS: Final = 10
FIRST_WITH_NOT_FOUND: Final = 9
"""GROUP_ID_NOT_FOUND instead of ILLEGAL_GENERATION (KIP-848)."""
FIRST_IN_TOPIC: Final = 1
TIMED_OUT: Final = {"scala": ErrorCode.REQUEST_TIMED_OUT, "java": ErrorCode.COORDINATOR_NOT_AVAILABLE}
"""The error when the replicas take too long, by coordinator: GroupMetadataManager.storeOffsets,
CoordinatorOperationExceptionHelper."""


Commits: TypeAlias = Sequence[Asked[OffsetCommitRequestPartition]]


@stepwise
def handle(request: OffsetCommitRequest, call: Call) -> Stepwise[Result]:
    """Commit what can be committed: that is one step."""
    call = at_coordinator(call, request.group_id)
    in_zookeeper = call.version < FIRST_IN_TOPIC
    if not in_zookeeper and call.groups.refuses(request.group_instance_id):
        return _refused(request, call)
    size = count_named(request.topics)
    good, answer = yield from aside(lambda: _sorted_out(request, call), size)
    if good and in_zookeeper and call.profile.offsets.version_0 == "error 35":
        return _refused(request, call)
    errors = _store(request, good, call) if good else []
    waits = _until_replicated(request, good, errors, answer, call)
    return (yield from aside(lambda: answer(good, errors), size)) if waits is None else waits


def _sorted_out(request: OffsetCommitRequest, call: Call) -> tuple[Commits, "Answer"]:
    """The partitions that exist, as the release keeps them, and the answer about the others."""
    rules, named = call.profile.offsets, _named(request, call)
    asked = flattened(named)
    if rules.commits_are_map:
        asked = each_once(asked)
    errors = [_missing(one, call) for one in asked]
    bad = [(one, error) for one, error in zip(asked, errors) if error is not ErrorCode.NONE]
    good = [one for one, error in zip(asked, errors) if error is ErrorCode.NONE]
    if not rules.commits_are_list and call.version >= FIRST_IN_TOPIC:
        good = each_once(good)
    absent = [(name, id_) for name, id_, _ in named if known_topic(call.broker, name) is None]
    return good, Answer(asked, absent, bad, call)


class Answer(NamedTuple):
    """The answer as far as it is settled before anything is committed."""

    asked: Commits
    absent: Sequence[TopicKey]
    bad: Results[OffsetCommitRequestPartition]
    call: Call

    def __call__(self, good: Commits, errors: Sequence[ErrorCode]) -> OffsetCommitResponse:
        """The answer, with what became of the partitions that exist."""
        rules, results = self.call.profile.offsets, list(zip(good, errors))
        if rules.commits_are_map:
            return _response(answered_as_map(self.asked, [*self.bad, *results]))
        as_asked = rules.commits_are_list and self.call.version >= FIRST_IN_TOPIC
        return _response(answered(self.absent, self.bad, results, as_asked))


def _until_replicated(
    request: OffsetCommitRequest, good: Commits, errors: Sequence[ErrorCode], answer: Answer, call: Call
) -> Wait | None:
    """The wait until the replicas have what was just written; None if there is nothing to wait for."""
    if call.version < FIRST_IN_TOPIC or ErrorCode.NONE not in errors:
        return None
    group_id = request.group_id
    config, partition = call.broker.config, call.groups.offset_manager.partition_written(group_id)
    if partition is None or config.int("offsets.commit.required.acks", ALL_IN_SYNC) != ALL_IN_SYNC:
        return None
    end = partition.log.log_end_offset
    if partition.high_watermark >= end:
        return None

    def resume(call: Call, expired: bool) -> Result:
        if partition.high_watermark >= end:
            return answer(good, errors)
        if partition.leads and not expired:
            return WAIT_ON
        failed = TIMED_OUT[call.profile.groups.coordinator] if partition.leads else ErrorCode.NOT_COORDINATOR
        call.groups.offset_manager.give_up(partition, end)
        return answer(good, [failed if error is ErrorCode.NONE else error for error in errors])

    return Wait((partition.key,), config.int("offsets.commit.timeout.ms"), resume)


def _named(
    request: OffsetCommitRequest, call: Call
) -> list[tuple[TopicName, Uuid, Sequence[OffsetCommitRequestPartition]]]:
    """The topics of the request, by name if their id is known."""
    by_id = call.broker.cluster.topics_by_id if call.version >= FIRST_WITH_TOPIC_IDS else {}
    return [
        (by_id[t.topic_id].name if t.topic_id in by_id else t.name, t.topic_id, t.partitions) for t in request.topics
    ]


def _missing(asked: Asked[OffsetCommitRequestPartition], call: Call) -> ErrorCode:
    """The error for a missing topic or partition, as far as the release checks."""
    topic = known_topic(call.broker, asked.topic)
    match call.profile.offsets.commit_checks:
        case "nothing":
            if call.version >= FIRST_IN_TOPIC:
                return ErrorCode.NONE
            missing = topic is None
        case "topic":
            missing = topic is None
        case "partition":
            missing = known_partition(call.broker, asked.topic, asked.partition.partition_index) is None
        case checks:
            assert_never(checks)
    if topic is None and call.version >= FIRST_WITH_TOPIC_IDS:
        return ErrorCode.UNKNOWN_TOPIC_ID
    return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION if missing else ErrorCode.NONE


def _store(request: OffsetCommitRequest, asked: Commits, call: Call) -> list[ErrorCode]:
    if call.version < FIRST_IN_TOPIC:
        return [_store_in_zookeeper(request.group_id, a, call) for a in asked]
    absent = ErrorCode.ILLEGAL_GENERATION
    if call.version >= FIRST_WITH_NOT_FOUND and call.profile.groups.coordinator == "java":
        absent = ErrorCode.GROUP_ID_NOT_FOUND
    identity = Identity(request.member_id, request.group_instance_id)
    epoch, offsets = request.generation_id_or_member_epoch, call.groups.offset_manager
    error = offsets.validate_commit(request.group_id, epoch, identity, absent, call.version)
    if error is not ErrorCode.NONE:
        return [error for _ in asked]
    partitions = [(a.topic, a.partition.partition_index) for a in asked]
    stale = offsets.validate_partitions(request.group_id, epoch, request.member_id, partitions)
    if stale is not ErrorCode.NONE:
        return [stale for _ in asked]
    by_id = call.version >= FIRST_WITH_TOPIC_IDS
    commits = [_commit(request, a, call) for a in asked]
    return offsets.store(request.group_id, commits, by_id=by_id)


def _commit(request: OffsetCommitRequest, asked: Asked[OffsetCommitRequestPartition], call: Call) -> Commit:
    p = asked.partition
    time, expiry = call.groups.offset_manager.committed_at(p.commit_timestamp, request.retention_time_ms)
    committed = Committed(p.committed_offset, p.committed_leader_epoch, p.committed_metadata or "", time, expiry)
    return Commit(asked.topic, p.partition_index, committed)


def _store_in_zookeeper(group_id: str, asked: Asked[OffsetCommitRequestPartition], call: Call) -> ErrorCode:
    p = asked.partition
    if utf16_units(p.committed_metadata or "") > call.broker.config.int("offset.metadata.max.bytes"):
        return ErrorCode.OFFSET_METADATA_TOO_LARGE
    if not group_id:  # ZooKeeper has no node without a name (asked of 0.8.2.2)
        return ErrorCode.UNKNOWN_SERVER_ERROR
    call.broker.cluster.zookeeper_offsets.put(group_id, asked.topic, p.partition_index, p.committed_offset)
    return ErrorCode.NONE


def _refused(request: OffsetCommitRequest, call: Call) -> OffsetCommitResponse:
    """The answer to a request that is refused as a whole."""
    call.refused_as_a_whole = True
    refused = ErrorCode.UNSUPPORTED_VERSION
    return _response(
        (topic.name, topic.topic_id, [(one.partition_index, refused) for one in topic.partitions])
        for topic in request.topics
    )


def _response(topics: Iterable[TopicAnswer]) -> OffsetCommitResponse:
    return OffsetCommitResponse(
        topics=[
            OffsetCommitResponseTopic(
                name=name,
                topic_id=topic_id,
                partitions=[OffsetCommitResponsePartition(partition_index=n, error_code=e) for n, e in partitions],
            )
            for name, topic_id, partitions in topics
        ]
    )
