"""DescribeTopicPartitions, key 75: partitions of topics, page by page (KIP-966).

Behaviour: topics come in the order of their names; one named twice comes twice. A page ends with the limit of the
request or of the broker; the cursor says where to continue. An empty list asks for all topics.
Versions: 0.
"""

from collections.abc import Iterator, Mapping

from fakekafka.admin.authorized import TOPIC_OPERATIONS
from fakekafka.cluster.topic_creation.topic_names import is_legal
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.handlers.refusal import refusal
from fakekafka.ids import PartitionIndex, TopicName
from fakekafka.state.topics import NO_LEADER, PartitionState, Topic
from fakekafka.wire.apis.describe_topic_partitions import (
    Cursor,
    DescribeTopicPartitionsRequest,
    DescribeTopicPartitionsResponse,
    DescribeTopicPartitionsResponsePartition,
    DescribeTopicPartitionsResponseTopic,
)
from fakekafka.wire.message import Response


def handle(request: DescribeTopicPartitionsRequest, call: Call) -> Response:
    """Answer one page."""
    cursor, topics = request.cursor, _known(call)
    asked = [topic.name for topic in request.topics]
    first = "" if cursor is None else cursor.topic_name
    names = sorted({name for name in asked or topics if name >= first})
    if not continues(request):
        return refusal(request, call.version, ErrorCode.INVALID_REQUEST)
    if "" in names:  # asked of 3.9.1 to 4.3.1
        return refusal(request, call.version, ErrorCode.UNKNOWN_SERVER_ERROR)
    limit = min(request.response_partition_limit, call.broker.config.int("max.request.partition.size.limit", 2000))
    start = {} if cursor is None else {first: cursor.partition_index}
    return _page(names, start, max(1, limit), call, skips_missing=not asked)


def continues(request: DescribeTopicPartitionsRequest) -> bool:
    """Whether the answer can go on at the request's cursor, if it has one."""
    cursor, asked = request.cursor, [topic.name for topic in request.topics]
    return cursor is None or (cursor.partition_index >= 0 and (not asked or cursor.topic_name in asked))


def _known(call: Call) -> Mapping[TopicName, Topic]:
    return call.broker.cluster.topics_known_to(call.broker.node_id)


def _page(
    names: list[TopicName], start: dict[TopicName, PartitionIndex], limit: int, call: Call, *, skips_missing: bool
) -> DescribeTopicPartitionsResponse:
    """`start`: the first wanted partition of each topic, if it is not 0."""
    response = DescribeTopicPartitionsResponse(topics=[], next_cursor=None)
    page, topics = [], _known(call)
    for name in names:
        if limit == 0:
            response.next_cursor = Cursor(topic_name=name, partition_index=0)
            break
        topic = topics.get(name)
        if topic is None:
            page += [] if skips_missing else [_missing(name, call)]
            continue
        states = [state for state in topic.partitions if state.index >= start.get(name, 0)]
        page.append(_described(topic, states[:limit], call))
        if len(states) > limit:
            response.next_cursor = Cursor(topic_name=name, partition_index=states[limit].index)
            break
        limit -= len(states)
    response.topics = page
    return response


def _missing(name: TopicName, call: Call) -> DescribeTopicPartitionsResponseTopic:
    legal = is_legal(call.profile, name)
    return DescribeTopicPartitionsResponseTopic(
        error_code=ErrorCode.UNKNOWN_TOPIC_OR_PARTITION if legal else ErrorCode.INVALID_TOPIC_EXCEPTION,
        name=name,
        is_internal=name in call.profile.metadata.internal_topics,
        partitions=[],
        topic_authorized_operations=TOPIC_OPERATIONS,
    )


def _described(topic: Topic, states: list[PartitionState], call: Call) -> DescribeTopicPartitionsResponseTopic:
    return DescribeTopicPartitionsResponseTopic(
        name=topic.name,
        topic_id=topic.id,
        is_internal=topic.name in call.profile.metadata.internal_topics,
        partitions=list(_partitions(topic, states, call)),
        topic_authorized_operations=TOPIC_OPERATIONS,
    )


def _partitions(
    topic: Topic, states: list[PartitionState], call: Call
) -> Iterator[DescribeTopicPartitionsResponsePartition]:
    cluster, node_id = call.broker.cluster, call.broker.node_id
    for state in (cluster.as_known_to(node_id, state) for state in states):
        leaderless = cluster.leader_known_to(node_id, state) is None
        yield DescribeTopicPartitionsResponsePartition(
            error_code=ErrorCode.NONE,
            partition_index=state.index,
            leader_id=NO_LEADER if leaderless else state.leader,
            leader_epoch=state.leader_epoch,
            replica_nodes=state.replicas,
            isr_nodes=state.isr,
            eligible_leader_replicas=state.eligible,
            last_known_elr=state.last_known,
            offline_replicas=cluster.offline_replicas(node_id, topic.name, state),
        )
