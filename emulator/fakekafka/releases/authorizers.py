"""The authorizers that come with each release, by class name."""

from typing import Final

from fakekafka.errors import UsageError
from fakekafka.releases.dated import at
from fakekafka.releases.release import Mode, Release

_UNDER_ZOOKEEPER: Final = {
    "0.9.0": "kafka.security.auth.SimpleAclAuthorizer",
    "2.4": "kafka.security.authorizer.AclAuthorizer",
}
_STANDARD: Final = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"


def own_authorizer(release: Release, mode: Mode) -> str:
    """The release's own. Raises `UsageError` where there is none."""
    found = _STANDARD if mode == "kraft" else at(_UNDER_ZOOKEEPER, release, before="")
    if not found:
        raise UsageError(f"Kafka {release} has no authorizer: 0.9.0 is the first release that has it")
    return found
