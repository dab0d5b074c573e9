"""What an upgrade means for clients, step by step: whose records stay as they are, are converted, or are refused.

`outcome` says what a phase does to one client, from the release and its format alone; `costs` says what it does to one
client with the records that a directory holds (`scan.py`).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias, assert_never

from fakekafka.ids import ApiKey, Magic, TopicName
from fakekafka.records.compression import GZIP, LZ4, NONE, SNAPPY, ZSTD
from fakekafka.releases.behaviours.fetch import FetchBehaviour
from fakekafka.releases.client_versions import Client, Spoken
from fakekafka.releases.message_formats import fixed_format, format_of
from fakekafka.releases.phases import Phase
from fakekafka.releases.profile import profile
from fakekafka.upgrade.scan import Held, Units

FIRST_OF_ZSTD: Final = 10
"""The first version of Fetch that reads zstd (KIP-110)."""

MIB: Final = 1 << 20
CONVERTED_PER_CPU_S: Final = {NONE: 125 * MIB, LZ4: 53 * MIB, SNAPPY: 39 * MIB, GZIP: 5 * MIB}
"""The stored bytes that a broker converts down in a second of its CPU time, by codec: measured with a real 2.3.1. No
broker converts other codecs.
"""


Storing: TypeAlias = Literal["in place", "up", "down", "refused"]
"""Records are stored as they come except for offsets, converted to a newer or an older format, or refused because of
the request's version."""
Reading: TypeAlias = Literal["zero-copy", "converted", "refused"]


class Outcome(NamedTuple):
    """What happens to one client's records. Prints as "produce / fetch"."""

    produce: Storing
    fetch: Reading

    def __str__(self) -> str:
        return self.produce if self == ("refused", "refused") else f"{self.produce} / {self.fetch}"


class Cost(NamedTuple):
    """What a phase costs one client that reads a topic from its beginning, and what stops working for it."""

    phase: Phase
    client: Client
    topic: TopicName
    outcome: Outcome
    records: int
    """The records that are converted for the client."""
    size: int
    """The bytes of these records, as they are stored."""
    cpu_s: float
    """The CPU time of the conversion that is expected of a real broker, in seconds of one core."""
    breaks: list[str]

    @property
    def is_free(self) -> bool:
        """Whether nothing is converted and nothing breaks."""
        return self.outcome == ("in place", "zero-copy") and not self.breaks


def outcome(client: Client, phase: Phase, own: str | None = None) -> Outcome:
    """What `phase` does with the records of a client. `own`: the topic's `message.format.version`, if it is set."""
    spoken = client.towards(phase.release)
    if spoken is None:
        return Outcome("refused", "refused")
    accepted, magic = profile(phase.release, phase.mode).accepted, format_in(phase, own)
    fits = {key: accepted[key].low <= version <= accepted[key].high for key, version in _versions(spoken)}
    storing: Storing = "in place"
    if spoken.writes != magic:
        storing = "up" if spoken.writes < magic else "down"
    reading: Reading = "zero-copy" if magic <= spoken.reads else "converted"
    return Outcome(storing if fits[ApiKey.PRODUCE] else "refused", reading if fits[ApiKey.FETCH] else "refused")


def format_in(phase: Phase, own: str | None) -> Magic:
    """The format of a topic with a `message.format.version` of its own, or without."""
    rule = profile(phase.release, phase.mode).log.message_format
    if own is None or fixed_format(rule, phase.protocol or phase.release.line) is not None:
        return phase.magic
    magic = format_of(own)
    return phase.magic if magic is None else magic


def costs(phases: Iterable[Phase], clients: Sequence[Client], held: Sequence[Held]) -> Iterator[Cost]:
    """What each phase costs each client at each topic."""
    for phase in phases:
        for client in clients:
            for topic in held:
                yield _cost(phase, client, topic)


def _cost(phase: Phase, client: Client, topic: Held) -> Cost:
    expected, spoken = outcome(client, phase, topic.format_version), client.towards(phase.release)
    converted: list[Units] = []
    if expected.fetch == "converted" and spoken is not None:
        converted = [
            units for units in topic.units if units.magic > spoken.reads and units.codec in CONVERTED_PER_CPU_S
        ]
    records, size = sum(units.records for units in converted), sum(units.size for units in converted)
    cpu_s = sum(units.size / CONVERTED_PER_CPU_S[units.codec] for units in converted)
    breaks = [] if spoken is None else list(_breaks(expected, spoken, phase, topic))
    return Cost(phase, client, topic.name, expected, records, size, cpu_s, breaks)


def _breaks(expected: Outcome, spoken: Spoken, phase: Phase, topic: Held) -> Iterator[str]:
    newer = [units for units in topic.units if units.magic > spoken.reads]
    match expected.fetch:
        case "refused":
            yield f"Fetch {spoken.fetch} is no longer served"
        case "zero-copy":
            if newer:
                yield f"gets {sum(u.units for u in newer)} units of a format that it cannot read (FORMAT-LOWERED)"
        case "converted":
            yield from _broken_by_conversion(newer, profile(phase.release, phase.mode).fetch)
        case _:
            assert_never(expected.fetch)
    if expected.produce == "refused":
        yield f"Produce {spoken.produce} is no longer served"
    if spoken.fetch < FIRST_OF_ZSTD and any(units.codec == ZSTD for units in topic.units):
        yield "zstd: error 76, or records that it cannot read (KIP-110)"
    if spoken.writes == 2 and format_in(phase, topic.format_version) < 2:
        yield "idempotent producers get error 43, headers -1 (UNSUPPORTED-FORMAT-43)"


def _broken_by_conversion(units: Sequence[Units], rules: FetchBehaviour) -> Iterator[str]:
    if any(each.headers for each in units):
        match rules.converted_headers:
            case "error":
                yield "headers fail the fetch (KAFKA-6739)"
            case "dropped":
                yield "headers are lost"
            case _:
                assert_never(rules.converted_headers)
    if any(each.control for each in units):
        match rules.nothing_converted:
            case "empty" | "raw":
                yield "may stand still at markers (EMPTY-CONVERTED)"
            case "filler" | "nothing" | "read on":
                yield "fillers at markers (KIP-283-OVERFLOW)"
            case _:
                assert_never(rules.nothing_converted)


def _versions(spoken: Spoken) -> Iterator[tuple[ApiKey, int]]:
    return iter(((ApiKey.PRODUCE, spoken.produce), (ApiKey.FETCH, spoken.fetch)))
