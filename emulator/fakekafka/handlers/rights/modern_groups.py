"""Rights for consumer groups of the new protocol (KIP-848), share groups and streams groups."""

from collections.abc import Callable, Iterable
from typing import Any

from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call, Result
from fakekafka.handlers.rights import Guard, Handle
from fakekafka.handlers.rights.parts import (
    GROUP_ERROR,
    NONE,
    TOPIC_ERROR,
    may_group,
    refuse,
    split,
    then,
    topic_refusal,
    with_list,
    words_of,
)
from fakekafka.handlers.share_fetch import begin
from fakekafka.handlers.streams_topologies import check_topics, topic_names
from fakekafka.ids import NO_OFFSET
from fakekafka.security.acl import Operation, ResourceType
from fakekafka.wire.apis.describe_share_group_offsets import (
    DescribeShareGroupOffsetsResponsePartition,
    DescribeShareGroupOffsetsResponseTopic,
)
from fakekafka.wire.apis.share_fetch import ShareFetchResponse
from fakekafka.wire.message import Response


def _is_off(call: Call) -> bool:
    """Whether the release serves no groups of the API's kind, which is answered before anything else."""
    groups = call.groups
    kind = call.key.name.partition("_")[0]
    if kind == "CONSUMER":
        return not groups.consumer_groups.is_on
    return not (groups.streams_groups.is_on if kind == "STREAMS" else groups.share_groups.is_on)


def consumer_group_heartbeat(request: Any, call: Call, handle: Handle) -> Result:
    """Read on the group, Describe on every topic subscribed to."""
    if _is_off(call):
        return handle(request, call)
    if not may_group(call, Operation.READ, request.group_id):
        return refuse(request, call, GROUP_ERROR)
    topics = request.subscribed_topic_names or ()
    if not all(call.authorized(Operation.DESCRIBE, ResourceType.TOPIC, name) for name in topics):
        return refuse(request, call, TOPIC_ERROR)
    return handle(request, call)


share_group_heartbeat = consumer_group_heartbeat


def streams_group_heartbeat(request: Any, call: Call, handle: Handle) -> Result:
    """Read on the group, Describe on every topic of the topology. Illegal topologies are refused by the handler."""
    if _is_off(call):
        return handle(request, call)
    if not may_group(call, Operation.READ, request.group_id):
        return refuse(request, call, GROUP_ERROR)
    try:
        check_topics(request.topology, call)
    except ApiError:
        return handle(request, call)
    if not all(call.authorized(Operation.DESCRIBE, ResourceType.TOPIC, name) for name in topic_names(request.topology)):
        return refuse(request, call, TOPIC_ERROR)
    return handle(request, call)


def _topics_of_members(row: Any) -> set[str]:
    """The topics that a described group has assigned, or will assign."""
    assigned = (getattr(member, name, None) for member in row.members for name in ("assignment", "target_assignment"))
    return {part.topic_name for one in assigned if one is not None for part in one.topic_partitions}


def _topics_of_topology(row: Any) -> set[str]:
    return set(topic_names(row.topology))


def _described(topics_of: Callable[[Any], Iterable[str]], words: str) -> Guard:
    """Describe on each group, and on all of its topics; otherwise the group is answered with `words` alone."""

    def visible(row: Any, call: Call) -> Any:
        names = sorted(topics_of(row)) if row.error_code == NONE and call.profile.authorization.describes_topics else ()
        if all(call.authorized(Operation.DESCRIBE, ResourceType.TOPIC, name) for name in names):
            return row
        return type(row)(group_id=row.group_id, error_code=TOPIC_ERROR, error_message=words)

    def check(request: Any, call: Call, handle: Handle) -> Result:
        if _is_off(call):
            call.refused_as_a_whole = True
            return handle(request, call)

        def refusal_of(group_id: str) -> ErrorCode:
            return NONE if may_group(call, Operation.DESCRIBE, group_id) else GROUP_ERROR

        def finish(response: Any) -> Response:
            response.groups = [visible(row, call) for row in response.groups]
            for row in response.groups if request.include_authorized_operations else ():
                if row.error_code == NONE:
                    row.authorized_operations = call.operations(ResourceType.GROUP, row.group_id)
            return response  # type: ignore[no-any-return]

        return then(split(request, call, handle, "group_ids", "groups", refusal_of), finish)

    return check


consumer_group_describe = share_group_describe = _described(
    _topics_of_members, "The group has described topic(s) that the client is not authorized to describe."
)
streams_group_describe = _described(
    _topics_of_topology, "The described group uses topics that the client is not authorized to describe."
)


def share_fetch(request: Any, call: Call, handle: Handle) -> Result:
    """Read on the group, Read on each topic. The real broker fails on an unknown topic id, once it has the session."""
    if _is_off(call):
        return handle(request, call)
    if not may_group(call, Operation.READ, request.group_id):
        return refuse(request, call, GROUP_ERROR)
    if any(topic.topic_id not in call.broker.cluster.topics_by_id for topic in request.topics):
        try:
            begin(request, call)
        except ApiError as refused:
            return ShareFetchResponse(error_code=refused.code, error_message=refused.message)
        return ShareFetchResponse(error_code=ErrorCode.UNKNOWN_SERVER_ERROR)
    return _of_readable_topics(request, call, handle)


def share_acknowledge(request: Any, call: Call, handle: Handle) -> Result:
    """Read on the group, Read on each topic."""
    if _is_off(call):
        return handle(request, call)
    if not may_group(call, Operation.READ, request.group_id):
        return refuse(request, call, GROUP_ERROR)

    def finish(response: Any) -> Response:
        if not response.error_code:
            response.acquisition_lock_timeout_ms = call.share.partitions.lock_ms(request.group_id)
        return response  # type: ignore[no-any-return]

    return then(_of_readable_topics(request, call, handle), finish)


def _of_readable_topics(request: Any, call: Call, handle: Handle) -> Result:
    """Refuse the topics that may not be read. The session goes on even if none may be read."""

    def refusal_of(topic: Any) -> ErrorCode:
        return topic_refusal(call, Operation.READ, topic)

    return split(request, call, handle, "topics", "responses", refusal_of, asks_anyway=True)


def describe_share_group_offsets(request: Any, call: Call, handle: Handle) -> Result:
    """Describe on each group, and on each topic."""
    if _is_off(call):
        return handle(request, call)

    def refusal_of(group: Any) -> ErrorCode:
        return NONE if may_group(call, Operation.DESCRIBE, group.group_id) else GROUP_ERROR

    def without_words(row: Any) -> None:
        row.error_message = None

    forbidden: dict[str, list[Any]] = {}
    seen = []
    for group in request.groups:
        topics = [t for t in group.topics or () if not call.sees(ResourceType.TOPIC, t.topic_name)]
        forbidden[group.group_id] = topics
        kept = None if group.topics is None else [t for t in group.topics if t not in topics]
        seen.append(with_list(group, "topics", kept) if topics else group)

    def finish(response: Any) -> Response:
        for row in response.groups:
            if row.error_code:
                continue
            row.topics = [t for t in row.topics if call.sees(ResourceType.TOPIC, t.topic_name)]
            row.topics += [_forbidden_topic(call, topic) for topic in forbidden[row.group_id]]
        return response  # type: ignore[no-any-return]

    asked = with_list(request, "groups", seen)
    return then(split(asked, call, handle, "groups", "groups", refusal_of, refused_row=without_words), finish)


def _forbidden_topic(call: Call, topic: Any) -> DescribeShareGroupOffsetsResponseTopic:
    words = words_of(call, TOPIC_ERROR)
    return DescribeShareGroupOffsetsResponseTopic(
        topic_name=topic.topic_name,
        partitions=[
            DescribeShareGroupOffsetsResponsePartition(
                partition_index=index, start_offset=NO_OFFSET, error_code=TOPIC_ERROR, error_message=words
            )
            for index in topic.partitions
        ],
    )


def _changed_offsets(operation: Operation) -> Guard:
    """A right on the group, Read on each topic."""

    def check(request: Any, call: Call, handle: Handle) -> Result:
        if _is_off(call):
            return handle(request, call)
        if not may_group(call, operation, request.group_id):
            return refuse(request, call, GROUP_ERROR)

        def refusal_of(topic: Any) -> ErrorCode:
            return call.topic_refusal(Operation.READ, topic.topic_name)

        return split(request, call, handle, "topics", "responses", refusal_of, asks_anyway=True)

    return check


alter_share_group_offsets = _changed_offsets(Operation.READ)
delete_share_group_offsets = _changed_offsets(Operation.DELETE)
