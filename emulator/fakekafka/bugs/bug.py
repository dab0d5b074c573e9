"""What a bug of the museum is: what is known of it, and where its story plays."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from fakekafka.bugs.client_ranges import ClientRange
from fakekafka.releases.release_runs import ReleaseRuns

Kind: TypeAlias = Literal["bug", "era", "scenario", "fault"]
"""A defect that a later release repaired; what every release of an era did; legal bytes that break clients; what needs
a race, a failing disk, or was never in a release."""
Part: TypeAlias = Literal[
    "compression", "produce", "fetch", "compaction", "segments", "timestamps", "transactions", "groups", "negotiation"
]
Shown: TypeAlias = Literal["as it happens", "its mechanism", "by what a reader computes", "not"]
"""The broker does it; the cause is shown on numbers, as the effect needs load or chance that a test does not have; a
reader that computes as the broken client did meets the broker's bytes; or it is not shown, and `unshown` says why."""
Seen: TypeAlias = Any
"""A value that a story observes: a name of an error, a number, text, or a list of these."""


@dataclass(frozen=True)
class Side:
    """Where a story plays once: on a broker that is affected, or on one that is not."""

    release: str
    quirks: str = ""
    config: Mapping[str, object] = field(default_factory=dict)
    reader: str = ""
    """How the client of the story goes about it, where that is what differs: one of the ways that the story knows."""
    begins: str = ""
    """The release that the broker is at first, if the story is one of an upgrade; it then becomes `release`."""
    api_versions: Mapping[str, int | tuple[int, int]] = field(default_factory=dict)
    """Caps on what the broker advertises and accepts, as of `FakeKafka`."""

    def __str__(self) -> str:
        settings = ", ".join(f"{name}={value}" for name, value in self.config.items())
        release = f"{self.begins} -> {self.release}" if self.begins else self.release
        caps = ", ".join(f"{api} {versions}" for api, versions in self.api_versions.items())
        more = (f"quirks {self.quirks}" if self.quirks else "", settings, caps, self.reader)
        return ", ".join(text for text in (release, *more) if text)


@dataclass(frozen=True)
class Bug:
    """One bug. A module of `shelf` holds it as `BUG`, beside its story."""

    id: str
    """Kafka's ticket, or a name in capitals where there is none."""
    title: str
    part: Part
    kind: Kind
    releases: str
    """The broker releases that have it, in runs: "0.11.0.0 - 1.0.1, 1.1.0"; "4.0.0 -" is up to the newest."""
    clients: tuple[str, ...]
    """Who meets it, as `ClientRange` reads it: "kafka-python 1.4.0 - 1.4.4", "sarama <1.16.0", "any consumer"."""
    symptom: str
    """In the words of those who met it."""
    cause: str
    """What sets it off, and what the broker or the client then does."""
    remedy: str
    """How to live with it, and what cures it."""
    sources: tuple[str, ...]
    """Tickets, threads, recordings, classes."""
    shown: Shown = "as it happens"
    unshown: str = ""
    affected: Side | None = None
    """Where the story plays: here it is seen …"""
    cured: Side | None = None
    """… and here it is not."""
    sees: Mapping[str, tuple[Seen, Seen]] = field(default_factory=dict)
    """What the story observes: by name, on the affected and on the cured side."""
    drivers: tuple[str, str] | None = None
    """Real clients that show it, "kafka-python==1.4.4" and one that is cured, for `fakekafka bugs run --client`."""
    story: Callable[..., None] | None = None
    """Plays it on one side: a function of a `play.Play`."""

    @property
    def runs(self) -> ReleaseRuns:
        """The releases that have it."""
        return ReleaseRuns.parse(self.releases)

    @property
    def hit(self) -> tuple[ClientRange, ...]:
        """The clients that meet it."""
        return tuple(map(ClientRange.parse, self.clients))

    @property
    def text(self) -> str:
        """All that a search looks at."""
        return "\n".join((self.id, self.title, self.symptom, self.cause, *self.clients))
