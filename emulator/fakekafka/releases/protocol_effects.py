"""What a version of the inter-broker protocol switches on besides the message format, under ZooKeeper."""

from typing import Final

from fakekafka.releases.message_formats import order_of

PRODUCER_IDS: Final = "3.0-IV0"
"""The controller hands out blocks of producer ids, when they are needed. Below this version brokers take them from
ZooKeeper, the first one when they start (KIP-730)."""
TOPIC_IDS: Final = "2.8-IV0"
"""The controller gives topics ids (KIP-516)."""
ALTER_ISR: Final = "2.7-IV2"
"""Leaders ask the controller to change the in-sync set (KIP-497)."""
FEATURES: Final = "2.7-IV0"
"""The controller has a list of finalized features (KIP-584), though no release puts anything on it."""
NEWER_FEATURE_NODE: Final = "3.3-IV0"
"""The list of finalized features is written in another form (KIP-778)."""
ZSTD: Final = "2.1-IV0"
"""Records may be compressed with zstd (KIP-110)."""
STATIC_MEMBERS: Final = "2.3-IV0"
"""Group instance ids are accepted (KIP-345)."""
RACKS: Final = "0.10.0-IV1"
"""Brokers register their racks, and the controller tells the others (KIP-36)."""
TRANSACTIONS: Final = "0.11.0-IV0"
"""Below this version, ApiVersions hides the requests of transactions (ApiVersionsResponse.java)."""


def has(protocol: str, effect: str) -> bool:
    """Whether `protocol` is this version or a newer one. False for a text that is not a version."""
    at, first = order_of(protocol), order_of(effect)
    return at is not None and first is not None and at >= first
