"""The description of a bug: what is known about it, and where its story takes place."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from fakekafka.bugs.client_ranges import ClientRange
from fakekafka.bugs.real_clients import RealClients
from fakekafka.releases.release_runs import ReleaseRuns

Kind: TypeAlias = Literal["bug", "era", "scenario", "fault"]
"""The kinds of bugs: a defect that a later release repaired; behaviour of every release of an era; legal bytes that
break clients; a bug that needs a race or a failing disk, or that was never in a release.
"""
Part: TypeAlias = Literal[
    "compression", "produce", "fetch", "compaction", "segments", "timestamps", "transactions", "groups", "negotiation"
]
Shown: TypeAlias = Literal["as it happens", "its mechanism", "by what a reader computes", "not"]
"""How the bug is shown: the broker misbehaves; the cause is shown in numbers, because the effect needs load or chance
that a test does not have; a reader that computes as the broken client did gets the broker's bytes; or the bug is not
shown, and `unshown` says why.
"""
Seen: TypeAlias = Any
"""A value that a story observes: the name of an error, a number, text, or a list of these."""


@dataclass(frozen=True)
class Side:
    """One performance of a story: on a broker that is affected, or on one that is not."""

    release: str
    quirks: str = ""
    config: Mapping[str, object] = field(default_factory=dict)
    reader: str = ""
    """How the story's client behaves, if that makes the difference: the name of one of the story's own variants."""
    begins: str = ""
    """The broker's first release, if the story is about an upgrade; the broker then becomes `release`."""
    api_versions: Mapping[str, int | tuple[int, int]] = field(default_factory=dict)
    """Caps on what the broker advertises and accepts, as for `FakeKafka`."""
    brokers: tuple[Mapping[str, object], ...] = ()
    """If there are several brokers: what each has besides `config`. A connection called "broker 1" leads to the
    second."""

    def __str__(self) -> str:
        settings = ", ".join(f"{name}={value}" for name, value in self.config.items())
        release = f"{self.begins} -> {self.release}" if self.begins else self.release
        caps = ", ".join(f"{api} {versions}" for api, versions in self.api_versions.items())
        several = f"{len(self.brokers)} brokers" if self.brokers else ""
        more = (f"quirks {self.quirks}" if self.quirks else "", several, settings, caps, self.reader)
        return ", ".join(text for text in (release, *more) if text)


@dataclass(frozen=True)
class Bug:
    """One bug. A module of `shelf` holds it as `BUG`, beside its story."""

    id: str
    """Kafka's ticket, or a name in capitals if there is none."""
    title: str
    part: Part
    kind: Kind
    releases: str
    """The broker releases that have the bug, in ranges: "0.11.0.0 - 1.0.1, 1.1.0"; "4.0.0 -" is up to the newest."""
    clients: tuple[str, ...]
    """The clients that are affected, as `ClientRange` reads them: "kafka-python 1.4.0 - 1.4.4", "sarama <1.16.0", "any
    consumer".
    """
    symptom: str
    """The symptoms, as users describe them."""
    cause: str
    """What triggers it, and what the broker or the client then does."""
    remedy: str
    """How to work around it, and what cures it."""
    sources: tuple[str, ...]
    """Tickets, threads, recordings, classes."""
    shown: Shown = "as it happens"
    unshown: str = ""
    affected: Side | None = None
    """Where the story shows the bug."""
    cured: Side | None = None
    """Where the story shows that the bug is absent."""
    story_on: str = ""
    """The releases on which the story shows it, as in `releases`; all that have the bug, if it is empty."""
    elsewhere: str = ""
    """How the other releases that have the bug differ, or why the story cannot be played there."""
    sees: Mapping[str, tuple[Seen, Seen]] = field(default_factory=dict)
    """What the story observes: by name, on the affected and on the cured side."""
    real_clients: RealClients | None = None
    """Real clients that show it."""
    no_client: str = ""
    """Why no real client shows it, if it is a client that misbehaves, or a follower, and not the broker."""
    story: Callable[..., None] | None = None
    """The story: a function of a `play.Play`, called for each side."""

    @property
    def runs(self) -> ReleaseRuns:
        """The releases that have the bug."""
        return ReleaseRuns.parse(self.releases)

    @property
    def shown_on(self) -> ReleaseRuns:
        """The releases on which the story shows it."""
        return ReleaseRuns.parse(self.story_on or self.releases)

    @property
    def hit(self) -> tuple[ClientRange, ...]:
        """The clients that are affected."""
        return tuple(map(ClientRange.parse, self.clients))

    @property
    def text(self) -> str:
        """All text that a search covers."""
        return "\n".join((self.id, self.title, self.symptom, self.cause, *self.clients))
