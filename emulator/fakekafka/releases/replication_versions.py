"""How a follower talks to its leader: the version of Fetch it sends, and how it finds where their logs diverge.

Under ZooKeeper the follower's `inter.broker.protocol.version` decides, in KRaft from 3.3 on the finalized level of
`metadata.version` does. The release of either broker does not matter, only the version that it is configured to speak.
ReplicaFetcherThread.scala up to 3.2, MetadataVersion.java from 3.3.
"""

from typing import Final, Literal, TypeAlias

from fakekafka.releases.protocol_effects import has

FETCH: Final[tuple[tuple[str, int], ...]] = (
    ("3.9-IV0", 17),
    ("3.7-IV4", 16),
    ("3.5-IV1", 15),
    ("3.5-IV0", 14),
    ("3.1-IV0", 13),
    ("2.7-IV1", 12),
    ("2.3-IV1", 11),
    ("2.1-IV2", 10),
    ("2.0-IV1", 8),
    ("1.1-IV0", 7),
    ("0.11.0-IV1", 5),
    ("0.11.0-IV0", 4),
    ("0.10.1-IV1", 3),
    ("0.10.0-IV0", 2),
    ("0.9.0", 1),
)
"""Version of Fetch by the first protocol version that asks for it, newest first; before all of them it is 0."""

FETCH_BY_LEVEL: Final[tuple[tuple[int, int], ...]] = ((27, 18), (21, 17), (19, 16), (10, 15), (9, 14), (2, 13))
"""Version of Fetch by level of metadata.version, newest first; before all of them it is 12."""

FIRST_WITH_EPOCHS: Final = "0.11.0-IV2"
"""From here on followers ask where an epoch ended (KIP-101)."""
FIRST_WITH_FOUND_EPOCHS: Final = "2.0-IV0"
"""From here on the answer to that also says which epoch it is (KIP-279)."""
FIRST_WITH_DIVERGING_FETCH: Final = "2.7-IV1"
"""From here on the answer to a fetch itself says where the logs diverge (KIP-595)."""

NO_TOPIC_IDS_ABOVE: Final = 12
"""Versions of Fetch above this one name topics by id (KIP-516)."""

Parting: TypeAlias = Literal["high watermark", "epoch", "epoch found", "fetch"]
"""How a follower finds where its log and a new leader's diverge: it does not ask and cuts at its high watermark; by
asking for the end of its last epoch; by asking for that, with the answer saying to which epoch the end belongs; or from
the answer to its fetch."""


def fetch_version(protocol: str, level: int | None) -> int:
    """The version of Fetch that a follower sends. `level`: that of metadata.version, where it decides."""
    if level is not None:
        return next((version for least, version in FETCH_BY_LEVEL if level >= least), NO_TOPIC_IDS_ABOVE)
    return next((version for first, version in FETCH if has(protocol, first)), 0)


def parting(protocol: str, level: int | None) -> Parting:
    """How the follower finds where its log and the leader's diverge."""
    if level is not None or has(protocol, FIRST_WITH_DIVERGING_FETCH):
        return "fetch"
    if has(protocol, FIRST_WITH_FOUND_EPOCHS):
        return "epoch found"
    return "epoch" if has(protocol, FIRST_WITH_EPOCHS) else "high watermark"
