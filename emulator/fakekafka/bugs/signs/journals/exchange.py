"""One line of a journal, with the records in it read once for all signs."""

from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple

from fakekafka.bugs.signs.units import batches
from fakekafka.errors import ErrorCode
from fakekafka.ids import Offset, PartitionIndex, TopicName, TopicPartition
from fakekafka.inspection.journal_lines import JournalLine
from fakekafka.records.batch import Batch
from fakekafka.wire.plain import HEX

FIRST_WITH_TOPIC_IDS: Final = 13
"""The first version of Produce and of Fetch that names topics by their ids."""


class Sent(NamedTuple):
    """What a Produce request holds for one partition, and what became of it."""

    topic: TopicName
    partition: PartitionIndex
    data: bytes
    batches: list[Batch]
    error: int | None
    """The error in the answer; None: there was no answer."""
    base_offset: Offset
    version: int
    """The version of the request."""

    @property
    def place(self) -> TopicPartition:
        """The partition that it was sent to."""
        return self.topic, self.partition

    @property
    def is_taken(self) -> bool:
        """Whether the broker has accepted it."""
        return self.error == ErrorCode.NONE


class Given(NamedTuple):
    """What the answer to a consumer's Fetch holds for one partition."""

    topic: TopicName
    partition: PartitionIndex
    offset: Offset
    """The offset that was asked for; -1 if it is not known."""
    max_bytes: int
    error: int
    high_watermark: Offset
    data: bytes
    batches: list[Batch]

    @property
    def place(self) -> TopicPartition:
        """The partition that it comes from."""
        return self.topic, self.partition

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


def topic_names(lines: Iterable[JournalLine]) -> dict[str, TopicName]:
    """The names of topics by their ids in hexadecimal, as answers to Metadata, CreateTopics and others show them."""
    topics = (topic for line in lines for topic in (line.response or {}).get("topics") or ())
    rows = (topic for topic in topics if isinstance(topic, dict) and "topic_id" in topic and topic.get("name"))
    return {topic["topic_id"][HEX]: topic["name"] for topic in rows if topic["topic_id"][HEX].strip("0")}


class Exchange:
    """One request and how it ended. `topics`: names of topics by their ids, as `topic_names` finds them."""

    def __init__(self, line: JournalLine, topics: Mapping[str, TopicName]) -> None:
        self.line = line
        self._topics = topics
        self.api = line.api
        self.version = line.version

    @property
    def ends_closed(self) -> bool:
        """Whether the broker closed the connection instead of answering."""
        return self.line.error == "closed"

    @cached_property
    def sent(self) -> list[Sent]:
        """What is produced, by partition."""
        if self.api != "Produce":
            return []
        answers = {
            (self._name_of(topic), part["index"]): part
            for topic in (self.line.response or {"responses": []})["responses"]
            for part in topic["partition_responses"]
        }
        return [
            _sent(self.version, name, part, answers.get((name, part["index"])))
            for topic in self.line.request["topic_data"]
            for name in [self._name_of(topic)]
            for part in topic["partition_data"]
        ]

    def _name_of(self, topic: dict[str, Any]) -> TopicName:
        """The name of a topic in a Produce or a Fetch; its id in base64, as Kafka writes it, if no answer shows its
        name.
        """
        if "topic_id" not in topic:
            return str(topic["name"] if "name" in topic else topic["topic"])
        topic_id = topic["topic_id"][HEX]
        return self._topics.get(topic_id) or urlsafe_b64encode(bytes.fromhex(topic_id)).decode().rstrip("=")

    @property
    def taken(self) -> list[Sent]:
        """What is produced and accepted."""
        return [sent for sent in self.sent if sent.is_taken]

    @cached_property
    def given(self) -> list[Given]:
        """What a consumer gets, by partition, in the order of the answer."""
        line = self.line
        if self.api != "Fetch" or line.response is None or line.request.get("replica_id", -1) >= 0:
            return []
        asked = {
            (self._name_of(topic), part["partition"]): part
            for topic in line.request["topics"]
            for part in topic["partitions"]
        }
        return [
            _given(name, part, asked.get((name, part["partition_index"])))
            for topic in line.response["responses"]
            for name in [self._name_of(topic)]
            for part in topic["partitions"]
        ]


def _sent(version: int, topic: TopicName, part: dict[str, Any], answer: dict[str, Any] | None) -> Sent:
    data = _data_of(part["records"])
    error, base_offset = (None, -1) if answer is None else (answer["error_code"], answer["base_offset"])
    return Sent(topic, part["index"], data, batches(data), error, base_offset, version)


def _given(topic: TopicName, part: dict[str, Any], asked: dict[str, Any] | None) -> Given:
    data = _data_of(part["records"])
    offset, max_bytes = (-1, 0) if asked is None else (asked["fetch_offset"], asked["partition_max_bytes"])
    return Given(
        topic,
        part["partition_index"],
        offset,
        max_bytes,
        part["error_code"],
        part["high_watermark"],
        data,
        batches(data),
    )


def _data_of(records: Any) -> bytes:
    """The record bytes in a field of a message."""
    return bytes.fromhex(records[HEX]) if records else b""
