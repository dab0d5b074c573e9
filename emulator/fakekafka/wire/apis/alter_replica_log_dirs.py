"""AlterReplicaLogDirs (key 34): move replicas to other log directories of their broker.

v0 is gone from 4.0 on (KIP-896).

v0   1.0      first version (KIP-113)
v1   2.0      a client over its quota is answered at once and then muted (KIP-219)
v2   2.8      flexible (KIP-482)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, string


class AlterReplicaLogDirTopic(Struct):
    name: string = field("0+")
    partitions: list[int32] = field("0+")


class AlterReplicaLogDir(Struct):
    path: string = field("0+")
    topics: list[AlterReplicaLogDirTopic] = field("0+")


class AlterReplicaLogDirsRequest(Request, key=34, versions="0-2", flexible="2+"):
    dirs: list[AlterReplicaLogDir] = field("0+")


class AlterReplicaLogDirPartitionResult(Struct):
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")


class AlterReplicaLogDirTopicResult(Struct):
    topic_name: string = field("0+")
    partitions: list[AlterReplicaLogDirPartitionResult] = field("0+")


class AlterReplicaLogDirsResponse(Response, key=34, versions="0-2", flexible="2+"):
    throttle_time_ms: int32 = field("0+")
    results: list[AlterReplicaLogDirTopicResult] = field("0+")
