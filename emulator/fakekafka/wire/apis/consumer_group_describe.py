"""ConsumerGroupDescribe (key 69): state and members of the new consumer groups.

The early access in 3.7 had another v0.

v0   3.8      first version (KIP-848)
v1   4.0      type of each member: classic or consumer protocol (KIP-1099)
"""

from fakekafka.ids import OPERATIONS_NOT_ASKED_FOR
from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, string, uuid


class ConsumerGroupDescribeRequest(Request, key=69, versions="0-1", flexible="0+"):
    group_ids: list[string] = field("0+")
    include_authorized_operations: boolean = field("0+")


class TopicPartitions(Struct):
    topic_id: uuid = field("0+")
    topic_name: string = field("0+")
    partitions: list[int32] = field("0+")


class Assignment(Struct):
    topic_partitions: list[TopicPartitions] = field("0+")


class Member(Struct):
    member_id: string = field("0+")
    instance_id: string | None = field("0+", default=None)
    rack_id: string | None = field("0+", default=None)
    member_epoch: int32 = field("0+")
    client_id: string = field("0+")
    client_host: string = field("0+")
    subscribed_topic_names: list[string] = field("0+")
    subscribed_topic_regex: string | None = field("0+", default=None)
    assignment: Assignment = field("0+")  # what the member has
    target_assignment: Assignment = field("0+")  # what it should have
    member_type: int8 = field("1+", default=-1)  # -1 unknown, 0 classic, 1 consumer


class DescribedGroup(Struct):
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)
    group_id: string = field("0+")
    group_state: string = field("0+")
    group_epoch: int32 = field("0+")
    assignment_epoch: int32 = field("0+")
    assignor_name: string = field("0+")
    members: list[Member] = field("0+")
    # bit n: AclOperation n; lowest int32: not asked for
    authorized_operations: int32 = field("0+", default=OPERATIONS_NOT_ASKED_FOR)


class ConsumerGroupDescribeResponse(Response, key=69, versions="0-1", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    groups: list[DescribedGroup] = field("0+")
