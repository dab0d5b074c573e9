"""Moving a partition's log to another log directory of the same broker (KIP-113, ReplicaAlterLogDirsThread).

A log named `-future` is created there and filled from the current one, chunk by chunk as a follower fetches; once it
has everything, it replaces the current one, which waits as `-delete` to be deleted. Here that is done before the
request that asks for it is answered; a real broker takes a moment, during which both exist.
"""

from collections.abc import Sequence

from fakekafka.errors import ErrorCode
from fakekafka.ids import TimestampMs
from fakekafka.log import names
from fakekafka.log.partition_log import PartitionLog
from fakekafka.pieces import joined
from fakekafka.storage.copying import append_copy
from fakekafka.storage.hosted_partitions import Key
from fakekafka.storage.log_dirs import LogDir
from fakekafka.storage.log_manager import LogManager, Moving
from fakekafka.storage.partition import Partition


def move(logs: LogManager, partition: Partition, log_dir: LogDir) -> None:
    """Move a partition to `log_dir`."""
    topic, index = partition.topic, partition.index
    unique = logs.host.cluster.new_uuid().replace("-", "")
    future_name = names.marked_directory(topic.name, index, unique, names.FUTURE_DIRECTORY, None)
    future = logs.open_future(future_name, topic, log_dir)
    _finish(logs, partition, future_name, future)


def finish_moves(logs: LogManager, moves: Sequence[tuple[Key, Moving]]) -> None:
    """Continue moves that the last stop interrupted."""
    for key, (name, future) in moves:
        _finish(logs, logs.host.partitions[key], name, future)


def _finish(logs: LogManager, partition: Partition, future_name: str, future: PartitionLog) -> None:
    now, chunk_bytes = logs.host.cluster.clock.now_ms, logs.host.config.int("replica.fetch.max.bytes", 1 << 20)
    future.truncate_to(partition.log.log_end_offset, now)
    _copy(partition.log, future, chunk_bytes, now)
    future.on_high_watermark(partition.high_watermark)
    _swap(logs, partition, future_name, future, now)


def is_too_long(topic: str, index: int) -> bool:
    """Whether the directory's name would be longer than file systems allow."""
    return len(names.marked_directory(topic, index, "0" * 32, names.FUTURE_DIRECTORY, None)) > names.LONGEST_NAME


def _copy(source: PartitionLog, target: PartitionLog, chunk_bytes: int, now: TimestampMs) -> None:
    if source.log_start_offset > target.log_end_offset:
        target.truncate_fully_and_start_at(source.log_start_offset, now)
    while target.log_end_offset < source.log_end_offset:
        read_slice = source.read(target.log_end_offset, chunk_bytes, source.log_end_offset, min_one=True)
        if isinstance(read_slice, ErrorCode) or not append_copy(target, joined(read_slice.buffers), now):
            return
    target.advance_log_start(source.log_start_offset)


def _swap(logs: LogManager, partition: Partition, future_name: str, future: PartitionLog, now: TimestampMs) -> None:
    topic, index = partition.topic.name, partition.index
    name = names.partition_directory(topic, index)
    source = logs.host.log_dirs.holding(name)
    marked = logs.deletion.mark(name, topic, index, names.DELETE_DIRECTORY)
    logs.host.log_dirs.rename_directory(future_name, name)
    partition.log = future
    logs.replace(topic, index, future).close(now)
    logs.checkpoints.after_move(source)
    if marked is not None:
        logs.deletion.delete_later(marked)
