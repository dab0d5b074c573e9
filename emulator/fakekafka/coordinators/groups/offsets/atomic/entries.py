"""Messages of the "offset-commit-log": one for each offset, several for a commit.

    key      "group-topic-partition"; ambiguous, because names may contain hyphens too

    value    at    size
             0     8      offset
             8     8      transaction id: the commit to which it belongs
             16    4      transaction size: how many offsets that commit has
             20           metadata, UTF-8: the design's messages have none, but gives it back

For example offset 7 with metadata "m", in commit 3 of 2 offsets: 0000000000000007 0000000000000003 00000002 6d.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from struct import Struct
from typing import Final, NamedTuple

from fakekafka.errors import MalformedBytes
from fakekafka.ids import Offset, PartitionIndex, TimestampMs, TopicName
from fakekafka.records.record import Record

HEAD: Final = Struct(">qqi")


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


def key_of(group: str, topic: TopicName, partition: PartitionIndex) -> str:
    """The key of an offset."""
    return f"{group}-{topic}-{partition}"


def offset_key_of(key: str, topics: Iterable[TopicName]) -> tuple[str, TopicName, PartitionIndex]:
    """Group, topic and partition of a key: of all possible readings, the one with the longest of these topics.

    Raises `MalformedBytes`.
    """
    head, _, number = key.rpartition("-")
    if not head or not number.isdecimal():
        raise MalformedBytes(f"a key {key!r}")
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


def entry_of(record: Record, topics: Iterable[TopicName]) -> Entry:
    """The content of a record. Raises `MalformedBytes`."""
    try:
        key = bytes(record.key or b"").decode()
    except UnicodeDecodeError as e:
        raise MalformedBytes(str(e)) from None
    offset_key_of(key, topics)
    return Entry(record.offset, key, None if record.value is None else read_value(record.value), record.timestamp)


class Commit(NamedTuple):
    """The existing messages of one commit, one after the other."""

    entries: list[Entry]
    is_whole: bool


def commits(entries: Iterable[Entry], start: Offset, end: Offset) -> Iterator[Commit]:
    """The commits in a log that reaches from `start` to `end`.

    A commit is whole if as many messages with its id follow each other as it says. Messages that the cleaner has
    removed leave gaps between offsets, those that were never written do not: so gaps next to a commit count in its
    favour.
    """
    found = [list(group) for _, group in groupby(entries, key=_transaction)]
    behind = [group[0].at for group in found[1:]] + [end]
    for group, next_start in zip(found, behind):
        value = group[0].value
        yield Commit(group, value is None or next_start - start >= value.size)
        start = group[-1].at + 1


def _transaction(entry: Entry) -> int | None:
    return None if entry.value is None else entry.value.transaction
