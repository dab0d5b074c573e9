"""AssignReplicasToDirs (key 73): a KRaft broker tells the controller in which log directory each replica is.

On the controller listener only.

v0   3.7      first version (KIP-858)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, uuid


class PartitionData(Struct):
    partition_index: int32 = field("0+")


class TopicData(Struct):
    topic_id: uuid = field("0+")
    partitions: list[PartitionData] = field("0+")


class DirectoryData(Struct):
    id: uuid = field("0+")
    topics: list[TopicData] = field("0+")


class AssignReplicasToDirsRequest(Request, key=73, versions="0", flexible="0+"):
    broker_id: int32 = field("0+")
    broker_epoch: int64 = field("0+", default=-1)
    directories: list[DirectoryData] = field("0+")


class ResponsePartitionData(Struct):
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")


class ResponseTopicData(Struct):
    topic_id: uuid = field("0+")
    partitions: list[ResponsePartitionData] = field("0+")


class ResponseDirectoryData(Struct):
    id: uuid = field("0+")
    topics: list[ResponseTopicData] = field("0+")


class AssignReplicasToDirsResponse(Response, key=73, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    directories: list[ResponseDirectoryData] = field("0+")
