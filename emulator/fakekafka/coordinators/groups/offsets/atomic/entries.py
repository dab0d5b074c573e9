"""Messages of the "offset-commit-log": one for each offset, several for a commit.

    key      "group-topic-partition"; ambiguous, because names may contain hyphens too

    value    at    size
             0     8      offset
             8     8      transaction id: the commit to which it belongs
             16    4      transaction size: how many offsets that commit has
             20           metadata, UTF-8: the design returns it, but its messages have no field for it

    header   "offsets-topic-end", 8 bytes, only where a transaction has committed an offset for the key, too: where
             the offsets topic ended, so that a start knows which of the two came last

For example offset 7 with metadata "m", in commit 3 of 2 offsets: 0000000000000007 0000000000000003 00000002 6d.
"""

from collections.abc import Iterable
from struct import Struct
from typing import Final, NamedTuple

from fakekafka.errors import MalformedBytes
from fakekafka.ids import NO_EPOCH, LeaderEpoch, Magic, Offset, PartitionIndex, TimestampMs, TopicName
from fakekafka.records import v0, v1, v2
from fakekafka.records.record import Record

HEAD: Final = Struct(">qqi")
DIGITS: Final = 10
"""How many digits the highest partition has. `int` refuses thousands of digits."""
SHOWN: Final = 100
"""How many characters of a key an error shows: clients may have written anything."""
TOPIC_END: Final = "offsets-topic-end"
AT: Final = Struct(">q")


class Value(NamedTuple):
    """The content of a message."""

    offset: Offset
    transaction: int
    size: int
    metadata: str


class Entry(NamedTuple):
    """A message of the log. If `value` is None, the key no longer has an offset."""

    at: Offset
    key: str
    value: Value | None
    timestamp: TimestampMs
    """The time of the commit; -1 in format 0."""
    topic_end: Offset = 0
    """Commits of transactions before this offset of the offsets topic are older."""


def key_of(group: str, topic: TopicName, partition: PartitionIndex) -> str:
    """The key of an offset."""
    return f"{group}-{topic}-{partition}"


def offset_key_of(key: str, topics: Iterable[TopicName]) -> tuple[str, TopicName, PartitionIndex]:
    """Group, topic and partition of a key: of all possible readings, the one with the longest of these topics.

    Raises `MalformedBytes`.
    """
    head, _, number = key.rpartition("-")
    if not head or not number.isdecimal() or len(number) > DIGITS or int(number) >= 1 << 31:
        raise MalformedBytes(f"a key {key[:SHOWN]!r}")
    fitting = [topic for topic in topics if head.endswith(f"-{topic}")]
    topic = max(fitting, key=len) if fitting else head.rpartition("-")[2]
    return head[: -len(topic) - 1], topic, int(number)


def value_bytes(value: Value) -> bytes:
    """The bytes of a value."""
    return HEAD.pack(value.offset, value.transaction, value.size) + value.metadata.encode("utf-8", "surrogatepass")


def read_value(data: bytes) -> Value:
    """The value that bytes hold. Raises `MalformedBytes`."""
    if len(data) < HEAD.size:
        raise MalformedBytes(f"a value of {len(data)} bytes")
    try:
        metadata = bytes(data[HEAD.size :]).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as e:
        raise MalformedBytes(str(e)) from None
    offset, transaction, size = HEAD.unpack_from(data)
    return Value(offset, transaction, size, metadata)


def message_of(entry: Entry, magic: Magic, leader_epoch: LeaderEpoch = NO_EPOCH) -> bytes:
    """The unit with this message."""
    headers = ((TOPIC_END, AT.pack(entry.topic_end)),) if entry.topic_end else ()
    value = None if entry.value is None else value_bytes(entry.value)
    record = Record(entry.at, entry.timestamp, 0, entry.key.encode(), value, headers)
    if magic == 2:
        return v2.build([record], leader_epoch=leader_epoch)
    return (v1.build if magic else v0.build)([record])


def entry_of(record: Record, topics: Iterable[TopicName]) -> Entry:
    """The content of a record. Raises `MalformedBytes`."""
    try:
        key = bytes(record.key or b"").decode()
    except UnicodeDecodeError as e:
        raise MalformedBytes(str(e)) from None
    offset_key_of(key, topics)
    value = None if record.value is None else read_value(record.value)
    return Entry(record.offset, key, value, record.timestamp, _topic_end(record))


def _topic_end(record: Record) -> Offset:
    data = dict(record.headers).get(TOPIC_END) or b""
    return int(AT.unpack(data)[0]) if len(data) == AT.size else 0
