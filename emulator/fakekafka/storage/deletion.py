"""Directories of deleted partitions: renamed to `-delete` first and removed later, from 0.10.2 on (LogManager).

How long they stay is `log.segment.delete.delay.ms` of the broker. What a stop leaves is found by its name at the next
start and removed after the same delay.
"""

import errno
from typing import TYPE_CHECKING

from fakekafka.ids import DurationMs, PartitionIndex, TopicName
from fakekafka.log.names import DELETE_DIRECTORY, LONGEST_NAME, marked_directory, partition_directory
from fakekafka.log.partition_log import PartitionLog

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

DELAY = "log.segment.delete.delay.ms"
DEFAULT_DELAY_MS = 60_000


def discard(broker: "Broker", topic: TopicName, index: PartitionIndex, log: PartitionLog) -> bool:
    """The partition is deleted: its directory goes, now or later. False: the broker dies of it."""
    name = partition_directory(topic, index)
    if broker.profile.log.deleted_directory == "removed":
        log.crash()
        broker.log_dirs.delete_directory(name)
        return True
    if broker.profile.log_directory.deleted_log == "closed":
        log.close(broker.cluster.clock.now_ms)
    else:
        log.crash()
    marked = mark(broker, name, topic, index, DELETE_DIRECTORY)
    if marked is not None:
        delete_later(broker, marked)
    elif broker.profile.log_directory.disk_errors == "storage error":
        broker.logs.on_disk_error(OSError(errno.ENAMETOOLONG, "File name too long", name))
        return False
    return True


def mark(broker: "Broker", name: str, topic: TopicName, index: PartitionIndex, ending: str) -> str | None:
    """Rename a directory; the new name. None: no file system has such a name, and all stays (KAFKA-4893); from 1.0 to
    2.2.1 the broker dies of it.
    """
    unique = broker.cluster.new_uuid().replace("-", "")
    longest = LONGEST_NAME if broker.profile.log.deleted_directory == "renamed, cut" else None
    marked = marked_directory(topic, index, unique, ending, longest)
    if len(marked) > LONGEST_NAME:
        return None
    broker.log_dirs.rename_directory(name, marked)
    return marked


def delete_later(broker: "Broker", name: str) -> None:
    """Remove a directory when its time has come."""
    wait_ms = _wait_ms(broker)
    broker.timers.after(wait_ms, lambda: broker.log_dirs.delete_directory(name))


def _wait_ms(broker: "Broker") -> DurationMs:
    """Nothing is removed before the first round; then in rounds, or each after its own delay."""
    delay_ms = broker.config.int(DELAY, DEFAULT_DELAY_MS)
    first_ms = max(0, broker.logs.background.first_check_ms - broker.logs.background.runs_ms)
    if broker.profile.log_directory.deletion_delay == "full":
        return max(first_ms, delay_ms)
    return first_ms or (-(broker.logs.background.runs_ms - broker.logs.background.first_check_ms) % max(1, delay_ms))
