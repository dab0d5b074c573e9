"""AlterReplicaLogDirs, key 34: move partitions to other log directories of the same broker (KIP-113).

Behaviour: the broker has one directory; asked to move there, a partition that is there already stays. Any other is 57.
Versions: 0 - 2, all alike.
Not done: several directories.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.ids import PartitionIndex, TopicName
from fakekafka.wire.apis.alter_replica_log_dirs import (
    AlterReplicaLogDirPartitionResult,
    AlterReplicaLogDirsRequest,
    AlterReplicaLogDirsResponse,
    AlterReplicaLogDirTopicResult,
)


def handle(request: AlterReplicaLogDirsRequest, call: Call) -> AlterReplicaLogDirsResponse:
    """What becomes of each partition."""
    errors: dict[TopicName, dict[PartitionIndex, ErrorCode]] = {}
    for directory in request.dirs:
        for topic in directory.topics:
            for index in topic.partitions:
                errors.setdefault(topic.name, {})[index] = _move(topic.name, index, directory.path, call)
    return AlterReplicaLogDirsResponse(
        results=[
            AlterReplicaLogDirTopicResult(
                topic_name=name,
                partitions=[
                    AlterReplicaLogDirPartitionResult(partition_index=n, error_code=e) for n, e in found.items()
                ],
            )
            for name, found in errors.items()
        ]
    )


def _move(name: TopicName, index: PartitionIndex, path: str, call: Call) -> ErrorCode:
    if path != call.broker.log_dir:
        return ErrorCode.LOG_DIR_NOT_FOUND
    return ErrorCode.NONE if (name, index) in call.broker.partitions else ErrorCode.REPLICA_NOT_AVAILABLE
