"""DescribeLogDirs, key 35: log directories of a broker, with the sizes of the partitions in them (KIP-113).

Behaviour: there is one directory. Null asks for everything in it. What is asked for and not there is left out.
Versions: 0 - 5.
v4: size of the disk and what is free (KIP-827): a made-up disk here. v5: is the directory cordoned (KIP-1066)? Never.
Not done: several directories, and partitions on their way from one to the other.
"""

from fakekafka.broker.partition import Partition
from fakekafka.handlers.call import Call
from fakekafka.ids import PartitionIndex, TopicName
from fakekafka.wire.apis.describe_log_dirs import (
    DescribeLogDirsPartition,
    DescribeLogDirsRequest,
    DescribeLogDirsResponse,
    DescribeLogDirsResult,
    DescribeLogDirsTopic,
)

DISK_BYTES = 1 << 40
"""The made-up disk."""


def handle(request: DescribeLogDirsRequest, call: Call) -> DescribeLogDirsResponse:
    """The one directory."""
    partitions = call.broker.partitions
    sizes = {key: _size(partition) for key, partition in partitions.items()}
    wanted: set[tuple[TopicName, PartitionIndex]] = set(partitions)
    if request.topics is not None:
        wanted &= {(asked.topic, index) for asked in request.topics for index in asked.partitions}
    everything = call.profile.admin.log_dirs_topics == "all"
    topics: dict[TopicName, list[DescribeLogDirsPartition]] = {}
    for name, index in partitions:
        if everything:
            topics.setdefault(name, [])
        if (name, index) in wanted:
            found = DescribeLogDirsPartition(partition_index=index, partition_size=sizes[name, index])
            topics.setdefault(name, []).append(found)
    result = DescribeLogDirsResult(
        log_dir=call.broker.log_dir,
        topics=[DescribeLogDirsTopic(name=name, partitions=found) for name, found in topics.items()],
        total_bytes=DISK_BYTES,
        usable_bytes=DISK_BYTES - sum(sizes.values()),
    )
    return DescribeLogDirsResponse(results=[result])


def _size(partition: Partition) -> int:
    return sum(segment.size for segment in partition.log.segments)
