"""Values of consumer groups' records as the early access of KIP-848 wrote them in 3.7, under the same types and version
as those of 3.8 (`consumer_group_records.py`). Keys, and the types that are not here, stayed as they were.

Recorded from 3.7.0 and 3.7.2: group_consumer.
"""

from fakekafka.wire.internal.consumer_group_records import TopicMetadata, TopicPartition
from fakekafka.wire.message import Message, Struct, binary, field, int8, int16, int32, string


class EarlyPartitionMetadataValue(Message, versions="0", flexible="0+"):
    """Type 4."""

    epoch: int32 = field("0+")
    topics: list[TopicMetadata] = field("0+")


class ClientAssignor(Struct):
    name: string = field("0+")
    minimum_version: int16 = field("0+")
    maximum_version: int16 = field("0+")
    reason: int8 = field("0+")
    version: int16 = field("0+")
    metadata: binary = field("0+")


class EarlyMemberMetadataValue(Message, versions="0", flexible="0+"):
    """Type 5."""

    instance_id: string | None = field("0+")
    rack_id: string | None = field("0+")
    client_id: string = field("0+")
    client_host: string = field("0+")
    subscribed_topic_names: list[string] = field("0+")
    subscribed_topic_regex: string | None = field("0+")
    rebalance_timeout_ms: int32 = field("0+", default=-1)
    server_assignor: string | None = field("0+")
    assignors: list[ClientAssignor] = field("0+")  # of the client; no broker ever used them


class EarlyTargetAssignmentMemberValue(Message, versions="0", flexible="0+"):
    """Type 7."""

    error: int8 = field("0+")
    topic_partitions: list[TopicPartition] = field("0+")
    metadata_version: int16 = field("0+")
    metadata_bytes: binary = field("0+")


class EarlyCurrentMemberAssignmentValue(Message, versions="0", flexible="0+"):
    """Type 8."""

    member_epoch: int32 = field("0+")
    previous_member_epoch: int32 = field("0+")
    target_member_epoch: int32 = field("0+")  # of the target that the member is moving to
    assigned_partitions: list[TopicPartition] = field("0+")
    partitions_pending_revocation: list[TopicPartition] = field("0+")
    partitions_pending_assignment: list[TopicPartition] = field("0+")
    error: int8 = field("0+")
    metadata_version: int16 = field("0+")
    metadata_bytes: binary = field("0+")
