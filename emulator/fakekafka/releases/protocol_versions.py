"""Versions of the inter-broker protocol (inter.broker.protocol.version, in KRaft metadata.version), and which releases
know them.

A full name is "0.10.2-IV0"; up to 0.9 a version is named only by its release. The short name "0.10.2" means the last
full one of that release. ApiVersion.scala up to 3.2, MetadataVersion.java from 3.3.
"""

from typing import Final

from fakekafka.releases.release import Release, starting

BY_RELEASE: Final[dict[str, tuple[str, ...]]] = {
    "0.9.0": ("0.8.0", "0.8.1", "0.8.2", "0.9.0"),
    "0.10.0": ("0.10.0-IV0", "0.10.0-IV1"),
    "0.10.1": ("0.10.1-IV0", "0.10.1-IV1", "0.10.1-IV2"),
    "0.10.2": ("0.10.2-IV0",),
    "0.11.0": ("0.11.0-IV0", "0.11.0-IV1", "0.11.0-IV2"),
    "1.0": ("1.0-IV0",),
    "1.1": ("1.1-IV0",),
    "2.0": ("2.0-IV0", "2.0-IV1"),
    "2.1": ("2.1-IV0", "2.1-IV1", "2.1-IV2"),
    "2.2": ("2.2-IV0", "2.2-IV1"),
    "2.3": ("2.3-IV0", "2.3-IV1"),
    "2.4": ("2.4-IV0", "2.4-IV1"),
    "2.5": ("2.5-IV0",),
    "2.6": ("2.6-IV0",),
    "2.7": ("2.7-IV0", "2.7-IV1", "2.7-IV2"),
    "2.8": ("2.8-IV0", "2.8-IV1"),
    "3.0": ("3.0-IV0", "3.0-IV1"),
    "3.1": ("3.1-IV0",),
    "3.2": ("3.2-IV0",),
    "3.3": ("3.3-IV0", "3.3-IV1", "3.3-IV2", "3.3-IV3"),
    "3.4": ("3.4-IV0",),
    "3.5": ("3.5-IV0", "3.5-IV1", "3.5-IV2"),
    "3.6": ("3.6-IV0", "3.6-IV1", "3.6-IV2"),
    "3.7": ("3.7-IV0", "3.7-IV1", "3.7-IV2", "3.7-IV3", "3.7-IV4"),
    "3.8": ("3.8-IV0",),
    "3.9": ("3.9-IV0",),
}
"""The versions that each release line brought, oldest first. From 4.0 on the setting is gone."""

AHEAD: Final[dict[str, tuple[str, ...]]] = {
    "3.7": ("3.8-IV0",),
    "3.8": ("3.9-IV0",),
    "3.9": ("4.0-IV0", "4.0-IV1"),
}
"""Versions of the next release that a line already knows by their full names (asked of 3.7.2, 3.8.1 and 3.9.1)."""


def known_names(release: Release) -> frozenset[str]:
    """Every name of a protocol version that the release accepts, full and short."""
    names = set(AHEAD.get(release.line, ()))
    for date, versions in BY_RELEASE.items():
        if starting(date) <= release:
            names.update(versions, (date,))
    return frozenset(names)
