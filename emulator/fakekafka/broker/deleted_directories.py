"""Directories of deleted partitions: renamed to `-delete` first and removed later, from 0.10.2 on (LogManager).

How long they stay is `log.segment.delete.delay.ms` of the broker. What a stop leaves is found by its name at the next
start and removed after the same delay.
"""

from typing import TYPE_CHECKING

from fakekafka.ids import PartitionIndex, TopicName
from fakekafka.log.names import DELETE_DIRECTORY, LONGEST_NAME, marked_directory, partition_directory

if TYPE_CHECKING:
    from fakekafka.broker.broker import Broker

DELAY = "log.segment.delete.delay.ms"
DEFAULT_DELAY_MS = 60_000


def discard(broker: "Broker", topic: TopicName, index: PartitionIndex) -> None:
    """The partition is deleted: its directory goes, now or later."""
    how = broker.profile.log.deleted_directory
    name = partition_directory(topic, index)
    if how == "removed":
        broker.directory.delete_directory(name)
        return
    unique = broker.cluster.new_uuid().replace("-", "")
    marked = marked_directory(topic, index, unique, DELETE_DIRECTORY, LONGEST_NAME if how == "renamed, cut" else None)
    if len(marked) > LONGEST_NAME:
        return  # no file system has such a name: the directory stays (KAFKA-4893)
    broker.directory.rename_directory(name, marked)
    _remove_later(broker, marked)


def remove_left_behind(broker: "Broker") -> None:
    """Remove, after the delay, what was deleted before the broker started."""
    for name in broker.directory.directories():
        if name.endswith(DELETE_DIRECTORY):
            _remove_later(broker, name)


def _remove_later(broker: "Broker", name: str) -> None:
    delay_ms = broker.config.int(DELAY, DEFAULT_DELAY_MS)
    broker.cluster.timers.after(delay_ms, lambda: broker.directory.delete_directory(name))
