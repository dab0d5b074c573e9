"""All partitions of a Fetch within a session: its client names only the ones that change (KIP-227)."""

from fakekafka.cluster.broker import Broker
from fakekafka.faults.subjects import TopicOrPartition
from fakekafka.ids import ZERO_UUID
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchTopic
from fakekafka.wire.message import Request


def places_of_session(broker: Broker, request: Request) -> list[TopicOrPartition]:
    """The partitions of the session that a Fetch continues; empty if it begins a session, or has none."""
    session = broker.fetch_sessions.find(getattr(request, "session_id", 0))
    if session is None:
        return []
    wanted = [cached.wanted for cached in session.partitions.values()]
    return [TopicOrPartition(each.name, each.asked.partition) for each in wanted if each.name is not None]


def in_full(broker: Broker, request: Request) -> Request:
    """A Fetch that also names every partition of its session. Only for finding out what the request is about."""
    if not isinstance(request, FetchRequest):
        return request
    topics = [*request.topics]
    for name, partition in places_of_session(broker, request):
        topic = broker.cluster.topics.get(name)
        topic_id = ZERO_UUID if topic is None else topic.id
        asked = [FetchPartition(partition=partition or 0)]
        topics.append(FetchTopic(topic=name, topic_id=topic_id, partitions=asked))
    return FetchRequest(**(vars(request) | {"topics": topics}))
