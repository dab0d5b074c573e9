"""Metadata (key 3): brokers, topics and the leaders of their partitions.

v0   0.8.0    an empty list asks for all topics
v1   0.10.0   null asks for all topics, an empty list for none; rack (KIP-36), controller, whether a topic is internal
              (KIP-4)
v2   0.10.1   cluster id (KIP-78)
v3   0.11.0   throttle time (KIP-124)
v4   0.11.0   the client may forbid its request to create topics (KAFKA-5291)
v5   1.0      offline replicas (KIP-112)
v6   2.0      a client over its quota is answered at once and then muted (KIP-219)
v7   2.1      leader epochs (KIP-320)
v8   2.3      authorized operations of topics and cluster, when asked for (KIP-430)
v9   2.4      flexible (KIP-482)
v10  2.8      topic ids in the response; in requests they are there but refused until v12 (KIP-516)
v11  2.8      authorized operations of the cluster move to DescribeCluster (KIP-700)
v12  3.1      topics may be asked for by id (KIP-516)
v13  4.0      error code for the whole response: REBOOTSTRAP_REQUIRED (KIP-1102)
"""

from fakekafka.ids import OPERATIONS_NOT_ASKED_FOR
from fakekafka.wire.message import Request, Response, Struct, boolean, field, int16, int32, string, uuid


class MetadataRequestTopic(Struct):
    topic_id: uuid = field("10+")
    name: string | None = field("0+", nullable="10+")  # null: asked for by id


class MetadataRequest(Request, key=3, versions="0-13", flexible="9+"):
    topics: list[MetadataRequestTopic] | None = field("0+", nullable="1+")  # null: all topics
    allow_auto_topic_creation: boolean = field("4+", default=True)
    include_cluster_authorized_operations: boolean = field("8-10")
    include_topic_authorized_operations: boolean = field("8+")


class MetadataResponseBroker(Struct):
    node_id: int32 = field("0+")
    host: string = field("0+")
    port: int32 = field("0+")
    rack: string | None = field("1+", default=None)


class MetadataResponsePartition(Struct):
    error_code: int16 = field("0+")
    partition_index: int32 = field("0+")
    leader_id: int32 = field("0+")  # -1: no leader
    leader_epoch: int32 = field("7+", default=-1)
    replica_nodes: list[int32] = field("0+")
    isr_nodes: list[int32] = field("0+")
    offline_replicas: list[int32] = field("5+")


class MetadataResponseTopic(Struct):
    error_code: int16 = field("0+")
    name: string | None = field("0+", nullable="12+")  # null: unknown id
    topic_id: uuid = field("10+")
    is_internal: boolean = field("1+")
    partitions: list[MetadataResponsePartition] = field("0+")
    # bit n: AclOperation n; lowest int32: not asked for
    topic_authorized_operations: int32 = field("8+", default=OPERATIONS_NOT_ASKED_FOR)


class MetadataResponse(Response, key=3, versions="0-13", flexible="9+"):
    throttle_time_ms: int32 = field("3+")
    brokers: list[MetadataResponseBroker] = field("0+")
    cluster_id: string | None = field("2+", default=None)
    controller_id: int32 = field("1+", default=-1)
    topics: list[MetadataResponseTopic] = field("0+")
    cluster_authorized_operations: int32 = field("8-10", default=OPERATIONS_NOT_ASKED_FOR)  # likewise
    error_code: int16 = field("13+")
