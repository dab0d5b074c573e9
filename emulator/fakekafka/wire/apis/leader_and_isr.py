"""LeaderAndIsr (key 4): the controller tells brokers which partitions they lead or follow (ZooKeeper mode).

Between ZooKeeper brokers only: gone with 4.0.

v0   0.8.0    partitions in one list, with leader, in-sync replicas and replicas
v1   1.0      whether the partition is new, so that a broker does not recreate a lost one (KIP-112)
v2   2.2      broker epoch; partitions by topic (KIP-380)
v3   2.4      replicas that a reassignment adds and removes (KIP-455)
v4   2.4      flexible (KIP-482)
v5   2.8      topic ids; whether the request lists everything (KIP-516); response by topic id
v6   3.2      leader recovery state (KIP-704)
v7   3.4      whether the sender is a KRaft controller, during a migration (KIP-866)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, int64, string, uuid


class LeaderAndIsrPartitionState(Struct):
    topic_name: string = field("0-1")
    partition_index: int32 = field("0-1")
    controller_epoch: int32 = field("0-1")
    leader: int32 = field("0-1")
    leader_epoch: int32 = field("0-1")
    isr: list[int32] = field("0-1")
    partition_epoch: int32 = field("0-1")  # version of the partition's node in ZooKeeper
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
    leader_recovery_state: int8 = field("6+")  # 0 recovered, 1 recovering after an unclean election


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
    broker_epoch: int64 = field("2+", default=-1)  # -1: not checked
    type: int8 = field("5+")  # 0 unknown, 1 some partitions, 2 all of them
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
