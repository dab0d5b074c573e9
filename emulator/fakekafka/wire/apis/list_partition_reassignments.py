"""ListPartitionReassignments (key 46): reassignments under way.

v0   2.4      first version (KIP-455)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, string


class ListPartitionReassignmentsTopics(Struct):
    name: string = field("0+")
    partition_indexes: list[int32] = field("0+")


class ListPartitionReassignmentsRequest(Request, key=46, versions="0", flexible="0+"):
    timeout_ms: int32 = field("0+", default=60000)
    topics: list[ListPartitionReassignmentsTopics] | None = field("0+", default=None)  # null: all


class OngoingPartitionReassignment(Struct):
    partition_index: int32 = field("0+")
    replicas: list[int32] = field("0+")
    adding_replicas: list[int32] = field("0+")
    removing_replicas: list[int32] = field("0+")


class OngoingTopicReassignment(Struct):
    name: string = field("0+")
    partitions: list[OngoingPartitionReassignment] = field("0+")


class ListPartitionReassignmentsResponse(Response, key=46, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
    topics: list[OngoingTopicReassignment] = field("0+")
