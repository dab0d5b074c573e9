"""Rights for consumer groups of the new protocol (KIP-848), share groups and streams groups."""

from typing import Any

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Result
from fakekafka.handlers.rights import Guard, Handle
from fakekafka.handlers.rights.parts import (
    GROUP_ERROR,
    NONE,
    TOPIC_ERROR,
    may_group,
    on_group,
    refuse,
    split,
    then,
    topic_refusal,
    with_list,
    words_of,
)
from fakekafka.ids import NO_OFFSET
from fakekafka.security.acl import Operation, ResourceType
from fakekafka.wire.apis.describe_share_group_offsets import (
    DescribeShareGroupOffsetsResponsePartition,
    DescribeShareGroupOffsetsResponseTopic,
)
from fakekafka.wire.apis.share_fetch import ShareFetchResponse
from fakekafka.wire.message import Response

streams_group_heartbeat = on_group(Operation.READ)


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


def _described(answered: str) -> Guard:
    def check(request: Any, call: Call, handle: Handle) -> Result:
        if _is_off(call):
            return handle(request, call)

        def refusal_of(group_id: str) -> ErrorCode:
            return NONE if may_group(call, Operation.DESCRIBE, group_id) else GROUP_ERROR

        def finish(response: Any) -> Response:
            for row in getattr(response, answered) if request.include_authorized_operations else ():
                if row.error_code == NONE:
                    row.authorized_operations = call.operations(ResourceType.GROUP, row.group_id)
            return response  # type: ignore[no-any-return]

        return then(split(request, call, handle, "group_ids", answered, refusal_of), finish)

    return check


consumer_group_describe = share_group_describe = streams_group_describe = _described("groups")


def share_fetch(request: Any, call: Call, handle: Handle) -> Result:
    """Read on the group, Read on each topic. The real broker fails on an unknown topic id."""
    if _is_off(call):
        return handle(request, call)
    if not may_group(call, Operation.READ, request.group_id):
        return refuse(request, call, GROUP_ERROR)
    if any(topic.topic_id not in call.broker.cluster.topics_by_id for topic in request.topics):
        return ShareFetchResponse(error_code=ErrorCode.UNKNOWN_SERVER_ERROR)
    return split(request, call, handle, "topics", "responses", lambda t: topic_refusal(call, Operation.READ, t))


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

    result = split(request, call, handle, "topics", "responses", lambda t: topic_refusal(call, Operation.READ, t))
    return then(result, finish)


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
