"""What was set by request and belongs to no topic: it stands in ZooKeeper or in the metadata log, and outlives brokers.

Quotas, SCRAM credentials and access control entries are kept and described, nothing more: no client is throttled,
nobody logs in, everybody may do everything.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from fakekafka.ids import BrokerId
from fakekafka.state.acls import Acl

METADATA_OFFSET: Final = 1
"""How far the metadata log is: there is none here, and it never grows."""
QuotaEntity: TypeAlias = tuple[tuple[str, str | None], ...]
"""Types ("user", "client-id", "ip") with names, in the order of the types; None is the type's default entity."""


class ScramCredential(NamedTuple):
    """How a user's password was hashed. The hash itself is of no use here."""

    mechanism: int
    """1: SCRAM-SHA-256, 2: SCRAM-SHA-512 (KIP-554)."""
    iterations: int


class ClusterSettings:
    """Dynamic configs by resource, quotas, credentials. `formed_with`: broker configs that the cluster began with."""

    def __init__(self, formed_with: Mapping[str, str]) -> None:
        self._formed_with = dict(formed_with)
        self.all_brokers: dict[str, str] = dict(formed_with)
        """Dynamic broker configs for the whole cluster."""
        self.brokers: dict[BrokerId, dict[str, str]] = {}
        """Dynamic configs of single brokers."""
        self.groups: dict[str, dict[str, str]] = {}
        """Configs of groups (KIP-848)."""
        self.client_metrics: dict[str, dict[str, str]] = {}
        """Client metrics resources (KIP-714)."""
        self.quotas: dict[QuotaEntity, dict[str, float]] = {}
        """Client quotas by key, of each entity that has any (KIP-546)."""
        self.scram: dict[str, dict[int, ScramCredential]] = {}
        """Credentials by user and mechanism."""
        self.acls: dict[Acl, None] = {}
        """Access control entries, in the order in which they came (KIP-140)."""
        self.features: dict[str, int] = {}
        """Finalized levels (KIP-584), in the order of ApiVersions' answer. They outlive even a `clear`."""

    def clear(self) -> None:
        """As when the cluster was formed."""
        for stored in (self.all_brokers, self.groups, self.client_metrics, self.quotas, self.scram, self.acls):
            stored.clear()
        for configs in self.brokers.values():
            configs.clear()  # brokers hold on to theirs
        self.all_brokers.update(self._formed_with)
