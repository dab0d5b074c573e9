"""AlterReplicaLogDirs, key 34: move partitions to other log directories of the same broker (KIP-113).

Behaviour: a partition that lies elsewhere is moved; one that is already there stays; one that does not exist yet will
be created there, and gets 3 or 9. A directory that is not in `log.dirs` by its full name gets 57; one that has
failed gets 56.
Asked of 1.0.2 to 4.1.1. 1.0 accepts moves but carries none out.
Versions: 0 - 2, all alike.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.ids import PartitionIndex, TopicName
from fakekafka.pieces import Stepwise, in_turn
from fakekafka.storage.log_moves import is_too_long, move
from fakekafka.wire.apis.alter_replica_log_dirs import (
    AlterReplicaLogDirPartitionResult,
    AlterReplicaLogDirsRequest,
    AlterReplicaLogDirsResponse,
    AlterReplicaLogDirTopicResult,
)


@stepwise
def handle(request: AlterReplicaLogDirsRequest, call: Call) -> Stepwise[Result]:
    """Move each partition. They are moved in the order of their names, one after the other (ReplicaAlterLogDirsThread).
    Recorded at 2.4.1: random_moves.
    """
    paths = {
        (topic.name, index): directory.path  # the last one, if several are named
        for directory in request.dirs
        for topic in directory.topics
        for index in topic.partitions
    }
    outcomes = dict((yield from in_turn(lambda key: (key, _move(*key, paths[key], call)), sorted(paths))))
    errors: dict[TopicName, dict[PartitionIndex, ErrorCode]] = {}
    for name, index in paths:
        errors.setdefault(name, {})[index] = outcomes[name, index]
    return AlterReplicaLogDirsResponse(
        results=[
            AlterReplicaLogDirTopicResult(
                topic_name=name,
                partitions=[
                    AlterReplicaLogDirPartitionResult(partition_index=n, error_code=e) for n, e in partitions.items()
                ],
            )
            for name, partitions in errors.items()
        ]
    )


def _move(name: TopicName, index: PartitionIndex, path: str, call: Call) -> ErrorCode:
    broker, rules = call.broker, call.profile.admin
    if rules.long_moves_refused and is_too_long(name, index):
        return ErrorCode.INVALID_TOPIC_EXCEPTION
    log_dir = broker.log_dirs.at(path)
    if log_dir is None:
        return ErrorCode.LOG_DIR_NOT_FOUND
    if not log_dir.is_online or (name, index) in broker.offline:
        return ErrorCode.KAFKA_STORAGE_ERROR
    partition = broker.partitions.get((name, index))
    if partition is None:
        broker.log_dirs.want(name, index, log_dir)
        return rules.move_of_unknown
    if rules.moves_replicas and broker.log_dirs.of(name, index) is not log_dir:
        move(broker.logs, partition, log_dir)
    return ErrorCode.NONE
