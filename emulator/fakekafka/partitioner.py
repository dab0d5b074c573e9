"""Which partition a keyed record goes to: the Java client's choice (BuiltInPartitioner, DefaultPartitioner)."""

from fakekafka.jvm.hashes import murmur2


def partition_of(key: bytes, partitions: int) -> int:
    """The partition that Java producers send `key` to."""
    return (murmur2(key) & 0x7FFFFFFF) % partitions
