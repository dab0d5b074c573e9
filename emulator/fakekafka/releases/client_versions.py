"""What client libraries speak to brokers of each age: the highest versions of Produce and Fetch that they send.

Recorded from the clients themselves, pinned to a release where they do not negotiate. A client negotiates, or is pinned
to, what the broker has, so its versions depend on the broker. A release of a library that is missing here sends the
same versions as the last listed one before it.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from fakekafka.errors import UsageError
from fakekafka.ids import Magic
from fakekafka.releases.release import Release, starting


class Spoken(NamedTuple):
    """What a client sends to brokers of one age."""

    produce: int
    fetch: int
    writes: Magic
    """The format of the records that it sends."""

    @property
    def reads(self) -> Magic:
        """The newest format that may come in an answer to its Fetch (KIP-32, KIP-98)."""
        return 0 if self.fetch < 2 else 1 if self.fetch < 4 else 2


class Client(NamedTuple):
    """A client library, or a generation of them."""

    name: str
    spoken: Mapping[str, Spoken]
    """What the client sends, keyed by the first release line to which it sends that; the oldest broker that it talks to
    comes first."""
    library: str = ""
    """The library's name, "" for a generation; `version` likewise."""
    version: str = ""

    def towards(self, release: Release) -> Spoken | None:
        """What it sends to a broker; None: it cannot talk to such an old broker."""
        known = [spoken for since, spoken in self.spoken.items() if starting(since) <= release]
        return known[-1] if known else None


def _client(name: str, spoken: dict[str, tuple[int, int, Magic]]) -> Client:
    return Client(name, {since: Spoken(*versions) for since, versions in spoken.items()})


GENERATIONS: Final = (
    _client("clients of 0.8 and 0.9", {"0.8.0": (0, 0, 0), "0.9.0": (1, 1, 0)}),
    _client("clients of 0.10", {"0.10.0": (2, 2, 1), "0.10.1": (2, 3, 1)}),
    _client("clients of 0.11 and later", {"0.10.0": (2, 2, 1), "0.10.1": (2, 3, 1), "0.11.0": (3, 5, 2)}),
)
"""Clients that differ in the formats that they know. They send no older versions than they must."""

LIBRARIES: Final[Mapping[str, Mapping[str, dict[str, tuple[int, int, Magic]]]]] = {
    "kafka-python": {
        "0.9.5": {"0.8.0": (0, 0, 0)},
        "1.0.2": {"0.8.2": (0, 0, 0)},
        "1.3.5": {"0.8.2": (0, 0, 0), "0.9.0": (1, 1, 0), "0.10.0": (2, 2, 1), "0.10.1": (2, 3, 1)},
        "1.4.7": {
            "0.8.0": (0, 0, 0), "0.9.0": (1, 1, 0), "0.10.0": (2, 2, 1), "0.10.1": (2, 3, 1), "0.11.0": (3, 3, 2),
            "1.0": (3, 4, 2),
        },
        "2.0.2": {
            "0.8.2": (0, 0, 0), "0.9.0": (1, 1, 0), "0.10.0": (2, 2, 1), "0.10.1": (2, 3, 1), "0.11.0": (3, 3, 2),
            "1.0": (4, 4, 2), "1.1": (5, 4, 2), "2.0": (6, 4, 2), "2.1": (7, 4, 2),
        },
        "2.3.3": {
            "0.8.0": (0, 0, 0), "0.9.0": (1, 1, 0), "0.10.0": (2, 2, 1), "0.10.1": (2, 3, 1), "0.11.0": (3, 5, 2),
            "1.0": (5, 6, 2), "1.1": (5, 7, 2), "2.0": (6, 8, 2), "2.1": (7, 10, 2), "2.4": (8, 10, 2),
        },
        "3.0.12": {
            "0.8.2": (0, 0, 0), "0.9.0": (1, 1, 0), "0.10.0": (2, 2, 1), "0.11.0": (3, 5, 2), "1.0": (5, 6, 2),
            "2.1": (7, 10, 2), "2.4": (8, 11, 2), "2.8": (9, 12, 2),
        },
    },
    "confluent-kafka": {
        "0.11.6": {"0.9.0": (1, 1, 0), "0.10.0": (2, 2, 1), "0.11.0": (3, 4, 2)},
        "1.0.1": {"0.9.0": (1, 1, 0), "0.10.0": (2, 2, 1), "0.11.0": (3, 4, 2), "1.0": (5, 4, 2), "2.1": (7, 4, 2)},
        "1.3.0": {
            "0.9.0": (1, 1, 0), "0.10.0": (2, 2, 1), "0.11.0": (3, 4, 2), "1.0": (5, 4, 2), "2.1": (7, 4, 2),
            "2.4": (7, 11, 2),
        },
        "1.9.2": {
            "0.9.0": (1, 1, 0), "0.10.0": (2, 2, 1), "0.10.2": (2, 3, 1), "0.11.0": (3, 5, 2), "1.0": (5, 6, 2),
            "2.1": (7, 10, 2), "2.4": (7, 11, 2),
        },
        "2.3.0": {
            "0.10.0": (2, 2, 1), "0.10.2": (2, 3, 1), "0.11.0": (3, 5, 2), "1.0": (5, 6, 2), "2.1": (7, 10, 2),
            "2.4": (7, 11, 2),
        },
        "2.4.0": {
            "0.10.0": (2, 2, 1), "0.10.2": (2, 3, 1), "0.11.0": (3, 5, 2), "1.0": (5, 6, 2), "2.1": (7, 10, 2),
            "2.4": (8, 11, 2),
        },
        "2.5.3": {
            "0.10.0": (2, 2, 1), "0.10.2": (2, 3, 1), "0.11.0": (3, 5, 2), "1.0": (5, 6, 2), "2.1": (7, 10, 2),
            "2.4": (8, 11, 2), "3.9": (10, 16, 2),
        },
    },
    "aiokafka": {
        "0.1.4": {"0.9.0": (1, 1, 0), "0.10.0": (2, 2, 1)},
        "0.4.3": {"0.9.0": (0, 1, 0), "0.10.0": (2, 2, 1)},
        "0.8.1": {
            "0.9.0": (1, 1, 0), "0.10.0": (2, 2, 1), "0.10.2": (2, 3, 1), "0.11.0": (3, 4, 2), "1.0": (4, 4, 2),
            "3.9": (7, 4, 2),
        },
        "0.13.0": {"0.10.0": (2, 2, 2), "0.11.0": (3, 5, 2), "2.4": (7, 11, 2)},
    },
    "pykafka": {
        "1.1.1": {"0.8.2": (0, 0, 0)},
        "2.8.0": {"0.8.2": (0, 0, 0), "0.9.0": (0, 1, 0), "0.10.0": (0, 2, 1)},
    },
    "kafkajs": {
        "2.2.4": {
            "0.10.0": (2, 2, 1), "0.10.1": (2, 3, 1), "0.11.0": (3, 5, 2), "1.0": (5, 6, 2), "1.1": (5, 7, 2),
            "2.0": (6, 8, 2), "2.1": (7, 10, 2), "2.3": (7, 11, 2),
        },
    },
    "@platformatic/kafka": {
        "2.12.1": {
            "0.11.0": (3, 5, 2), "1.0": (5, 6, 2), "1.1": (5, 7, 2), "2.0": (6, 8, 2), "2.1": (7, 10, 2),
            "2.3": (7, 11, 2), "2.4": (8, 11, 2), "2.7": (8, 12, 2), "2.8": (9, 12, 2), "3.1": (9, 13, 2),
            "3.5": (9, 15, 2), "3.7": (10, 16, 2), "3.8": (11, 16, 2), "3.9": (11, 17, 2),
        },
    },
    "sarama": {
        "1.22.1": {
            "0.8.2": (0, 0, 0), "0.9.0": (0, 1, 0), "0.10.2": (2, 3, 1), "0.11.0": (3, 4, 2),
        },
    },
    "franz-go": {
        "1.21.5": {
            "0.8.2": (0, 0, 0), "0.9.0": (1, 1, 0), "0.10.0": (2, 2, 1), "0.11.0": (3, 5, 2), "2.4": (8, 11, 2),
            "3.9": (11, 17, 2), "4.3": (13, 18, 2),
        },
    },
    "kafka-clients": {
        "0.9.0.1": {"0.9.0": (1, 1, 0)},
        "3.1.1": {"1.0": (5, 6, 2), "2.0": (6, 8, 2), "3.1": (9, 13, 2)},
        "3.9.0": {
            "0.10.0": (2, 2, 1), "0.10.1": (2, 3, 1), "0.11.0": (3, 5, 2), "1.0": (5, 6, 2), "1.1": (5, 7, 2),
            "2.0": (6, 8, 2), "2.1": (7, 10, 2), "2.3": (7, 11, 2), "2.4": (8, 11, 2), "2.7": (8, 12, 2),
            "2.8": (9, 12, 2), "3.1": (9, 13, 2), "3.5": (9, 15, 2), "3.7": (10, 16, 2), "3.8": (11, 16, 2),
            "3.9": (11, 17, 2),
        },
        "4.3.0": {
            "2.1": (7, 10, 2), "2.3": (7, 11, 2), "2.4": (8, 11, 2), "2.7": (8, 12, 2), "2.8": (9, 12, 2),
            "3.1": (9, 13, 2), "3.5": (9, 15, 2), "3.7": (10, 16, 2), "3.8": (11, 16, 2), "3.9": (11, 17, 2),
            "4.0": (12, 17, 2), "4.1": (13, 18, 2),
        },
    },
}  # fmt: skip
"""What each library sends, by its release. "kafka-clients" is Java's."""


def find_client(text: str) -> Client:
    """The client called "kafka-python==1.4.7". Raises `UsageError` with the libraries or releases that are known."""
    name, _, version = text.strip().partition("==")
    releases = LIBRARIES.get(name)
    if releases is None or not version:
        raise UsageError(f"client {text!r}: write NAME==VERSION; known are {', '.join(LIBRARIES)}")
    wanted = _numbers(version)
    older = [known for known in releases if _numbers(known) <= wanted]
    if not older:
        raise UsageError(f"client {text!r}: it is not known before {next(iter(releases))}")
    as_known = "" if older[-1] == version else f" (as {older[-1]})"
    return _client(f"{name} {version}{as_known}", releases[older[-1]])._replace(library=name, version=version)


def _numbers(version: str) -> tuple[int, ...]:
    if not all(part.isdecimal() for part in version.split(".")):
        raise UsageError(f"{version!r} is not a version: write numbers and dots")
    return tuple(map(int, version.split(".")))
