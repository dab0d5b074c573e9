"""Rights for topics: seeing, creating, deleting and enlarging them."""

from typing import Any, Final

from fakekafka.coordinators.hash_order import grown_map_order
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Result
from fakekafka.handlers.describe_topic_partitions import continues
from fakekafka.handlers.rights import Handle
from fakekafka.handlers.rights.parts import (
    CLUSTER_ERROR,
    NONE,
    TOPIC_ERROR,
    by_topic,
    name_of,
    refuse,
    sees_topic,
    split,
    then,
    topic_refusal,
    with_list,
)
from fakekafka.ids import ZERO_UUID
from fakekafka.security.acl import CLUSTER_NAME, Operation, ResourceType
from fakekafka.wire.apis.describe_topic_partitions import DescribeTopicPartitionsResponse, TopicRequest
from fakekafka.wire.apis.metadata import MetadataResponseTopic
from fakekafka.wire.message import Response

create_partitions = by_topic("topics", "results", Operation.ALTER)
FIRST_OF_KIP_4: Final = 1
"""The first version of Metadata in which an empty list asks for no topics; before, it asked for all."""
FIRST_WITH_DETAILS: Final = 5
"""From this version on, CreateTopics answers with the configs of the new topics."""
FIRST_WITH_CHOICE: Final = 4
"""From this version on, a Metadata request says whether topics may be created."""
NOT_TOLD: Final = -1


# ---- Metadata


def metadata(request: Any, call: Call, handle: Handle) -> Result:
    """Describe on each topic; missing topics are created only for clients that may create them."""
    asked = None if request.topics is None or (call.version < FIRST_OF_KIP_4 and not request.topics) else request.topics
    if asked is None:
        return then(handle(request, call), lambda response: _finished(_all_seen(response, call), request, call))
    once = {(topic.name, topic.topic_id): topic for topic in asked}  # real brokers keep them in a set
    request = with_list(request, "topics", list(once.values()))

    def refusal_of(topic: Any) -> ErrorCode:
        name = name_of(call, topic)
        return NONE if name is None else _metadata_refusal(name, request, call)

    def complete(row: Any) -> None:
        # If the client may not see the topic, the answer does not tell even this. Asked of 2.4.1 to 4.3.1.
        is_known = sees_topic(call, row.name or "")
        row.is_internal = is_known and row.name in call.profile.metadata.internal_topics
        row.topic_authorized_operations = call.profile.metadata.operations_not_asked_for
        if row.topic_id != ZERO_UUID:
            row.name, row.is_internal = None, False

    def ask(request: Any, call: Call) -> Result:
        """Ask the handler, which takes an empty list in version 0 for all topics."""
        result = handle(request, call)
        return result if request.topics else then(result, lambda response: with_list(response, "topics", []))

    result = split(request, call, ask, "topics", "topics", refusal_of, refused_row=complete, asks_anyway=True)
    return then(result, lambda response: _finished(response, request, call))


def _metadata_refusal(name: str, request: Any, call: Call) -> ErrorCode:
    error = call.topic_refusal(Operation.DESCRIBE, name)
    creates = call.version < FIRST_WITH_CHOICE or request.allow_auto_topic_creation
    automatic = call.broker.config.bool("auto.create.topics.enable")
    if error or name in call.broker.cluster.topics or not (creates and automatic):
        return error
    if call.authorized_on_cluster(Operation.CREATE):
        return NONE
    on_topic = call.profile.authorization.create_on_topic
    allowed = on_topic and call.authorized(Operation.CREATE, ResourceType.TOPIC, name)
    return NONE if allowed else TOPIC_ERROR


def _all_seen(response: Any, call: Call) -> Any:
    """The topics that the client may describe; one release also names the others."""
    sees = [sees_topic(call, row.name) for row in response.topics]
    hidden = [row for row, seen in zip(response.topics, sees) if not seen]
    response.topics = [row for row, seen in zip(response.topics, sees) if seen]
    if call.profile.authorization.lists_forbidden_topics:
        for row in hidden:
            internal = row.name in call.profile.metadata.internal_topics
            shown = MetadataResponseTopic(error_code=TOPIC_ERROR, name=row.name, is_internal=internal, partitions=[])
            response.topics.append(shown)
    return response


def _finished(response: Any, request: Any, call: Call) -> Response:
    """The answer with the authorized operations, if the client asks for them."""
    if request.include_cluster_authorized_operations:
        may = call.would_allow_on_cluster(Operation.DESCRIBE)
        response.cluster_authorized_operations = call.operations(ResourceType.CLUSTER, CLUSTER_NAME) if may else 0
    if request.include_topic_authorized_operations:
        for row in response.topics:
            if row.error_code == NONE:
                row.topic_authorized_operations = call.operations(ResourceType.TOPIC, row.name)
    return response  # type: ignore[no-any-return]


def describe_topic_partitions(request: Any, call: Call, handle: Handle) -> Result:
    """Describe on each topic from the cursor on; the cursor is checked first, and may be at a topic that is refused.
    Refused topics come last, as in a map of their names. Asked of 3.9.1 and 4.3.1; recorded from 3.9.1 to 4.3.1:
    cursor_rights.
    """
    if not continues(request):
        return handle(request, call)

    def finish(response: Any) -> Response:
        for row in response.topics:
            if row.error_code != TOPIC_ERROR:
                row.topic_authorized_operations = call.operations(ResourceType.TOPIC, row.name)
        forbidden = {row.name: row for row in response.topics if row.error_code == TOPIC_ERROR}
        if response.next_cursor is not None and not call.profile.authorization.hidden_behind_cursor:
            end = response.next_cursor.topic_name
            forbidden = {name: row for name, row in forbidden.items() if name < end}
        shown = [row for row in response.topics if row.error_code != TOPIC_ERROR]
        response.topics = shown + [forbidden[name] for name in grown_map_order(sorted(forbidden))]
        return response  # type: ignore[no-any-return]

    def refusal_of(topic: Any) -> ErrorCode:
        return topic_refusal(call, Operation.DESCRIBE, topic)

    cursor = request.cursor
    first = "" if cursor is None else cursor.topic_name
    asked = [topic for topic in request.topics or _seen_topics(call) if topic.name >= first]
    if not asked:
        return DescribeTopicPartitionsResponse(topics=[], next_cursor=None)
    request = with_list(request, "topics", asked)
    if all(topic.name != first for topic in asked) or not sees_topic(call, first):
        request.cursor = None
    return then(split(request, call, handle, "topics", "topics", refusal_of), finish)


def _seen_topics(call: Call) -> list[TopicRequest]:
    """All topics that the client may see."""
    known = call.broker.cluster.topics_known_to(call.broker.node_id)
    return [TopicRequest(name=name) for name in known if sees_topic(call, name)]


# ---- creating and deleting


def create_topics(request: Any, call: Call, handle: Handle) -> Result:
    """Create on the cluster, or later on each topic; configs are shown to clients that may describe them, and by
    brokers under ZooKeeper also the topic's id (ZkAdminManager.populateIds; recorded from 2.8.2: random_orders).
    """
    rules = call.profile.authorization
    if not rules.create_on_topic:
        if call.authorized_on_cluster(Operation.CREATE):
            return handle(request, call)
        return refuse(request, call, CLUSTER_ERROR)
    on_cluster = call.would_allow_on_cluster(Operation.CREATE)

    def refusal_of(topic: Any) -> ErrorCode:
        allowed = on_cluster or call.authorized(Operation.CREATE, ResourceType.TOPIC, topic.name)
        return NONE if allowed else TOPIC_ERROR

    def complete(row: Any) -> None:
        row.num_partitions = row.replication_factor = NOT_TOLD
        if rules.refused_topic_has_config_error:
            row.topic_config_error_code = TOPIC_ERROR

    def finish(response: Any) -> Response:
        for row in response.topics if call.version >= FIRST_WITH_DETAILS else ():
            if not row.error_code and not call.would_allow(Operation.DESCRIBE_CONFIGS, ResourceType.TOPIC, row.name):
                row.topic_config_error_code, row.configs = TOPIC_ERROR, []
                row.num_partitions = row.replication_factor = NOT_TOLD
                row.topic_id = row.topic_id if call.profile.admin.by_controllers else ZERO_UUID
        return response  # type: ignore[no-any-return]

    return then(split(request, call, handle, "topics", "topics", refusal_of, refused_row=complete), finish)


def delete_topics(request: Any, call: Call, handle: Handle) -> Result:
    """Delete on each topic; controllers of KRaft take Delete on the cluster for it."""
    if call.profile.authorization.cluster_deletes_topics and call.would_allow_on_cluster(Operation.DELETE):
        return handle(request, call)
    asked = "topics" if request.topics else "topic_names"

    def refusal_of(topic: Any) -> ErrorCode:
        return topic_refusal(call, Operation.DELETE, topic)

    def name(row: Any) -> None:
        known = call.broker.cluster.topics_by_id.get(row.topic_id)
        if known is not None and sees_topic(call, known.name):
            row.name = known.name

    return split(request, call, handle, asked, "responses", refusal_of, refused_row=name)
