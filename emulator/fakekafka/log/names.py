"""Every file and directory name of a log directory; nothing else spells one.

A partition's files are named by the base offset of their segment, twenty digits long, and a suffix; a producer snapshot
by the offset up to which it is valid. Kafka has the names in `Log.scala` (up to 3.0), and in `UnifiedLog` and
`LogFileUtils` (later).
"""

from typing import Final

from fakekafka.ids import Offset, PartitionIndex, TopicName, TopicPartition

LOG: Final = ".log"
OFFSET_INDEX: Final = ".index"
TIME_INDEX: Final = ".timeindex"
TXN_INDEX: Final = ".txnindex"
SNAPSHOT: Final = ".snapshot"
SEGMENT_SUFFIXES: Final = (LOG, OFFSET_INDEX, TIME_INDEX, TXN_INDEX)
"""The files of one segment, in the order in which brokers rename and delete them."""
BESIDE_LOG: Final = (OFFSET_INDEX, TIME_INDEX, TXN_INDEX, SNAPSHOT)
"""The files with an offset in their names that are beside a log."""

DELETED: Final = ".deleted"
CLEANED: Final = ".cleaned"
SWAP: Final = ".swap"
TEMPORARY: Final = ".tmp"

LEADER_EPOCHS: Final = "leader-epoch-checkpoint"
PARTITION_METADATA: Final = "partition.metadata"

RECOVERY_POINTS: Final = "recovery-point-offset-checkpoint"
HIGH_WATERMARKS: Final = "replication-offset-checkpoint"
LOG_STARTS: Final = "log-start-offset-checkpoint"
CLEANER_OFFSETS: Final = "cleaner-offset-checkpoint"
META_PROPERTIES: Final = "meta.properties"
CLEAN_SHUTDOWN: Final = ".kafka_cleanshutdown"
LOCK: Final = ".lock"
CLUSTER_FILE: Final = "fakekafka-cluster.json"
"""Not one of Kafka's files: it holds what ZooKeeper or the quorum would know. Brokers only look at directories and
never see it.
"""

METADATA_DIRECTORY: Final = "__cluster_metadata-0"
REMOTE_INDEX_CACHE: Final = "remote-log-index-cache"
NO_PARTITIONS: Final = frozenset({METADATA_DIRECTORY, REMOTE_INDEX_CACHE})
"""Directories of the quorum and of tiered storage."""
DELETE_DIRECTORY: Final = "-delete"
FUTURE_DIRECTORY: Final = "-future"
STRAY_DIRECTORY: Final = "-stray"
LONGEST_NAME: Final = 255
"""The limit of file systems, to which KAFKA-4893 cuts the name of a directory that is being deleted."""


def of_offset(offset: Offset, suffix: str) -> str:
    """`00000000000000000042.log` for 42 and ".log"."""
    return f"{offset:020d}{suffix}"


def offset_of(name: str) -> Offset | None:
    """42 for `00000000000000000042.log`; None for a name that does not begin with a number and a dot."""
    digits, dot, _ = name.partition(".")
    return int(digits) if dot and digits.isascii() and digits.isdigit() else None


def is_segment_file(name: str, suffix: str) -> bool:
    """Whether `name` consists of an offset and exactly `suffix`."""
    return name.endswith(suffix) and name[: -len(suffix)].isdigit()


def is_beside_log(name: str) -> bool:
    """Whether only a partition's directory has a file of that name, and it is not a log."""
    return name in (LEADER_EPOCHS, PARTITION_METADATA) or any(is_segment_file(name, suffix) for suffix in BESIDE_LOG)


def partition_directory(topic: TopicName, partition: PartitionIndex) -> str:
    """`orders-3`."""
    return f"{topic}-{partition}"


def marked_directory(topic: TopicName, partition: PartitionIndex, unique: str, mark: str, longest: int | None) -> str:
    """`orders-3.<32 hex digits>-delete`. `longest`: cut the topic's part so that the whole has at most that many
    characters.
    """
    tail = f"-{partition}.{unique}{mark}"
    return topic[: None if longest is None else longest - len(tail)] + tail


def partition_of(directory: str) -> TopicPartition | None:
    """("orders", 3) for `orders-3`; None for a marked directory and for anything that is not a partition."""
    topic, dash, digits = directory.rpartition("-")
    if not (topic and dash and digits.isascii() and digits.isdigit()):
        return None
    return topic, int(digits)
