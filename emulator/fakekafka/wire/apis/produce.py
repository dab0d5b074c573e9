"""Produce (key 0)."""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, record_set, string, uuid


class PartitionProduceData(Struct):
    index: int32 = field("0+")
    records: record_set | None = field("0+")


class TopicProduceData(Struct):
    name: string = field("0-12")
    topic_id: uuid = field("13+")
    partition_data: list[PartitionProduceData] = field("0+")


class ProduceRequest(Request, key=0, versions="0-13", flexible="9+"):
    transactional_id: string | None = field("3+", default=None)
    acks: int16 = field("0+")
    timeout_ms: int32 = field("0+")
    topic_data: list[TopicProduceData] = field("0+")


class BatchIndexAndErrorMessage(Struct):
    batch_index: int32 = field("8+")
    batch_index_error_message: string | None = field("8+", default=None)


class LeaderIdAndEpoch(Struct):
    leader_id: int32 = field("10+", default=-1)
    leader_epoch: int32 = field("10+", default=-1)


class PartitionProduceResponse(Struct):
    index: int32 = field("0+")
    error_code: int16 = field("0+")
    base_offset: int64 = field("0+")
    log_append_time_ms: int64 = field("2+", default=-1)
    log_start_offset: int64 = field("5+", default=-1)
    record_errors: list[BatchIndexAndErrorMessage] = field("8+")
    error_message: string | None = field("8+", default=None)
    current_leader: LeaderIdAndEpoch = field("10+", tag=0)


class TopicProduceResponse(Struct):
    name: string = field("0-12")
    topic_id: uuid = field("13+")
    partition_responses: list[PartitionProduceResponse] = field("0+")


class NodeEndpoint(Struct):
    node_id: int32 = field("10+")
    host: string = field("10+")
    port: int32 = field("10+")
    rack: string | None = field("10+", default=None)


class ProduceResponse(Response, key=0, versions="0-13", flexible="9+"):
    responses: list[TopicProduceResponse] = field("0+")
    throttle_time_ms: int32 = field("1+")
    node_endpoints: list[NodeEndpoint] = field("10+", tag=0)
