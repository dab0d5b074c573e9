"""CreateTopics (key 19)."""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, string, uuid


class CreatableReplicaAssignment(Struct):
    partition_index: int32 = field("0+")
    broker_ids: list[int32] = field("0+")


class CreatableTopicConfig(Struct):
    name: string = field("0+")
    value: string | None = field("0+")


class CreatableTopic(Struct):
    name: string = field("0+")
    num_partitions: int32 = field("0+")
    replication_factor: int16 = field("0+")
    assignments: list[CreatableReplicaAssignment] = field("0+")
    configs: list[CreatableTopicConfig] = field("0+")


class CreateTopicsRequest(Request, key=19, versions="0-7", flexible="5+"):
    topics: list[CreatableTopic] = field("0+")
    timeout_ms: int32 = field("0+", default=60000)
    validate_only: boolean = field("1+")


class CreatableTopicConfigs(Struct):
    name: string = field("5+")
    value: string | None = field("5+")
    read_only: boolean = field("5+")
    config_source: int8 = field("5+", default=-1)
    is_sensitive: boolean = field("5+")


class CreatableTopicResult(Struct):
    name: string = field("0+")
    topic_id: uuid = field("7+")
    error_code: int16 = field("0+")
    error_message: string | None = field("1+")
    num_partitions: int32 = field("5+", default=-1)
    replication_factor: int16 = field("5+", default=-1)
    configs: list[CreatableTopicConfigs] | None = field("5+")
    topic_config_error_code: int16 = field("5+", tag=0)


class CreateTopicsResponse(Response, key=19, versions="0-7", flexible="5+"):
    throttle_time_ms: int32 = field("2+")
    topics: list[CreatableTopicResult] = field("0+")
