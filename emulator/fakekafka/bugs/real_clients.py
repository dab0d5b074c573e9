"""Which real clients show a bug, and what they do: for `fakekafka bugs run ID --client`."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Sends:
    """What a producer sends to one partition of its own topic "t", instead of the story's requests.

    All is well if every record is acknowledged, and is in the log as it was given: value, headers, codec, and with a
    timestamp of today.
    """

    records: int = 3
    size: int = 10
    """The size of each value in bytes."""
    codec: str = "none"
    headers: bool = False
    idempotent: bool = False
    topic: Mapping[str, str] = field(default_factory=dict)
    """Configs of the topic."""
    first_try_fails: bool = False
    """Whether the first attempt is answered with a retriable error."""


@dataclass(frozen=True)
class RealClients:
    """The client that meets the bug on the affected side, and what is compared with it."""

    affected: str
    """Library and version, as in "kafka-python==1.4.4"; confluent-kafka where `client_ranges` says librdkafka."""
    cured: str = ""
    """A client that copes with the affected side; if there is none, the affected client works on the cured side."""
    sends: Sends | None = None
    """What the clients send. None: they read what the story leaves behind."""
    python: str = ""
    """The version of Python that both need, such as "3.6", if it is not that of the matrix. They then get only
    `packages`."""
    packages: tuple[str, ...] = ()
