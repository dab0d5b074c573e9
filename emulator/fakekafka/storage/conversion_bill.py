"""What conversions cost on one broker since its start: by topic, client, version of the request, and formats.

Every set that is appended and every slice that is read is counted, including those that stay as they are. The units of
a slice that is sent as stored are not examined, so only its bytes are known. CPU time is that of this process, measured
for conversions only, because measuring it costs a good part of an append. A real broker's time differs; the bill is
meant for comparing clients and phases.
"""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

from fakekafka.ids import Buffer, Magic, Offset, TopicName
from fakekafka.records.append.prepared import CpuClock, Prepared
from fakekafka.records.message import MAGIC_AT

Direction: TypeAlias = Literal["kept", "up", "down", "rebuilt"]
"""Whether the bytes stayed as they were, were converted to a newer or an older format, or rebuilt in the same one."""
Requester: TypeAlias = tuple[int, str | None]
"""The version of a request, and its client id."""
NOBODY: Final[Requester] = (-1, None)
Key: TypeAlias = tuple[str, Requester, TopicName, Direction, Magic, Magic]
"""API, requester, topic, direction, and the formats before and after."""
NUMBERS: Final = 6
"""Sets, batches, records, bytes in, bytes out, CPU time. Bytes out are 0 if the bytes stayed as they came."""
PRODUCE, FETCH = "Produce", "Fetch"
NO_FORMAT: Final = -1


class Conversion(NamedTuple):
    """What was stored or sent of one topic, for one client, API and version, and what its conversion cost."""

    topic: TopicName
    """The topic's name."""
    client_id: str
    """ "" for clients that have none."""
    api: str
    """ "Produce" or "Fetch"."""
    version: int
    """The version of the requests."""
    direction: Direction
    """Whether bytes were "kept", or converted "up" or "down", or "rebuilt" in the same format."""
    source: Magic
    """The newest format in what came, or in what was read; -1 if not examined."""
    target: Magic
    """The format that was stored, or the newest that was sent; -1 if not examined."""
    sets: int
    """Appends, or slices read."""
    batches: int
    """The number of units that were stored, or read and converted."""
    records: int
    """The number of records; of slices that were sent as stored, 0, as they are not examined."""
    bytes_in: int
    """Bytes that came, or were read."""
    bytes_out: int
    """Bytes that were stored, or sent."""
    cpu_ns: int
    """CPU time of the conversion, in nanoseconds."""

    @property
    def zero_copy(self) -> bool:
        """Whether the bytes stayed as they were."""
        return self.direction == "kept"


class Work(NamedTuple):
    """The work of one conversion."""

    source: Magic
    target: Magic
    batches: int
    records: int
    bytes_in: int
    bytes_out: int
    cpu_ns: int

    @property
    def direction(self) -> Direction:
        if self.source == self.target:
            return "rebuilt"
        return "up" if self.source < self.target else "down"


class Appended(Protocol):
    """What the bill needs to know about an append."""

    @property
    def base_offset(self) -> Offset: ...
    @property
    def last_offset(self) -> Offset: ...
    @property
    def batches(self) -> int: ...
    @property
    def work(self) -> Work | None: ...


class ConversionBill:
    """The bill of one broker. `cpu_ns`: the clock that measures the work."""

    def __init__(self, cpu_ns: CpuClock) -> None:
        self.cpu_ns = cpu_ns
        self._lines: dict[Key, list[int]] = {}

    def appended(self, who: Requester, topic: TopicName, magic: Magic, size: int, done: Appended) -> None:
        """A set of `size` bytes was appended to a log of format `magic`. A set that was already there costs nothing."""
        batches, work = done.batches, done.work
        if work is not None and batches:
            self._add(PRODUCE, who, topic, work)
        elif batches:
            line = self._line((PRODUCE, who, topic, "kept", magic, magic))
            line[0] += 1
            line[1] += batches
            line[2] += done.last_offset - done.base_offset + 1
            line[3] += size

    def sent(self, who: Requester, topic: TopicName, size: int) -> None:
        """A slice of `size` bytes was sent as it is stored."""
        line = self._line((FETCH, who, topic, "kept", NO_FORMAT, NO_FORMAT))
        line[0] += 1
        line[3] += size

    def sent_converted(self, who: Requester, topic: TopicName, work: Work) -> None:
        """A slice was converted, and sent."""
        self._add(FETCH, who, topic, work)

    def _add(self, api: str, who: Requester, topic: TopicName, work: Work) -> None:
        line = self._line((api, who, topic, work.direction, work.source, work.target))
        for n, more in enumerate((1, *work[2:])):
            line[n] += more

    def _line(self, key: Key) -> list[int]:
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = [0] * NUMBERS
        return line

    def lines(self) -> list[Conversion]:
        """The bill so far, by topic and client."""
        rows = []
        for (api, (version, client), topic, direction, source, target), numbers in self._lines.items():
            sets, batches, records, bytes_in, bytes_out, cpu_ns = numbers
            bytes_out = bytes_in if direction == "kept" else bytes_out
            formats = (direction, source, target)
            rows.append(
                Conversion(
                    topic, client or "", api, version, *formats, sets, batches, records, bytes_in, bytes_out, cpu_ns
                )
            )
        return sorted(rows)

    def clear(self) -> None:
        """Begin a new bill."""
        self._lines.clear()


def total(bills: Sequence[ConversionBill]) -> list[Conversion]:
    """The bills of several brokers as one."""
    whole = ConversionBill(int)  # the sum measures nothing itself
    for bill in bills:
        for key, numbers in bill._lines.items():
            line = whole._line(key)
            line[:] = map(sum, zip(line, numbers, strict=True))
    return whole.lines()


def work_of_append(records: Buffer, made: Prepared, magic: Magic) -> Work:
    """What was done to `records`, which did not stay as they came, before they were stored in format `magic`."""
    count = made.last_offset - made.first_offset + 1
    return Work(records[MAGIC_AT], magic, len(made.batches), count, len(records), len(made.data), made.cpu_ns)
