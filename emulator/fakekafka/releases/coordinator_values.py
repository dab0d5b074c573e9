"""Which versions of values the group coordinator writes into `__consumer_offsets` under an inter-broker protocol.

A broker of an upgraded release writes what the others can read, until inter.broker.protocol.version is raised
(GroupMetadataManager.offsetCommitValue, groupMetadataValue). Offsets with an expiry timestamp always have version 1.
"""

from typing import Final, NamedTuple

from fakekafka.releases.behaviours.offsets import OffsetsBehaviour
from fakekafka.releases.message_formats import order_of

OFFSET_SINCE: Final = ((1, ""), (2, "2.1-IV0"), (3, "2.1-IV1"))
"""Versions of an offset's value, each with the protocol from which on it is written."""
GROUP_SINCE: Final = ((0, ""), (1, "0.10.1-IV0"), (2, "2.1-IV0"), (3, "2.3-IV0"))
"""Versions of a classic group's value, each with the protocol from which on it is written."""


class ValueVersions(NamedTuple):
    """The versions that are written."""

    offset: int
    group: int


def value_versions(rules: OffsetsBehaviour, protocol: str) -> ValueVersions:
    """`protocol`: inter.broker.protocol.version; "" if the release has no such config, or it is not set."""
    return ValueVersions(
        _newest(rules.value_version, OFFSET_SINCE, protocol), _newest(rules.group_value_version, GROUP_SINCE, protocol)
    )


def _newest(of_release: int, since: tuple[tuple[int, str], ...], protocol: str) -> int:
    at = order_of(protocol)
    if at is None:
        return of_release
    allowed = max(version for version, first in since if not first or at >= (order_of(first) or 0))
    return min(of_release, allowed) if allowed < since[-1][0] else of_release
