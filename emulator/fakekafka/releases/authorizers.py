"""The authorizers that come with each release, by class name."""

from collections.abc import Mapping
from typing import Final

from fakekafka.errors import UsageError
from fakekafka.releases.dated import at
from fakekafka.releases.release import Mode, Release, starting

_UNDER_ZOOKEEPER: Final = {
    "0.9.0": "kafka.security.auth.SimpleAclAuthorizer",
    "2.4": "kafka.security.authorizer.AclAuthorizer",
}
_STANDARD: Final = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
_CLASSES: Final[Mapping[str, tuple[str, str | None]]] = {
    "kafka.security.auth.SimpleAclAuthorizer": ("0.9.0", "3.0"),
    "kafka.security.authorizer.AclAuthorizer": ("2.4", "4.0"),
    _STANDARD: ("3.2", None),
}
"""The first release that has each class, and the first that no longer has it (KIP-504, KIP-801)."""


def own_authorizer(release: Release, mode: Mode) -> str:
    """The release's own authorizer. Raises `UsageError` if there is none."""
    name = _STANDARD if mode == "kraft" else at(_UNDER_ZOOKEEPER, release, before="")
    if not name:
        raise UsageError(f"Kafka {release} has no authorizer: 0.9.0 is the first release that has it")
    return name


def why_not_played(name: str | None) -> str | None:
    """Why an authorizer's class does not run here; None if it is one of Kafka's, or no class is given."""
    if not name or name in _CLASSES:
        return None
    return "classes of Java do not run here: Kafka's own rules decide, or the function given as authorizer="


def refused_authorizer(name: str, release: Release, mode: Mode) -> str | None:
    """Why a broker does not start with this class; None if it starts, or the class is not one of Kafka's. Asked of
    0.10.2.2, 2.3.1, 3.0.2, 3.9.1 in both modes, and 4.0.0.
    """
    if name not in _CLASSES:
        return None
    since, until = _CLASSES[name]
    if release < starting(since) or (until is not None and release >= starting(until)):
        return f"java.lang.ClassNotFoundException: {name}"
    if mode == "kraft" and name != _STANDARD:
        return 'Cannot invoke "String.indexOf(String)" because "connectString" is null'
    return None
