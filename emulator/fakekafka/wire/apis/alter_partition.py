"""AlterPartition (key 56): a leader asks the controller to change the in-sync replicas.

Named AlterIsr in v0. Answered by controllers; on a client listener up to 3.9, in ZooKeeper mode.

v0   2.7      as AlterIsr (KIP-497)
v1   3.2      leader recovery state (KIP-704)
v2   3.3      topic ids instead of names (KIP-841)
v3   3.5      broker epochs of the in-sync replicas (KIP-903)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, int64, string, uuid


class BrokerState(Struct):
    broker_id: int32 = field("3+")
    broker_epoch: int64 = field("3+", default=-1)  # -1: not checked


class PartitionData(Struct):
    partition_index: int32 = field("0+")
    leader_epoch: int32 = field("0+")
    new_isr: list[int32] = field("0-2")
    new_isr_with_epochs: list[BrokerState] = field("3+")
    leader_recovery_state: int8 = field("1+")  # 0 recovered, 1 recovering after an unclean election
    partition_epoch: int32 = field("0+")  # version of the state that is to be changed


class TopicData(Struct):
    topic_name: string = field("0-1")
    topic_id: uuid = field("2+")
    partitions: list[PartitionData] = field("0+")


class AlterPartitionRequest(Request, key=56, versions="0-3", flexible="0+"):
    broker_id: int32 = field("0+")
    broker_epoch: int64 = field("0+", default=-1)
    topics: list[TopicData] = field("0+")


class ResponsePartitionData(Struct):
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")
    leader_id: int32 = field("0+")
    leader_epoch: int32 = field("0+")
    isr: list[int32] = field("0+")
    leader_recovery_state: int8 = field("1+")  # 0 recovered, 1 recovering after an unclean election
    partition_epoch: int32 = field("0+")


class ResponseTopicData(Struct):
    topic_name: string = field("0-1")
    topic_id: uuid = field("2+")
    partitions: list[ResponsePartitionData] = field("0+")


class AlterPartitionResponse(Response, key=56, versions="0-3", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    topics: list[ResponseTopicData] = field("0+")
