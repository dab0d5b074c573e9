"""UpdateMetadata (key 6)."""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, int64, string, uuid


class UpdateMetadataPartitionState(Struct):
    topic_name: string = field("0-4")
    partition_index: int32 = field("0-4")
    controller_epoch: int32 = field("0-4")
    leader: int32 = field("0-4")
    leader_epoch: int32 = field("0-4")
    isr: list[int32] = field("0-4")
    zk_version: int32 = field("0-4")
    replicas: list[int32] = field("0-4")
    offline_replicas: list[int32] = field("4")


class RequestUpdateMetadataPartitionState(Struct):
    partition_index: int32 = field("5+")
    controller_epoch: int32 = field("5+")
    leader: int32 = field("5+")
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
    security_protocol: int16 = field("1+")


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
    broker_epoch: int64 = field("5+", default=-1)
    topic_states: list[UpdateMetadataTopicState] = field("5+")
    live_brokers: list[UpdateMetadataBroker] = field("0+")
    type: int8 = field("8+", tag=0)


class UpdateMetadataResponse(Response, key=6, versions="0-8", flexible="6+"):
    error_code: int16 = field("0+")
