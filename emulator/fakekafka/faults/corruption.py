"""Records damaged in transit: in a Produce before the broker reads them, in a Fetch before the client does."""

from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, TypeAlias, TypeVar, assert_never, get_args

from fakekafka.errors import UsageError
from fakekafka.faults.actions import Action, Fault, on_answers
from fakekafka.faults.match import Match, api_name
from fakekafka.faults.subjects import TopicNamed, partition_of, topic_of
from fakekafka.handlers.call import Result
from fakekafka.ids import ApiKey, TopicName
from fakekafka.pieces import buffers
from fakekafka.wire.message import Struct

S = TypeVar("S", bound=Struct)
How: TypeAlias = Literal["flip a byte", "bad crc", "cut"]
WITH_RECORDS: Final = (ApiKey.PRODUCE, ApiKey.FETCH, ApiKey.SHARE_FETCH)
MAGIC_AT: Final = 16
"""The position of the magic byte in a message or batch of every format."""
CRC_AT: Final = {0: 12, 1: 12, 2: 17}
"""The position of the checksum in each format."""
LEAST: Final = 26
"""The shortest message or batch of any format."""


@dataclass(frozen=True)
class Corrupt(Action):
    """Damage the records of every topic and partition that the rule matches.

    `how`: "flip a byte" (the last one of the first batch: content, covered by the checksum), "bad crc" (the checksum
    itself), "cut" (the last third is missing). In a Fetch the client sees it, in a Produce the broker.
    """

    NAME: ClassVar[str] = "corrupt"
    how: How = "flip a byte"

    def check(self, match: Match) -> None:
        if self.how not in get_args(How):
            raise UsageError(f"how={self.how!r}: one of {', '.join(map(repr, get_args(How)))}")
        for key in match.api or (None,):
            if key not in WITH_RECORDS:
                names = ", ".join(map(api_name, WITH_RECORDS))
                raise UsageError(f"corrupt: name the API whose records are damaged: {names}")

    def run(self, fault: Fault) -> Result:
        if fault.call.key is ApiKey.PRODUCE:
            return fault.handle(self._damaged(fault.request, fault.match, fault.named))
        return on_answers(fault.proceed(), lambda answer: self._damaged(answer, fault.match, fault.named))

    def _damaged(
        self, element: S, match: Match, named: TopicNamed, within: str = "", topic: TopicName | None = None
    ) -> S:
        own = topic_of(element, within, named)
        topic = own if own is not None else topic
        values = dict(vars(element))
        for name, spec in element.FIELDS.items():
            value = values.get(name)
            if not value:
                continue
            if spec.kind == "records":
                if topic is None or match.fits(topic, partition_of(element)):
                    values[name] = damaged(whole(value), self.how)
            elif spec.is_array and spec.struct is not None:
                values[name] = [self._damaged(each, match, named, name, topic) for each in value]
        return type(element)(**values)


def damaged(records: bytes, how: How) -> bytes:
    """Records damaged in one way. Bytes that are too short for a batch stay unchanged."""
    if len(records) < LEAST:
        return records
    match how:
        case "cut":
            return records[: len(records) - len(records) // 3]
        case "bad crc":
            at = CRC_AT.get(records[MAGIC_AT], CRC_AT[0])
        case "flip a byte":
            at = _end_of_first(records) - 1
        case _:
            assert_never(how)
    return records[:at] + bytes([records[at] ^ 0xFF]) + records[at + 1 :]


def _end_of_first(records: bytes) -> int:
    size = int.from_bytes(records[8:12], "big", signed=True) + 12
    return size if LEAST <= size <= len(records) else len(records)


def whole(records: Any) -> bytes:
    """Records as one buffer, whatever pieces they are in."""
    if isinstance(records, (bytes, bytearray, memoryview)):
        return bytes(records)
    return b"".join(buffers(records))
