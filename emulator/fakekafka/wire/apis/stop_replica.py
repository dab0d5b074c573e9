"""StopReplica (key 5): the controller tells brokers to stop following partitions, and maybe to delete them (ZooKeeper
mode).

Between ZooKeeper brokers only: gone with 4.0.

v0   0.8.0    partitions in one list; one flag says whether to delete them all
v1   2.2      broker epoch; partitions by topic (KIP-380)
v2   2.4      flexible (KIP-482)
v3   2.6      leader epoch and deletion flag of each partition (KIP-570)
v4   3.4      whether the sender is a KRaft controller, during a migration (KIP-866)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int16, int32, int64, string


class StopReplicaPartitionV0(Struct):
    topic_name: string = field("0")
    partition_index: int32 = field("0")


class StopReplicaTopicV1(Struct):
    name: string = field("1-2")
    partition_indexes: list[int32] = field("1-2")


class StopReplicaPartitionState(Struct):
    partition_index: int32 = field("3+")
    leader_epoch: int32 = field("3+", default=-1)  # -1 not checked, -2 the topic is being deleted
    delete_partition: boolean = field("3+")


class StopReplicaTopicState(Struct):
    topic_name: string = field("3+")
    partition_states: list[StopReplicaPartitionState] = field("3+")


class StopReplicaRequest(Request, key=5, versions="0-4", flexible="2+"):
    controller_id: int32 = field("0+")
    is_k_raft_controller: boolean = field("4+")
    controller_epoch: int32 = field("0+")
    broker_epoch: int64 = field("1+", default=-1)  # -1: not checked
    delete_partitions: boolean = field("0-2")
    ungrouped_partitions: list[StopReplicaPartitionV0] = field("0")
    topics: list[StopReplicaTopicV1] = field("1-2")
    topic_states: list[StopReplicaTopicState] = field("3+")


class StopReplicaPartitionError(Struct):
    topic_name: string = field("0+")
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")


class StopReplicaResponse(Response, key=5, versions="0-4", flexible="2+"):
    error_code: int16 = field("0+")
    partition_errors: list[StopReplicaPartitionError] = field("0+")
