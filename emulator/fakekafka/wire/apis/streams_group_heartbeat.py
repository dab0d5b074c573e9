"""StreamsGroupHeartbeat (key 88): join, stay in and leave a streams group, and get tasks.

Fields that did not change since the member's last heartbeat are null. v1 is not released yet: known from the branch of
4.4.

v0   4.2      first version (KIP-1071); in 4.1 only with unstable.api.versions.enable
v1   4.4      response: acceptable recovery lag in 64 bits (KAFKA-18652), request for a description of the topology
              (KIP-1331)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, int64, string, uint16


class KeyValue(Struct):
    key: string = field("0+")
    value: string = field("0+")


class TopicInfo(Struct):
    name: string = field("0+")
    partitions: int32 = field("0+")  # 0: any number
    replication_factor: int16 = field("0+")  # 0: the default
    topic_configs: list[KeyValue] = field("0+")


class CopartitionGroup(Struct):
    source_topics: list[int16] = field("0+")  # indexes into the lists of the subtopology
    source_topic_regex: list[int16] = field("0+")
    repartition_source_topics: list[int16] = field("0+")


class Subtopology(Struct):
    subtopology_id: string = field("0+")
    source_topics: list[string] = field("0+")
    source_topic_regex: list[string] = field("0+")
    state_changelog_topics: list[TopicInfo] = field("0+")
    repartition_sink_topics: list[string] = field("0+")
    repartition_source_topics: list[TopicInfo] = field("0+")
    copartition_groups: list[CopartitionGroup] = field("0+")


class Topology(Struct):
    epoch: int32 = field("0+")
    subtopologies: list[Subtopology] = field("0+")


class TaskIds(Struct):
    subtopology_id: string = field("0+")
    partitions: list[int32] = field("0+")


class Endpoint(Struct):
    host: string = field("0+")
    port: uint16 = field("0+")


class TaskOffset(Struct):
    subtopology_id: string = field("0+")
    partition: int32 = field("0+")
    offset: int64 = field("0+")


class StreamsGroupHeartbeatRequest(Request, key=88, versions="0-1", flexible="0+"):
    group_id: string = field("0+")
    member_id: string = field("0+")
    member_epoch: int32 = field("0+")  # 0 join, -1 leave, -2 leave as a static member that will be back
    endpoint_information_epoch: int32 = field("0+")
    instance_id: string | None = field("0+", default=None)
    rack_id: string | None = field("0+", default=None)
    rebalance_timeout_ms: int32 = field("0+", default=-1)  # -1: unchanged
    topology: Topology | None = field("0+")  # only when joining
    active_tasks: list[TaskIds] | None = field("0+", default=None)
    standby_tasks: list[TaskIds] | None = field("0+", default=None)
    warmup_tasks: list[TaskIds] | None = field("0+", default=None)
    process_id: string | None = field("0+", default=None)
    user_endpoint: Endpoint | None = field("0+")  # for interactive queries
    client_tags: list[KeyValue] | None = field("0+", default=None)
    task_offsets: list[TaskOffset] | None = field("0+", default=None)
    task_end_offsets: list[TaskOffset] | None = field("0+", default=None)
    shutdown_application: boolean = field("0+")


class Status(Struct):
    status_code: int8 = field("0+")
    status_detail: string = field("0+")


class TopicPartition(Struct):
    topic: string = field("0+")
    partitions: list[int32] = field("0+")


class EndpointToPartitions(Struct):
    user_endpoint: Endpoint = field("0+")
    active_partitions: list[TopicPartition] = field("0+")
    standby_partitions: list[TopicPartition] = field("0+")


class StreamsGroupHeartbeatResponse(Response, key=88, versions="0-1", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)
    member_id: string = field("0+")
    member_epoch: int32 = field("0+")
    heartbeat_interval_ms: int32 = field("0+")
    acceptable_recovery_lag_legacy: int32 = field("0")
    task_offset_interval_ms: int32 = field("0+")
    acceptable_recovery_lag: int64 = field("1+", default=-1)
    status: list[Status] | None = field("0+")
    active_tasks: list[TaskIds] | None = field("0+", default=None)
    standby_tasks: list[TaskIds] | None = field("0+", default=None)
    warmup_tasks: list[TaskIds] | None = field("0+", default=None)
    topology_description_required: boolean = field("1+")
    endpoint_information_epoch: int32 = field("0+")
    partitions_by_user_endpoint: list[EndpointToPartitions] | None = field("0+", default=None)
