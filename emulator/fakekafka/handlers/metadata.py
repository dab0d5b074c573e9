"""Metadata, key 3: brokers, topics, leaders.

Behaviour: answers from the cluster; creates what it does not know where that is allowed.
Versions: 0 - 13.
Not done: everything that the metadata behaviours name.
"""

from fakekafka.broker.administration import create_topic
from fakekafka.broker.topics import Topic
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.metadata import (
    MetadataRequest,
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)


def handle(request: MetadataRequest, call: Call) -> MetadataResponse:
    """Metadata of the topics asked for."""
    cluster = call.broker.cluster
    everything = request.topics is None or (call.version == 0 and not request.topics)
    if everything:
        topics = [_described(topic) for topic in cluster.topics.values()]
    else:
        topics = [_asked(topic.name or "", call) for topic in request.topics or ()]
    return MetadataResponse(
        brokers=[
            MetadataResponseBroker(node_id=b.node_id, host=b.host, port=b.port, rack=b.rack)
            for b in cluster.brokers.values()
        ],
        cluster_id=cluster.id,
        controller_id=cluster.controller_id,
        topics=topics,
    )


def _asked(name: str, call: Call) -> MetadataResponseTopic:
    topic = call.broker.cluster.topics.get(name)
    if topic is not None:
        return _described(topic)
    create_topic(call.broker.cluster, name, call.broker.config.int("num.partitions", 1), {})
    return MetadataResponseTopic(error_code=call.profile.metadata.auto_created, name=name, partitions=[])


def _described(topic: Topic) -> MetadataResponseTopic:
    return MetadataResponseTopic(
        error_code=ErrorCode.NONE,
        name=topic.name,
        topic_id=topic.id,
        is_internal=topic.is_internal,
        partitions=[
            MetadataResponsePartition(
                error_code=0,
                partition_index=p.index,
                leader_id=p.leader,
                leader_epoch=p.leader_epoch,
                replica_nodes=p.replicas,
                isr_nodes=p.isr,
                offline_replicas=[],
            )
            for p in topic.partitions
        ],
    )
