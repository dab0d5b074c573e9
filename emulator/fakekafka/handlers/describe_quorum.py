"""DescribeQuorum, key 55: the voters that keep the metadata of a KRaft cluster, and how far they have read (KIP-595).

Behaviour: every node is broker and voter, also while it is down; the controller leads. The metadata log is practically
empty and stays empty.
Versions: 0 - 2.
v1: when a voter last fetched (KIP-836). v2: error messages, directory ids, and the voters' addresses (KIP-853).
Not done: observers; a metadata log.
"""

from fakekafka.admin.quorum import Voter, voters
from fakekafka.admin.static_settings import CONTROLLER_PORT_OFFSET
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.ids import NO_OFFSET
from fakekafka.pieces import Stepwise, in_turn
from fakekafka.wire.apis.describe_quorum import (
    DescribeQuorumRequest,
    DescribeQuorumResponse,
    Listener,
    Node,
    ReplicaState,
    ResponsePartitionData,
    ResponseTopicData,
)

METADATA_TOPIC = "__cluster_metadata"


@stepwise
def handle(request: DescribeQuorumRequest, call: Call) -> Stepwise[Result]:
    """Describe the quorum, if its one partition is requested."""
    if call.profile.admin.describe_quorum is not ErrorCode.NONE:
        return DescribeQuorumResponse(error_code=call.profile.admin.describe_quorum, topics=[])
    asked = [(topic.topic_name, [p.partition_index for p in topic.partitions]) for topic in request.topics]
    if asked != [(METADATA_TOPIC, [0])]:
        return DescribeQuorumResponse(topics=(yield from in_turn(_unknown, asked)))
    partition = ResponsePartitionData(
        partition_index=0,
        error_message="",
        leader_id=call.broker.cluster.controller_id,
        leader_epoch=call.broker.cluster.quorum_epoch,
        high_watermark=call.broker.cluster.settings.metadata_offset,
        current_voters=[_state(voter, call) for voter in voters(call.broker.cluster)],
        observers=[],
    )
    nodes = [
        Node(
            node_id=b.node_id,
            listeners=[Listener(name="CONTROLLER", host=b.host, port=b.port + CONTROLLER_PORT_OFFSET)],
        )
        for b in call.broker.cluster.nodes.values()
    ]
    topic = ResponseTopicData(topic_name=METADATA_TOPIC, partitions=[partition])
    return DescribeQuorumResponse(error_message="", topics=[topic], nodes=nodes)


def _unknown(asked: tuple[str, list[int]]) -> ResponseTopicData:
    """The answer for a topic, if another one than the metadata topic's one partition is asked for."""
    code, words = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "This server does not host this topic-partition."
    name, indexes = asked
    return ResponseTopicData(
        topic_name=name,
        partitions=[
            ResponsePartitionData(partition_index=index, error_code=code, error_message=words) for index in indexes
        ],
    )


def _state(voter: Voter, call: Call) -> ReplicaState:
    """How far a voter is. One that has left is as it was, for as long as the leader stays."""
    cluster = call.broker.cluster
    offset, at_ms = cluster.settings.metadata_offset, call.now
    if voter.node_id not in cluster.brokers:
        seen = cluster.nodes[voter.node_id].last_seen
        if seen is None or seen.quorum_epoch != cluster.quorum_epoch:
            return ReplicaState(
                replica_id=voter.node_id, replica_directory_id=voter.directory_id, log_end_offset=NO_OFFSET
            )
        offset, at_ms = seen.metadata_offset, seen.at_ms
    return ReplicaState(
        replica_id=voter.node_id,
        replica_directory_id=voter.directory_id,
        log_end_offset=offset,
        last_fetch_timestamp=at_ms,
        last_caught_up_timestamp=at_ms,
    )
