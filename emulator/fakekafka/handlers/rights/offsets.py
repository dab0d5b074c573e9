"""Rights for offsets of groups."""

from typing import Any, Final

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Result
from fakekafka.handlers.rights import Handle
from fakekafka.handlers.rights.parts import (
    GROUP_ERROR,
    NONE,
    TRANSACTION_ERROR,
    may_group,
    may_transact,
    name_of,
    refuse,
    refused_rows,
    sees_topic,
    split,
    then,
    topic_refusal,
    with_list,
)
from fakekafka.ids import NO_OFFSET
from fakekafka.security.acl import Operation
from fakekafka.wire.apis.offset_fetch import OffsetFetchResponse, OffsetFetchResponseGroup
from fakekafka.wire.message import Response

FIRST_WITH_GROUP_ERROR: Final = 2
FIRST_WITH_SEVERAL_GROUPS: Final = 8


def offset_commit(request: Any, call: Call, handle: Handle) -> Result:
    """Read on the group, then on each topic."""
    if not may_group(call, Operation.READ, request.group_id):
        return refuse(request, call, GROUP_ERROR)
    return _committed(request, call, handle)


def txn_offset_commit(request: Any, call: Call, handle: Handle) -> Result:
    """Write on the transactional id, Read on the group, then Read on each topic."""
    if not may_transact(call, Operation.WRITE, request.transactional_id):
        return refuse(request, call, TRANSACTION_ERROR)
    if not may_group(call, Operation.READ, request.group_id):
        return refuse(request, call, GROUP_ERROR)
    return _committed(request, call, handle)


def _committed(request: Any, call: Call, handle: Handle) -> Result:
    known = call.broker.cluster.topics

    def refusal_of(topic: Any) -> ErrorCode:
        name = name_of(call, topic)
        if call.profile.authorization.unknown_topics_first and name not in known:
            return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        return topic_refusal(call, Operation.READ, topic)

    return split(request, call, handle, "topics", "topics", refusal_of)


def offset_delete(request: Any, call: Call, handle: Handle) -> Result:
    """Delete on the group, then Read on each topic."""
    if not may_group(call, Operation.DELETE, request.group_id):
        return refuse(request, call, GROUP_ERROR)
    return split(request, call, handle, "topics", "topics", lambda t: topic_refusal(call, Operation.READ, t))


# ---- OffsetFetch


def offset_fetch(request: Any, call: Call, handle: Handle) -> Result:
    """A right on each group, then Describe on each topic; all topics are those that may be described."""
    if call.version >= FIRST_WITH_SEVERAL_GROUPS:
        return _several(request, call, handle)
    if not _may_fetch(call, request.group_id):
        return _refused_group(request, call)
    return _fetched(request, call, handle)


def _may_fetch(call: Call, group_id: str) -> bool:
    needed = Operation(call.profile.authorization.offset_fetch_needs)
    return may_group(call, needed, group_id)


def _refused_group(request: Any, call: Call) -> OffsetFetchResponse:
    if call.profile.authorization.refused_offset_fetch_is_answer_0:
        call.correlation_id = 0
    if call.version >= FIRST_WITH_GROUP_ERROR:
        return OffsetFetchResponse(error_code=GROUP_ERROR, topics=[])
    rules = call.profile.offsets
    if rules.old_fetch_refused == "by nothing" and call.version:
        return OffsetFetchResponse(topics=[])
    call.refused_as_a_whole = True
    topics = refused_rows(OffsetFetchResponse, "topics", [(t, GROUP_ERROR) for t in request.topics], call)
    for topic in topics:
        _without_offsets(topic)
    return OffsetFetchResponse(topics=topics)


def _without_offsets(topic: Any) -> None:
    for partition in topic.partitions:
        partition.committed_offset, partition.metadata = NO_OFFSET, ""


def _fetched(request: Any, call: Call, handle: Handle) -> Result:
    if not call.version and call.profile.offsets.version_0 == "error 35":
        return handle(request, call)
    if request.topics is None:
        return then(handle(request, call), lambda response: _only_seen(response, call))
    return split(
        request,
        call,
        handle,
        "topics",
        "topics",
        lambda topic: call.topic_refusal(Operation.DESCRIBE, topic.name),  # whether it exists does not count
        refused_row=_without_offsets,
    )


def _only_seen(response: Any, call: Call) -> Response:
    """The topics that the client may describe."""
    response.topics = [t for t in response.topics if sees_topic(call, name_of(call, t) or "")]
    return response  # type: ignore[no-any-return]


def _several(request: Any, call: Call, handle: Handle) -> Result:
    asked, refused = {}, {}
    for group in request.groups:
        if _may_fetch(call, group.group_id):
            asked[group.group_id] = group
        else:
            refused[group.group_id] = OffsetFetchResponseGroup(
                group_id=group.group_id, topics=[], error_code=GROUP_ERROR
            )
    forbidden = {name: _forbidden(call, group) for name, group in asked.items()}
    reduced = [
        group
        if group.topics is None
        else with_list(group, "topics", [t for t in group.topics if t not in forbidden[n]])
        for n, group in asked.items()
    ]

    def finish(response: Any) -> Response:
        for group in response.groups:
            if asked[group.group_id].topics is None:
                _only_seen(group, call)
            elif not group.error_code:
                errors = [(t, topic_refusal(call, Operation.DESCRIBE, t)) for t in forbidden[group.group_id]]
                rows = refused_rows(OffsetFetchResponseGroup, "topics", errors, call)
                for row in rows:
                    _without_offsets(row)
                group.topics = [*rows, *group.topics]
        response.groups = [*refused.values(), *response.groups]
        return response  # type: ignore[no-any-return]

    if not asked:
        return OffsetFetchResponse(groups=list(refused.values()))
    return then(handle(with_list(request, "groups", reduced), call), finish)


def _forbidden(call: Call, group: Any) -> list[Any]:
    return [topic for topic in group.topics or () if topic_refusal(call, Operation.DESCRIBE, topic) is not NONE]
