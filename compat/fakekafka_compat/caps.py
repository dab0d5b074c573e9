"""Caps on Produce and Fetch, one version after another: what clients send under them.

Recorded against a broker that advertises all other APIs in full. librdkafka chooses the record format by both APIs
(format 2 needs Produce 3 and Fetch 4, format 1 needs both in version 2); other clients choose it by Produce, or by
neither.
"""

from typing import Final, NamedTuple

from fakekafka.ids import ApiKey, Magic
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release

from fakekafka_compat.table import Client

FIRST_PRODUCE_OF_FORMAT: Final = (0, 2, 3)
"""The first version of Produce that carries each format (KIP-32, KIP-98)."""
FIRST_FETCH_OF_FORMAT: Final = (0, 2, 4)
ALWAYS_NEWEST: Final = ("kafka-python", "aiokafka")
"""Libraries whose format depends on the release that they assume the broker to be."""
LOWEST: Final = {
    "kafka-clients==3.9.0": (2, 0), "kafka-clients==4.3.0": (3, 4), "@platformatic/kafka==2.12.1": (3, 4),
    "aiokafka==0.14.0": (0, 1), "confluent-kafka==1.9.2": (0, 0), "confluent-kafka==2.16.1": (0, 0),
    "kafkajs==2.2.4": (0, 0), "kafka-python==2.3.3": (0, 0), "kafka-python==3.0.12": (0, 0),
}  # fmt: skip
"""The lowest Produce and Fetch with which the recorded clients still work."""


class Caps(NamedTuple):
    """The highest version of each API; None: no cap."""

    produce: int | None = None
    fetch: int | None = None

    @classmethod
    def of(cls, scenario: str) -> "Caps":
        """The caps of a scenario such as "Fetch capped at 3"; no cap for other scenarios."""
        words = scenario.split()
        if words[-3:-1] != ["capped", "at"]:
            return cls()
        cap = int(words[-1])
        return cls(None if words[0] == "Fetch" else cap, None if words[0] == "Produce" else cap)

    @property
    def api_versions(self) -> dict[str, int]:
        """The caps as `FakeKafka` takes them."""
        caps = {"Produce": self.produce, "Fetch": self.fetch}
        return {api: cap for api, cap in caps.items() if cap is not None}

    @staticmethod
    def limit(version: int | None, cap: int | None) -> int | None:
        """The version that a client sends under the cap if it would send `version` without one."""
        return version if version is None or cap is None else min(version, cap)


def written_under(client: Client, caps: Caps, produce: int | None) -> tuple[Magic | None, bool]:
    """The format in which a client writes under caps, and whether a broker refuses it in that version of Produce."""
    high = 99
    by_produce = _newest(high if caps.produce is None else caps.produce, FIRST_PRODUCE_OF_FORMAT)
    by_fetch = _newest(high if caps.fetch is None else caps.fetch, FIRST_FETCH_OF_FORMAT)
    if client.library in ALWAYS_NEWEST:
        return 2, False
    if client.library != "confluent-kafka":
        return by_produce, False
    writes = min(by_produce, by_fetch)
    return writes, produce is not None and produce >= FIRST_PRODUCE_OF_FORMAT[2] and writes < 2


def not_sweepable(client: Client, caps: Caps, line: str) -> str | None:
    """Why a client cannot be run under these caps against a release; None if it can."""
    lowest = LOWEST.get(f"{client.library}=={client.version}")
    if lowest is None:
        return f"{client.library} {client.version} was not recorded under caps"
    known = profile(Release.parse(line))
    for key, cap, own in ((ApiKey.PRODUCE, caps.produce, lowest[0]), (ApiKey.FETCH, caps.fetch, lowest[1])):
        if cap is None:
            continue
        name = key.name.title()
        if cap < own:
            return f"{client.library} {client.version} knows no {name} before {own}"
        if not known.accepted[key].low <= cap <= known.advertised[key].high:
            return f"{line} has no {name} {cap}"
    return None


def _newest(version: int, firsts: tuple[int, ...]) -> Magic:
    formats: tuple[Magic, ...] = (0, 1, 2)
    return max(magic for magic, first in zip(formats, firsts) if version >= first)
