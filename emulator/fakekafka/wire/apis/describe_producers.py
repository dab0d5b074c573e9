"""DescribeProducers (key 61): producers that a partition's leader knows.

v0   2.8      first version (KIP-664)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, string


class TopicRequest(Struct):
    name: string = field("0+")
    partition_indexes: list[int32] = field("0+")


class DescribeProducersRequest(Request, key=61, versions="0", flexible="0+"):
    topics: list[TopicRequest] = field("0+")


class ProducerState(Struct):
    producer_id: int64 = field("0+")
    producer_epoch: int32 = field("0+")
    last_sequence: int32 = field("0+", default=-1)
    last_timestamp: int64 = field("0+", default=-1)  # milliseconds; -1: none
    coordinator_epoch: int32 = field("0+")
    current_txn_start_offset: int64 = field("0+", default=-1)  # -1: no transaction is open


class PartitionResponse(Struct):
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)
    active_producers: list[ProducerState] = field("0+")


class TopicResponse(Struct):
    name: string = field("0+")
    partitions: list[PartitionResponse] = field("0+")


class DescribeProducersResponse(Response, key=61, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    topics: list[TopicResponse] = field("0+")
