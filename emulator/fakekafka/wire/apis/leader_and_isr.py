"""LeaderAndIsr (key 4)."""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, int64, string, uuid


class LeaderAndIsrPartitionState(Struct):
    topic_name: string = field("0-1")
    partition_index: int32 = field("0-1")
    controller_epoch: int32 = field("0-1")
    leader: int32 = field("0-1")
    leader_epoch: int32 = field("0-1")
    isr: list[int32] = field("0-1")
    partition_epoch: int32 = field("0-1")
    replicas: list[int32] = field("0-1")
    is_new: boolean = field("1")


class RequestLeaderAndIsrPartitionState(Struct):
    partition_index: int32 = field("2+")
    controller_epoch: int32 = field("2+")
    leader: int32 = field("2+")
    leader_epoch: int32 = field("2+")
    isr: list[int32] = field("2+")
    partition_epoch: int32 = field("2+")
    replicas: list[int32] = field("2+")
    adding_replicas: list[int32] = field("3+")
    removing_replicas: list[int32] = field("3+")
    is_new: boolean = field("2+")
    leader_recovery_state: int8 = field("6+")


class LeaderAndIsrTopicState(Struct):
    topic_name: string = field("2+")
    topic_id: uuid = field("5+")
    partition_states: list[RequestLeaderAndIsrPartitionState] = field("2+")


class LeaderAndIsrLiveLeader(Struct):
    broker_id: int32 = field("0+")
    host_name: string = field("0+")
    port: int32 = field("0+")


class LeaderAndIsrRequest(Request, key=4, versions="0-7", flexible="4+"):
    controller_id: int32 = field("0+")
    is_k_raft_controller: boolean = field("7+")
    controller_epoch: int32 = field("0+")
    ungrouped_partition_states: list[LeaderAndIsrPartitionState] = field("0-1")
    broker_epoch: int64 = field("2+", default=-1)
    type: int8 = field("5+")
    topic_states: list[LeaderAndIsrTopicState] = field("2+")
    live_leaders: list[LeaderAndIsrLiveLeader] = field("0+")


class LeaderAndIsrPartitionError(Struct):
    topic_name: string = field("0-4")
    partition_index: int32 = field("0-4")
    error_code: int16 = field("0-4")


class ResponseLeaderAndIsrPartitionError(Struct):
    partition_index: int32 = field("5+")
    error_code: int16 = field("5+")


class LeaderAndIsrTopicError(Struct):
    topic_id: uuid = field("5+")
    partition_errors: list[ResponseLeaderAndIsrPartitionError] = field("5+")


class LeaderAndIsrResponse(Response, key=4, versions="0-7", flexible="4+"):
    error_code: int16 = field("0+")
    partition_errors: list[LeaderAndIsrPartitionError] = field("0-4")
    topics: list[LeaderAndIsrTopicError] = field("5+")
