"""What an upgrade means to clients, step by step: whose records stay as they are, are converted, or are refused.

Two questions. `outcome` asks what a phase does with one client, from what the release and its format say alone.
`costs` asks what it does with one client and the records that a directory holds (`scan.py`).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

from fakekafka.ids import ApiKey, Magic, TopicName
from fakekafka.releases.client_versions import Client, Spoken
from fakekafka.releases.message_formats import format_is_fixed, format_of
from fakekafka.releases.phases import Phase
from fakekafka.releases.profile import profile
from fakekafka.upgrade.scan import Held

FIRST_OF_ZSTD: Final = 10
"""The first version of Fetch that reads zstd (KIP-110)."""


class Outcome(NamedTuple):
    """What happens to one client's records. Prints as "produce / fetch"."""

    produce: Literal["in place", "up", "down", "refused"]
    """Stored as they come, offsets apart; converted to a newer or an older format; or the version is refused."""
    fetch: Literal["zero-copy", "converted", "refused"]

    def __str__(self) -> str:
        return self.produce if self == ("refused", "refused") else f"{self.produce} / {self.fetch}"


class Cost(NamedTuple):
    """What a phase costs one client that reads a topic from its beginning, and what breaks for it."""

    phase: Phase
    client: Client
    topic: TopicName
    outcome: Outcome
    records: int
    """Records that are converted for it …"""
    size: int
    """… and bytes, as they are stored."""
    breaks: list[str]

    @property
    def is_free(self) -> bool:
        """Does everything stay as it is?"""
        return self.outcome == ("in place", "zero-copy") and not self.breaks


def outcome(client: Client, phase: Phase, own: str | None = None) -> Outcome:
    """What `phase` does with the records of a client. `own`: `message.format.version` of a topic that has one."""
    spoken = client.towards(phase.release)
    if spoken is None:
        return Outcome("refused", "refused")
    accepted, magic = profile(phase.release, phase.mode).accepted, format_in(phase, own)
    fits = {key: accepted[key].low <= version <= accepted[key].high for key, version in _versions(spoken)}
    change: Literal["in place", "up", "down"] = "in place"
    if spoken.writes != magic:
        change = "up" if spoken.writes < magic else "down"
    reading: Literal["zero-copy", "converted"] = "zero-copy" if magic <= spoken.reads else "converted"
    return Outcome(change if fits[ApiKey.PRODUCE] else "refused", reading if fits[ApiKey.FETCH] else "refused")


def format_in(phase: Phase, own: str | None) -> Magic:
    """The format of a topic with a `message.format.version` of its own, or without."""
    rule = profile(phase.release, phase.mode).log.message_format
    fixed = rule in ("oldest", "newest") or (
        rule == "configured below protocol 3.0" and format_is_fixed(phase.protocol or phase.release.line)
    )
    magic = None if own is None or fixed else format_of(own)
    return phase.magic if magic is None else magic


def costs(phases: Iterable[Phase], clients: Sequence[Client], held: Sequence[Held]) -> Iterator[Cost]:
    """What each phase costs each client at each topic."""
    for phase in phases:
        for client in clients:
            for topic in held:
                yield _cost(phase, client, topic)


def _cost(phase: Phase, client: Client, topic: Held) -> Cost:
    found, spoken = outcome(client, phase, topic.format_version), client.towards(phase.release)
    records = size = 0
    if found.fetch == "converted" and spoken is not None:
        newer = [units for units in topic.units if units.magic > spoken.reads]
        records, size = sum(units.records for units in newer), sum(units.size for units in newer)
    breaks = [] if spoken is None else list(_breaks(found, spoken, phase, topic))
    return Cost(phase, client, topic.name, found, records, size, breaks)


def _breaks(found: Outcome, spoken: Spoken, phase: Phase, topic: Held) -> Iterator[str]:
    rules = profile(phase.release, phase.mode).fetch
    newer = [units for units in topic.units if units.magic > spoken.reads]
    if found.fetch == "refused":
        yield f"Fetch {spoken.fetch} is not served any more"
    if found.produce == "refused":
        yield f"Produce {spoken.produce} is not served any more"
    if found.fetch == "zero-copy" and newer:
        yield f"gets {sum(u.units for u in newer)} units of a format that it cannot read (FORMAT-LOWERED)"
    if spoken.fetch < FIRST_OF_ZSTD and any(units.zstd for units in topic.units):
        yield "zstd: error 76, or records that it cannot read (KIP-110)"
    if found.fetch == "converted" and any(units.headers for units in newer):
        yield "headers fail the fetch (KAFKA-6739)" if rules.converted_headers == "error" else "headers are lost"
    if found.fetch == "converted" and any(units.control for units in newer):
        stays = rules.nothing_converted in ("empty", "raw")
        yield "may stand still at markers (EMPTY-CONVERTED)" if stays else "fillers at markers (KIP-283-OVERFLOW)"
    if spoken.writes == 2 and format_in(phase, topic.format_version) < 2:
        yield "idempotent producers get error 43, headers -1 (UNSUPPORTED-FORMAT-43)"


def _versions(spoken: Spoken) -> Iterator[tuple[ApiKey, int]]:
    return iter(((ApiKey.PRODUCE, spoken.produce), (ApiKey.FETCH, spoken.fetch)))
