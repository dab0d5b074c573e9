"""DescribeLogDirs, key 35: log directories of a broker, with the sizes of the partitions in them (KIP-113).

Behaviour: every directory in the order of `log.dirs`. Null asks for all partitions. Partitions that are not there are
left out. A directory that has failed has only error 56.
Versions: 0 - 5.
v4: size and free space of the disk (KIP-827), made up here. v5: whether the directory is cordoned (KIP-1066), which it
never is here.
Not done: partitions on their way from one directory to another: a move is complete when it is answered.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.ids import TopicName, TopicPartition
from fakekafka.log.partition_log import PartitionLog
from fakekafka.storage.log_dirs import LogDir
from fakekafka.wire.apis.describe_log_dirs import (
    DescribeLogDirsPartition,
    DescribeLogDirsRequest,
    DescribeLogDirsResponse,
    DescribeLogDirsResult,
    DescribeLogDirsTopic,
)

DISK_BYTES = 1 << 40
"""The size of the made-up disk."""
NO_LAG = -1
"""The lag of a log whose partition the broker does not host (ReplicaManager.getLogEndOffsetLag)."""


def handle(request: DescribeLogDirsRequest, call: Call) -> DescribeLogDirsResponse:
    """Describe every directory."""
    asked = None if request.topics is None else {(t.topic, index) for t in request.topics for index in t.partitions}
    return DescribeLogDirsResponse(results=[_described(log_dir, asked, call) for log_dir in call.broker.log_dirs.all])


def _described(log_dir: LogDir, asked: set[TopicPartition] | None, call: Call) -> DescribeLogDirsResult:
    if not log_dir.is_online:
        return DescribeLogDirsResult(error_code=ErrorCode.KAFKA_STORAGE_ERROR, log_dir=log_dir.path, topics=[])
    dirs, partitions = call.broker.log_dirs, call.broker.partitions
    strays = {key: _size(log) for key, log in strays_of(call).items() if dirs.of(*key) is log_dir}
    sizes = {key: _size(hosted.log) for key, hosted in partitions.items() if dirs.of(*key) is log_dir} | strays
    everything = call.profile.admin.log_dirs_topics == "all"
    topics: dict[TopicName, list[DescribeLogDirsPartition]] = {}
    for (name, index), size in sizes.items():
        if everything:
            topics.setdefault(name, [])
        if asked is None or (name, index) in asked:
            lag = NO_LAG if (name, index) in strays else 0
            described = DescribeLogDirsPartition(partition_index=index, partition_size=size, offset_lag=lag)
            topics.setdefault(name, []).append(described)
    return DescribeLogDirsResult(
        log_dir=log_dir.path,
        topics=[DescribeLogDirsTopic(name=name, partitions=described) for name, described in topics.items()],
        total_bytes=DISK_BYTES,
        usable_bytes=DISK_BYTES - sum(sizes.values()),
    )


def strays_of(call: Call) -> dict[TopicPartition, PartitionLog]:
    """The logs of partitions that the broker should no longer host: a broker under ZooKeeper keeps them."""
    hosted = call.broker.partitions
    return {key: log for key, log in call.broker.logs.logs.items() if key not in hosted}


def _size(log: PartitionLog) -> int:
    return sum(segment.size for segment in log.segments)
