"""What a real client and a real broker of a release would do: API versions, formats, conversions.

Versions come from recordings of the clients (`fakekafka.releases.client_versions`, `recorded_versions`); a client that
negotiates sends the lower of its own highest version and the release's. Other clients were recorded against some
releases only, or pinned: their versions are judged where both rules agree, and otherwise only shown.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from fakekafka import Phase, UsageError
from fakekafka.ids import ApiKey, Magic
from fakekafka.releases.client_logins import login_of, versions_on
from fakekafka.releases.client_versions import Client as Recorded
from fakekafka.releases.client_versions import Spoken, find_client
from fakekafka.releases.message_formats import format_of
from fakekafka.releases.phases import find_phase
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.texts.summary import api_name
from fakekafka_spark.observations import Cell

from fakekafka_compat.caps import Caps, written_under
from fakekafka_compat.logins import mechanism_of
from fakekafka_compat.recorded_versions import versions_towards
from fakekafka_compat.table import Client

NEWEST_FORMAT: Final[Magic] = 2
DECIDES_ONCE: Final = ("kafka-python", "@platformatic/kafka")
"""Clients that assume that all brokers are like the first; others ask on each connection."""
PRODUCER_DECIDES_ONCE: Final = ("kafkajs",)
"""Clients whose consumers may or may not start again when they lose their broker."""
TRIES_BARE_TOKENS: Final = (("aiokafka", "0.8.1"), ("aiokafka", "0.12.0"))
"""Clients whose first connection logs in with SaslHandshake 0, and whose other connections with 1."""
CHOOSES_EARLY: Final = ("kafka-clients",)
"""Clients that choose a batch's format at its first record, possibly before they know that the broker has changed."""
NEGOTIATE_FROM: Final = (0, 10)
"""The first release that clients ask for its versions. For older brokers clients are configured with the release, or
find it out once (KIP-35)."""


class Expected(NamedTuple):
    """What a cell, or a phase of it, must show. None: not known for this client."""

    produce: int | None
    """The version of Produce; `fetch` likewise."""
    fetch: int | None
    writes: Magic | None
    """The format of the records that the client sends."""
    stores: Magic
    """The topic's format."""
    others: Mapping[str, int] = {}
    """Versions of other APIs, if they are used."""
    refused: bool = False
    """Whether the broker refuses what the client sends."""
    drops_headers: bool = True
    """Whether a converted fetch leaves headers out; in older releases it fails (KAFKA-6739)."""

    @property
    def headers(self) -> bool:
        """Whether records can have headers. A broker refuses a produced record if it would have to drop its headers."""
        return self.writes == NEWEST_FORMAT == self.stores and (self.drops_headers or self.reads == NEWEST_FORMAT)

    @property
    def reads(self) -> Magic | None:
        """The newest format that an answer to its Fetch can have."""
        return None if self.fetch is None else Spoken(0, self.fetch, 0).reads

    @property
    def conversions(self) -> str | None:
        """The conversions, as a run writes them; None: not known."""
        if self.refused:
            return ""
        if self.writes is None or self.reads is None:
            return None
        lines = [f"Produce {self.writes} to {self.stores}"] if self.writes != self.stores else []
        lines += [f"Fetch {self.stores} to {self.reads}"] if self.stores > self.reads else []
        return ", ".join(sorted(lines))

    def version(self, api: str) -> int | None:
        """The version of an API, if it is used."""
        return {**self.others, "Produce": self.produce, "Fetch": self.fetch}.get(api)


class _Speaks(NamedTuple):
    produce: int | None
    fetch: int | None
    writes: Magic | None


UNKNOWN: Final = _Speaks(None, None, None)


def expected(client: Client, cell: Cell, writer: Client, caps: Caps) -> Expected:
    """What a run of a cell must show if it can be run. `writer`: the client that produces, often the same."""
    release = Release.parse(cell.release)
    stores = find_phase(cell.phase).magic if ":" in cell.phase else magic_of(cell.format or release.line)
    wrote, read = _speaks(writer, release), _speaks(client, release)
    others = _others(client, release) if client == writer else {}
    if mechanism_of(cell.scenario) is not None:
        others = {**{api: others[api] for api in others if api != "ApiVersions"}, **_logins(client, release)}
    expectation = Expected(
        wrote.produce, read.fetch, wrote.writes, stores, others, drops_headers=_drops_headers(release)
    )
    if caps == Caps():
        return expectation
    produce, fetch = caps.limit(wrote.produce, caps.produce), caps.limit(read.fetch, caps.fetch)
    writes, refused = written_under(writer, caps, produce)
    return expectation._replace(produce=produce, fetch=None if refused else fetch, writes=writes, refused=refused)


def expected_in(client: Client, phase: Phase, connected: Release) -> Expected:
    """What a phase of an upgrade must show of a client that has connected to release `connected` before.

    For a client that asks each broker again, Metadata is not judged then: the request may be written for the broker as
    it was, and sent to the upgraded one.
    """
    remembers = client.library in DECIDES_ONCE or connected.line_number < NEGOTIATE_FROM
    release = connected if remembers else phase.release
    speaks = _speaks(client, release) if client.negotiates or remembers else UNKNOWN
    if client.library in PRODUCER_DECIDES_ONCE:
        first = _speaks(client, connected)
        return Expected(first.produce, None, first.writes, phase.magic)
    others = _others(client, release)
    if client.library in CHOOSES_EARLY and phase.kind == "code":
        speaks = speaks._replace(produce=None, writes=None)
    if release != connected:
        others = {api: version for api, version in others.items() if api != "Metadata"}
    return Expected(*speaks, phase.magic, others, drops_headers=_drops_headers(phase.release))


def _drops_headers(release: Release) -> bool:
    return profile(release).fetch.converted_headers == "dropped"


def _speaks(client: Client, release: Release) -> _Speaks:
    try:
        recorded = find_client(f"{client.library}=={client.version}")
    except UsageError:  # a library without recordings, such as a downstream project's own
        return UNKNOWN
    spoken, lowest = recorded.towards(release), _negotiated(recorded, release)
    if spoken is None or lowest is None:
        return UNKNOWN
    if client.negotiates:
        return _Speaks(*lowest)
    produce = spoken.produce if spoken.produce == lowest.produce else None
    return _Speaks(produce, spoken.fetch if spoken.fetch == lowest.fetch else None, spoken.writes)


def _others(client: Client, release: Release) -> Mapping[str, int]:
    versions = versions_towards(f"{client.library}=={client.version}", release) if client.negotiates else {}
    return {api_name(key): version for key, version in versions.items()}


def _logins(client: Client, release: Release) -> Mapping[str, int]:
    """Versions of the APIs of logins. A client may ask for ApiVersions before that, in another version."""
    login = login_of(client.library, client.version)
    versions = None if login is None else versions_on(login, release, release.default_mode)
    handshake, authenticate = versions or (None, None)
    by_api = {"SaslHandshake": handshake, "SaslAuthenticate": authenticate}
    if (client.library, client.version) in TRIES_BARE_TOKENS:
        del by_api["SaslHandshake"]
    return {api: version for api, version in by_api.items() if version is not None}


def magic_of(line: str) -> Magic:
    """The message format that a release line names."""
    magic = format_of(line)
    return NEWEST_FORMAT if magic is None else magic


def _negotiated(recorded: Recorded, release: Release) -> Spoken | None:
    towards = recorded.towards(release)
    if towards is None:
        return None
    advertised = profile(release).advertised
    produce = min(max(s.produce for s in recorded.spoken.values()), advertised[ApiKey.PRODUCE].high)
    fetch = min(max(s.fetch for s in recorded.spoken.values()), advertised[ApiKey.FETCH].high)
    return Spoken(produce, fetch, towards.writes)
