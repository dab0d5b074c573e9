"""Things that have configs, as the config requests number them (ConfigResource.Type)."""

from enum import IntEnum


class ResourceType(IntEnum):
    """What a config belongs to."""

    TOPIC = 2
    BROKER = 4
    BROKER_LOGGER = 8
    CLIENT_METRICS = 16
    GROUP = 32


NAMES_OF_ACLS = {1: "ANY", 3: "GROUP"}
"""Types that only ACLs have; up to 1.1 config requests numbered resources as ACLs do."""
