"""What a stage asks of the broker that it plays on. A `FakeKafka` has all of it, and so has `against.RealBroker`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from fakekafka import Clock, CommittedOffset, Conversion, StoredRecord
from fakekafka.client_configs import Client


class Answered(Protocol):
    """A request that came, and the answer to it."""

    @property
    def response(self) -> Any:
        """The answer; None if there was none."""

    @property
    def error(self) -> str | None:
        """The names of its errors, separated by ", "."""


class Requests(Protocol):
    """The requests of the clients so far."""

    def where(self, api: str) -> Iterable[Answered]:
        """The requests of one API."""


class Subject(Protocol):
    """A running broker."""

    @property
    def release(self) -> str: ...
    @property
    def is_running(self) -> bool: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def requests(self) -> Requests: ...

    @property
    def versions_used(self) -> Mapping[str, Sequence[int]]:
        """The versions in which clients requested each API."""

    @property
    def failures(self) -> Sequence[BaseException]:
        """Exceptions in the broker that are its own fault."""

    def client_config(self, client: Client, user: str | None = None) -> Mapping[str, Any]:
        """Settings for a client library."""

    def create_topic(self, name: str, partitions: int, config: Mapping[str, str]) -> object: ...
    def records(self, topic: str) -> list[StoredRecord]:
        """Every record of a topic as it is stored, by partition and offset."""

    def committed(self, group: str) -> Mapping[tuple[str, int], CommittedOffset]: ...
    def compact(self, topic: str, *, roll: bool) -> Sequence[object]:
        """Compact everything that the topic has so far. Returns what was done, with a `Filler` for each of our own
        records.
        """

    def conversions(self) -> Sequence[Conversion]:
        """What was stored for clients and sent to them: as it came, or converted."""

    def summary(self) -> str:
        """The last requests, for a person."""
