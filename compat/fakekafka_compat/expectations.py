"""What a real client and a real broker of a release would do: versions, formats, conversions; and what cannot be run.

Versions come from recordings of the clients (`fakekafka.releases.client_versions`); a client that negotiates sends the
lower of its own highest version and the release's. Of another client, recordings are of some releases only, or of a
pinned client: its versions are judged where both rules agree, and else only told.
"""

from typing import Final, NamedTuple

from fakekafka import UsageError
from fakekafka.ids import ApiKey, Magic
from fakekafka.releases.client_versions import Client as Recorded
from fakekafka.releases.client_versions import Spoken, find_client
from fakekafka.releases.message_formats import format_of
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka_spark.observations import Cell

from fakekafka_compat.table import Client

NEWEST_FORMAT: Final[Magic] = 2
FIRST_WITH: Final = {"group": (0, 9, 0), "transactional": (0, 11, 0)}
"""The first line with what a scenario needs: JoinGroup, and InitProducerId (KIP-98)."""
FORMAT_CONFIG: Final = ((0, 10, 0), (2, 8))
"""First and last line whose topics can have another format: KIP-32, KIP-724."""
FIRST_WITH_ZSTD: Final = (2, 1)
"""KIP-110."""


class Expected(NamedTuple):
    """Of a cell."""

    produce: int | None
    """The version of Produce; None: not known of this client. `fetch` likewise."""
    fetch: int | None
    writes: Magic | None
    """The format in which the client sends."""
    stores: Magic
    """The topic's format."""

    @property
    def conversions(self) -> str | None:
        """As `conversions` of a run writes them; None: not known."""
        if self.writes is None or self.fetch is None:
            return None
        reads = Spoken(0, self.fetch, 0).reads
        lines = [f"Produce {self.writes} to {self.stores}"] if self.writes != self.stores else []
        lines += [f"Fetch {self.stores} to {reads}"] if self.stores > reads else []
        return ", ".join(sorted(lines))


def expected(client: Client, cell: Cell) -> Expected:
    """What a run of a cell, one that can be run, must show."""
    release = Release.parse(cell.release)
    stores = _magic(cell.format or release.line)
    try:
        recorded = find_client(f"{client.library}=={client.version}")
    except UsageError:  # a library that nobody recorded: a downstream project's own
        return Expected(None, None, None, stores)
    spoken, lowest = recorded.towards(release), _negotiated(recorded, release)
    if spoken is None or lowest is None:
        return Expected(None, None, None, stores)
    if client.negotiates:
        return Expected(*lowest, stores)
    produce = spoken.produce if spoken.produce == lowest.produce else None
    return Expected(produce, spoken.fetch if spoken.fetch == lowest.fetch else None, spoken.writes, stores)


def not_runnable(client: Client, cell: Cell) -> str | None:
    """Why a cell cannot be run with any environment; None: it can."""
    release = Release.parse(cell.release)
    line = release.line_number
    if release < Release.parse(client.oldest):
        return f"{client.library} {client.version} talks to no broker before {client.oldest}"
    if client.newest and line > Release.parse(client.newest).line_number:
        return f"{client.library} {client.version} talks to no broker after {client.newest}"
    if line < FIRST_WITH.get(cell.scenario, ()):
        return f"{cell.release} has no API for scenario {cell.scenario}"
    if cell.format and not (FORMAT_CONFIG[0] <= line <= FORMAT_CONFIG[1]):
        return f"topics of {cell.release} have no other format than its own"
    if cell.format and Release.parse(cell.format) > release:
        return f"{cell.release} does not know format {cell.format}"
    if cell.scenario == "transactional" and not client.transactions:
        return f"{client.library} {client.version} has no transactions"
    if cell.scenario == "transactional" and cell.format and _magic(cell.format) < NEWEST_FORMAT:
        return f"format {cell.format} has no transactions"
    if cell.codec == "zstd" and line < FIRST_WITH_ZSTD:
        return f"{cell.release} has no zstd"
    return None


def _magic(line: str) -> Magic:
    found = format_of(line)
    return NEWEST_FORMAT if found is None else found


def _negotiated(recorded: Recorded, release: Release) -> Spoken | None:
    towards = recorded.towards(release)
    if towards is None:
        return None
    advertised = profile(release).advertised
    produce = min(max(s.produce for s in recorded.spoken.values()), advertised[ApiKey.PRODUCE].high)
    fetch = min(max(s.fetch for s in recorded.spoken.values()), advertised[ApiKey.FETCH].high)
    return Spoken(produce, fetch, towards.writes)
