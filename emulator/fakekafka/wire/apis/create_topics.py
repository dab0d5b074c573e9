"""CreateTopics (key 19): create topics.

v0-1 are gone from 4.0 on (KIP-896).

v0   0.10.1   first version (KIP-4)
v1   0.10.2   error message; validate_only (KIP-108)
v2   0.11.0   throttle time (KIP-124)
v3   2.0      a client over its quota is answered at once and then muted (KIP-219)
v4   2.4      -1 for the broker's default number of partitions and replicas (KIP-464)
v5   2.4      response: partitions, replicas and configs of the new topic (KIP-525); flexible (KIP-482)
v6   2.7      THROTTLING_QUOTA_EXCEEDED may be answered (KIP-599)
v7   2.8      response: topic id (KIP-516)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, string, uuid


class CreatableReplicaAssignment(Struct):
    partition_index: int32 = field("0+")
    broker_ids: list[int32] = field("0+")


class CreatableTopicConfig(Struct):
    name: string = field("0+")
    value: string | None = field("0+")


class CreatableTopic(Struct):
    name: string = field("0+")
    num_partitions: int32 = field("0+")  # -1: default, or given by the assignments
    replication_factor: int16 = field("0+")  # -1: default, or given by the assignments
    assignments: list[CreatableReplicaAssignment] = field("0+")  # empty: the broker assigns
    configs: list[CreatableTopicConfig] = field("0+")


class CreateTopicsRequest(Request, key=19, versions="0-7", flexible="5+"):
    topics: list[CreatableTopic] = field("0+")
    timeout_ms: int32 = field("0+", default=60000)
    validate_only: boolean = field("1+")


class CreatableTopicConfigs(Struct):
    name: string = field("5+")
    value: string | None = field("5+")
    read_only: boolean = field("5+")
    config_source: int8 = field("5+", default=-1)  # as in DescribeConfigs
    is_sensitive: boolean = field("5+")


class CreatableTopicResult(Struct):
    name: string = field("0+")
    topic_id: uuid = field("7+")
    error_code: int16 = field("0+")
    error_message: string | None = field("1+")
    num_partitions: int32 = field("5+", default=-1)
    replication_factor: int16 = field("5+", default=-1)
    configs: list[CreatableTopicConfigs] | None = field("5+")  # null: the client may not see them
    topic_config_error_code: int16 = field("5+", tag=0)  # why configs is null


class CreateTopicsResponse(Response, key=19, versions="0-7", flexible="5+"):
    throttle_time_ms: int32 = field("2+")
    topics: list[CreatableTopicResult] = field("0+")
