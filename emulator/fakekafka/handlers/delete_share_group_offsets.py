"""DeleteShareGroupOffsets, key 92: forget what a share group without members knows about topics (KIP-932).

Behaviour: `coordinators.groups.share`; error 35 while share groups are off.
Versions: 0.
"""

from typing import Final

from fakekafka.coordinators.groups.share.offsets import delete
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.delete_share_group_offsets import (
    DeleteShareGroupOffsetsRequest,
    DeleteShareGroupOffsetsResponse,
    DeleteShareGroupOffsetsResponseTopic,
)

OFF: Final = "The version of API is not supported."
INVALID_ID: Final = "The group id is invalid."
WORDS: Final = {ErrorCode.NOT_COORDINATOR: "This is not the correct coordinator."}


def words_for(error: ErrorCode) -> str | None:
    """The message beside an error of the coordinator (asked of 4.2.0 and 4.3.1). Other groups' answers have none."""
    return WORDS.get(error)


def handle(request: DeleteShareGroupOffsetsRequest, call: Call) -> DeleteShareGroupOffsetsResponse:
    """Delete a group's offsets of some topics."""
    groups = call.groups.share_groups
    if not groups.is_on:
        return DeleteShareGroupOffsetsResponse(error_code=ErrorCode.UNSUPPORTED_VERSION, error_message=OFF)
    if not request.group_id:
        return DeleteShareGroupOffsetsResponse(error_code=ErrorCode.INVALID_GROUP_ID, error_message=INVALID_ID)
    if not request.topics and groups.rules.deletes_nothing == "at once":
        return DeleteShareGroupOffsetsResponse(error_code=ErrorCode.NONE)
    status = call.groups.status(request.group_id)
    if status is not ErrorCode.NONE:
        return DeleteShareGroupOffsetsResponse(error_code=status, error_message=words_for(status))
    names = [topic.topic_name for topic in request.topics]
    try:
        deleted = delete(groups, request.group_id, names)
    except ApiError as refused:
        return DeleteShareGroupOffsetsResponse(error_code=refused.code, error_message=refused.message)
    return DeleteShareGroupOffsetsResponse(
        error_code=ErrorCode.NONE,
        responses=[
            DeleteShareGroupOffsetsResponseTopic(
                topic_name=name, topic_id=topic.topic_id, error_code=topic.error, error_message=topic.words
            )
            for name, topic in zip(names, deleted)
        ],
    )
