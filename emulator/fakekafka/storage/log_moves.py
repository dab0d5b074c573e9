"""Moving a partition's log to another log directory of the same broker (KIP-113, ReplicaAlterLogDirsThread).

A log named `-future` is made there and filled from the one that is, chunk by chunk as a follower fetches; once it has
all, it takes the other's place, and the other waits as `-delete` to be deleted. The one fact to know: here that is done
before the request that asks for it is answered, while a real broker takes a moment, in which both are there.
"""

from typing import TYPE_CHECKING

from fakekafka.cluster.replication.copying import append_copy
from fakekafka.errors import ErrorCode
from fakekafka.ids import TimestampMs
from fakekafka.log import names
from fakekafka.log.partition_log import PartitionLog
from fakekafka.pieces import joined
from fakekafka.storage.deletion import delete_later, mark
from fakekafka.storage.log_dirs import LogDir
from fakekafka.storage.partition import Partition

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


def move(broker: "Broker", partition: Partition, log_dir: LogDir) -> None:
    """Have a partition that lies elsewhere in `log_dir` from now on."""
    topic, index = partition.topic, partition.index
    unique = broker.cluster.new_uuid().replace("-", "")
    future_name = names.marked_directory(topic.name, index, unique, names.FUTURE_DIRECTORY, None)
    future = broker.logs.open_future(future_name, topic, log_dir)
    _finish(broker, partition, future_name, future)


def finish_moves(broker: "Broker") -> None:
    """Go on with what the last stop has interrupted."""
    for key, (name, future) in broker.logs.unfinished_moves():
        _finish(broker, broker.partitions[key], name, future)


def _finish(broker: "Broker", partition: Partition, future_name: str, future: PartitionLog) -> None:
    now, chunk_bytes = broker.cluster.clock.now_ms, broker.config.int("replica.fetch.max.bytes", 1 << 20)
    future.truncate_to(partition.log.log_end_offset, now)
    _copy(partition.log, future, chunk_bytes, now)
    future.on_high_watermark(partition.high_watermark)
    _swap(broker, partition, future_name, future, now)


def is_too_long(topic: str, index: int) -> bool:
    """Would the directory's name be longer than file systems allow?"""
    return len(names.marked_directory(topic, index, "0" * 32, names.FUTURE_DIRECTORY, None)) > names.LONGEST_NAME


def _copy(source: PartitionLog, target: PartitionLog, chunk_bytes: int, now: TimestampMs) -> None:
    if source.log_start_offset > target.log_end_offset:
        target.truncate_fully_and_start_at(source.log_start_offset, now)
    while target.log_end_offset < source.log_end_offset:
        found = source.read(target.log_end_offset, chunk_bytes, source.log_end_offset, min_one=True)
        if isinstance(found, ErrorCode) or not append_copy(target, joined(found.buffers), now):
            return
    target.advance_log_start(source.log_start_offset)


def _swap(broker: "Broker", partition: Partition, future_name: str, future: PartitionLog, now: TimestampMs) -> None:
    topic, index = partition.topic.name, partition.index
    name = names.partition_directory(topic, index)
    marked = mark(broker, name, topic, index, names.DELETE_DIRECTORY)
    broker.log_dirs.rename_directory(future_name, name)
    partition.log = future
    broker.logs.replace(topic, index, future).close(now)
    broker.logs.write_recovery_points()
    broker.logs.write_log_starts()
    if marked is not None:
        delete_later(broker, marked)
