"""StreamsGroupDescribe (key 89): state, topology and members of streams groups.

v1 is not released yet: known from the branch of 4.4.

v0   4.2      first version (KIP-1071); in 4.1 only with unstable.api.versions.enable
v1   4.4      description of the topology, when asked for (KIP-1331)
"""

from fakekafka.ids import OPERATIONS_NOT_ASKED_FOR
from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, int64, string, uint16


class StreamsGroupDescribeRequest(Request, key=89, versions="0-1", flexible="0+"):
    group_ids: list[string] = field("0+")
    include_authorized_operations: boolean = field("0+")
    include_topology_description: boolean = field("1+")


class KeyValue(Struct):
    key: string = field("0+")
    value: string = field("0+")


class TopicInfo(Struct):
    name: string = field("0+")
    partitions: int32 = field("0+")  # 0: any number
    replication_factor: int16 = field("0+")  # 0: the default
    topic_configs: list[KeyValue] = field("0+")


class Subtopology(Struct):
    subtopology_id: string = field("0+")
    source_topics: list[string] = field("0+")
    repartition_sink_topics: list[string] = field("0+")
    state_changelog_topics: list[TopicInfo] = field("0+")
    repartition_source_topics: list[TopicInfo] = field("0+")


class Topology(Struct):
    epoch: int32 = field("0+")
    subtopologies: list[Subtopology] | None = field("0+", default=None)  # null: the group is not initialized


class Endpoint(Struct):
    host: string = field("0+")
    port: uint16 = field("0+")


class TaskOffset(Struct):
    subtopology_id: string = field("0+")
    partition: int32 = field("0+")
    offset: int64 = field("0+")


class TaskIds(Struct):
    subtopology_id: string = field("0+")
    partitions: list[int32] = field("0+")


class Assignment(Struct):
    active_tasks: list[TaskIds] = field("0+")
    standby_tasks: list[TaskIds] = field("0+")
    warmup_tasks: list[TaskIds] = field("0+")


class Member(Struct):
    member_id: string = field("0+")
    member_epoch: int32 = field("0+")
    instance_id: string | None = field("0+", default=None)
    rack_id: string | None = field("0+", default=None)
    client_id: string = field("0+")
    client_host: string = field("0+")
    topology_epoch: int32 = field("0+")
    process_id: string = field("0+")
    user_endpoint: Endpoint | None = field("0+")
    client_tags: list[KeyValue] = field("0+")
    task_offsets: list[TaskOffset] = field("0+")
    task_end_offsets: list[TaskOffset] = field("0+")
    assignment: Assignment = field("0+")
    target_assignment: Assignment = field("0+")
    is_classic: boolean = field("0+")


class TopologyDescriptionNode(Struct):
    name: string = field("1+")
    node_type: int8 = field("1+")
    source_topics: list[string] = field("1+")
    sink_topic: string | None = field("1+", default=None)
    stores: list[string] = field("1+")
    successors: list[string] = field("1+")


class TopologyDescriptionSubtopology(Struct):
    subtopology_id: string = field("1+")
    nodes: list[TopologyDescriptionNode] = field("1+")


class TopologyDescriptionGlobalStore(Struct):
    source: TopologyDescriptionNode = field("1+")
    processor: TopologyDescriptionNode = field("1+")


class TopologyDescription(Struct):
    subtopologies: list[TopologyDescriptionSubtopology] = field("1+")
    global_stores: list[TopologyDescriptionGlobalStore] = field("1+")


class DescribedGroup(Struct):
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)
    group_id: string = field("0+")
    group_state: string = field("0+")
    group_epoch: int32 = field("0+")
    assignment_epoch: int32 = field("0+")
    topology: Topology | None = field("0+")  # null after an error
    members: list[Member] = field("0+")
    # bit n: AclOperation n; lowest int32: not asked for
    authorized_operations: int32 = field("0+", default=OPERATIONS_NOT_ASKED_FOR)
    topology_description: TopologyDescription | None = field("1+")
    topology_description_status: int8 = field("1+")
    assignor_name: string | None = field("1+", default=None)


class StreamsGroupDescribeResponse(Response, key=89, versions="0-1", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    groups: list[DescribedGroup] = field("0+")
