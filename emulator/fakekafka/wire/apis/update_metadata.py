"""UpdateMetadata (key 6): the controller tells brokers what to answer to Metadata requests (ZooKeeper mode).

Between ZooKeeper brokers only: gone with 4.0.

v0   0.8.0    one host and port per broker
v1   0.9.0    endpoints by security protocol (KAFKA-1809)
v2   0.10.0   rack (KIP-36)
v3   0.10.2   listener names (KIP-103)
v4   1.0      offline replicas (KIP-112)
v5   2.2      broker epoch; partitions by topic (KIP-380)
v6   2.4      flexible (KIP-482)
v7   2.8      topic ids (KIP-516)
v8   3.4      whether the sender is a KRaft controller, during a migration (KIP-866)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, int64, string, uuid


class UpdateMetadataPartitionState(Struct):
    topic_name: string = field("0-4")
    partition_index: int32 = field("0-4")
    controller_epoch: int32 = field("0-4")
    leader: int32 = field("0-4")  # -1 no leader, -2 topic being deleted
    leader_epoch: int32 = field("0-4")
    isr: list[int32] = field("0-4")
    zk_version: int32 = field("0-4")
    replicas: list[int32] = field("0-4")
    offline_replicas: list[int32] = field("4")


class RequestUpdateMetadataPartitionState(Struct):
    partition_index: int32 = field("5+")
    controller_epoch: int32 = field("5+")
    leader: int32 = field("5+")  # -1 no leader, -2 topic being deleted
    leader_epoch: int32 = field("5+")
    isr: list[int32] = field("5+")
    zk_version: int32 = field("5+")
    replicas: list[int32] = field("5+")
    offline_replicas: list[int32] = field("5+")


class UpdateMetadataTopicState(Struct):
    topic_name: string = field("5+")
    topic_id: uuid = field("7+")
    partition_states: list[RequestUpdateMetadataPartitionState] = field("5+")


class UpdateMetadataEndpoint(Struct):
    port: int32 = field("1+")
    host: string = field("1+")
    listener: string = field("3+")
    security_protocol: int16 = field("1+")  # 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL


class UpdateMetadataBroker(Struct):
    id: int32 = field("0+")
    v0_host: string = field("0")
    v0_port: int32 = field("0")
    endpoints: list[UpdateMetadataEndpoint] = field("1+")
    rack: string | None = field("2+")


class UpdateMetadataRequest(Request, key=6, versions="0-8", flexible="6+"):
    controller_id: int32 = field("0+")
    is_k_raft_controller: boolean = field("8+")
    controller_epoch: int32 = field("0+")
    ungrouped_partition_states: list[UpdateMetadataPartitionState] = field("0-4")
    broker_epoch: int64 = field("5+", default=-1)  # -1: not checked
    topic_states: list[UpdateMetadataTopicState] = field("5+")
    live_brokers: list[UpdateMetadataBroker] = field("0+")
    type: int8 = field("8+", tag=0)  # since 3.6.1 (KAFKA-15799): 0 unknown, 1 changes, 2 everything


class UpdateMetadataResponse(Response, key=6, versions="0-8", flexible="6+"):
    error_code: int16 = field("0+")
