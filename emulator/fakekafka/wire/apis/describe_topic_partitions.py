"""DescribeTopicPartitions (key 75): partitions of topics, page by page, with eligible leader replicas.

v0   3.8      first version (KIP-966)
"""

from fakekafka.ids import OPERATIONS_NOT_ASKED_FOR
from fakekafka.wire.message import Request, Response, Struct, boolean, field, int16, int32, string, uuid


class TopicRequest(Struct):
    name: string = field("0+")


class Cursor(Struct):
    topic_name: string = field("0+")
    partition_index: int32 = field("0+")


class DescribeTopicPartitionsRequest(Request, key=75, versions="0", flexible="0+"):
    topics: list[TopicRequest] = field("0+")
    response_partition_limit: int32 = field("0+", default=2000)
    cursor: Cursor | None = field("0+")  # null: from the start


class DescribeTopicPartitionsResponsePartition(Struct):
    error_code: int16 = field("0+")
    partition_index: int32 = field("0+")
    leader_id: int32 = field("0+")  # -1: no leader
    leader_epoch: int32 = field("0+", default=-1)
    replica_nodes: list[int32] = field("0+")
    isr_nodes: list[int32] = field("0+")
    eligible_leader_replicas: list[int32] | None = field("0+", default=None)
    last_known_elr: list[int32] | None = field("0+", default=None)
    offline_replicas: list[int32] = field("0+")


class DescribeTopicPartitionsResponseTopic(Struct):
    error_code: int16 = field("0+")
    name: string | None = field("0+")
    topic_id: uuid = field("0+")
    is_internal: boolean = field("0+")
    partitions: list[DescribeTopicPartitionsResponsePartition] = field("0+")
    # bit n: AclOperation n; lowest int32: not asked for
    topic_authorized_operations: int32 = field("0+", default=OPERATIONS_NOT_ASKED_FOR)


class DescribeTopicPartitionsResponse(Response, key=75, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    topics: list[DescribeTopicPartitionsResponseTopic] = field("0+")
    next_cursor: Cursor | None = field("0+")  # null: there are no more
