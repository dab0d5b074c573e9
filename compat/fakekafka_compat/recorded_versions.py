"""The highest version of each API that a client sends, recorded on the wire; Produce and Fetch are the emulator's
(`fakekafka.releases.client_versions`).

Only for clients that negotiate: they send the lower of their own version and the broker's. That rule gives every
version that was recorded, towards brokers from 0.8.0 to 4.3, of the clients listed here. Numbers that a recording shows
as several (a client that probes) are left out.
"""

from collections.abc import Mapping
from typing import Final

from fakekafka.ids import ApiKey
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release

APIS: Final = (
    ApiKey.LIST_OFFSETS, ApiKey.METADATA, ApiKey.OFFSET_COMMIT, ApiKey.OFFSET_FETCH, ApiKey.FIND_COORDINATOR,
    ApiKey.JOIN_GROUP, ApiKey.SYNC_GROUP, ApiKey.API_VERSIONS, ApiKey.INIT_PRODUCER_ID,
)  # fmt: skip
"""The columns of `HIGHEST`."""
NOT_ONE: Final = None
"""A version that was not recorded, or of which several were recorded."""

HIGHEST: Final[Mapping[str, tuple[int | None, ...]]] = {
    "kafka-python==2.3.3": (5, 8, 7, 5, 2, 5, 3, 4, 1),
    "kafka-python==3.0.12": (11, 13, 8, 8, 6, 7, 5, 4, 4),
    "confluent-kafka==0.11.6": (NOT_ONE, 2, 1, 1, 0, 0, 0, 0, NOT_ONE),
    "confluent-kafka==1.9.2": (2, 4, 7, 7, 2, 5, 3, 3, 4),
    "confluent-kafka==2.3.0": (7, 12, 7, 7, 2, 5, 3, 3, 4),
    "confluent-kafka==2.16.1": (7, 13, 9, 9, 2, 5, 3, 3, 4),
    "aiokafka==0.14.0": (3, 5, 3, 3, 1, 5, 3, 0, 0),
    "kafkajs==2.2.4": (3, 6, 5, 4, 2, 5, 3, 2, 1),
    "@platformatic/kafka==2.12.1": (9, 12, 9, NOT_ONE, 6, 9, 5, 3, 5),
    "kafka-clients==3.9.0": (9, 12, 9, 9, 6, 9, 5, 4, 5),
    "kafka-clients==4.3.0": (11, 13, NOT_ONE, NOT_ONE, 6, 9, 5, 4, 5),
}
"""The highest versions, by library and its release. "kafka-clients" is Java's."""


GAPS: Final[Mapping[str, Mapping[ApiKey, tuple[int, ...]]]] = {
    "aiokafka==0.14.0": {ApiKey.JOIN_GROUP: (0, 1, 2, 5), ApiKey.SYNC_GROUP: (0, 1, 3)},
}
"""The versions that a client has, from its sources, if it does not have all of them up to its highest."""


def versions_towards(client: str, release: Release) -> dict[ApiKey, int]:
    """The versions that a client that negotiates sends to a release, for the APIs that are known for it.

    ApiVersions is included only if the broker knows the client's highest version: otherwise both that and the version
    after the refusal are on the wire.
    """
    known = profile(release).advertised
    highest = {key: version for key, version in zip(APIS, HIGHEST.get(client, ())) if version is not None}
    if highest.get(ApiKey.API_VERSIONS, 0) > (known[ApiKey.API_VERSIONS].high if ApiKey.API_VERSIONS in known else -1):
        highest.pop(ApiKey.API_VERSIONS, None)
    gaps = GAPS.get(client, {})
    having = {key: gaps.get(key, range(version + 1)) for key, version in highest.items() if key in known}
    return {key: max(v for v in versions if v <= known[key].high) for key, versions in having.items()}
