"""What was set by request and belongs to no topic. A real cluster keeps it in ZooKeeper or the metadata log; it
outlives brokers.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from fakekafka.ids import BrokerId
from fakekafka.security.acl_book import AclBook

if TYPE_CHECKING:
    from fakekafka.security.sasl.credentials import ScramCredential
    from fakekafka.security.tokens import Token

ELIGIBLE_LEADERS: Final = "eligible.leader.replicas.version"
"""The feature of eligible leader replicas (KIP-966)."""
QuotaEntity: TypeAlias = tuple[tuple[str, str | None], ...]
"""Pairs of a type ("user", "client-id", "ip") and a name, in the order of the types; None is the type's default entity.
"""


class CredentialChange(NamedTuple):
    """A SCRAM credential that was set, or was removed if it is None."""

    mechanism: int
    user: str
    credential: "ScramCredential | None"


class FeatureNode(NamedTuple):
    """ZooKeeper's node `/feature` (FeatureZNode.scala): no release puts a feature on it, but its version is known to
    clients as the epoch of the finalized features.
    """

    is_enabled: bool
    """Whether the protocol of the controller that wrote it knows features."""
    is_newer_form: bool
    """Whether it is written as from protocol 3.3 on."""
    version: int
    """How often it was changed."""

    def rewritten(self, is_enabled: bool, is_newer_form: bool) -> "FeatureNode":
        """The node after another controller has taken over: written again only if that makes a difference."""
        changed = (is_enabled, is_newer_form) != (self.is_enabled, self.is_newer_form)
        return FeatureNode(is_enabled, is_newer_form, self.version + changed)


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
        self.client_metrics_version = 0
        """How often any of them was changed."""
        self.quotas: dict[QuotaEntity, dict[str, float]] = {}
        """Client quotas by key, of each entity that has any (KIP-546)."""
        self.quota_entities: set[QuotaEntity] = set()
        """The entities that have ever had quotas, or had some removed: ZooKeeper keeps their nodes."""
        self.scram: dict[str, dict[int, ScramCredential]] = {}
        """Credentials by user and mechanism. `change_scram` changes them."""
        self.scram_history: list[tuple[CredentialChange, ...]] = []
        """How they came about: what each request has changed, as the metadata log keeps it."""
        self.acls = AclBook()
        """Access control entries, in the order in which they came (KIP-140)."""
        self.tokens: dict[str, Token] = {}
        """Delegation tokens by id (KIP-48)."""
        self.features: dict[str, int] = {}
        """Finalized levels (KIP-584), in the order of ApiVersions' answer. They outlive even a `clear`."""
        self.metadata_offset = 1
        """The end of the metadata log, which is not kept here. Only a change of features makes it grow: clients heed
        new levels of features if the offset that comes with them has grown.
        """
        self.feature_node: FeatureNode | None = None
        """Under ZooKeeper, what it says about features. None: no controller that knows about them has run."""
        self.quorum_level = 0
        """The level of kraft.version by which the quorum acts. Not every release raises it with the finalized one."""

    def set_client_metrics(self, name: str, configs: Mapping[str, str]) -> None:
        """Give a client metrics resource these configs and no others. One without configs does not exist."""
        if configs == self.client_metrics.get(name, {}):
            return
        self.client_metrics_version += 1
        if configs:
            self.client_metrics[name] = dict(configs)
        else:
            del self.client_metrics[name]

    def change_scram(self, changes: Iterable[CredentialChange]) -> None:
        """Set and remove SCRAM credentials, all at once."""
        changes = tuple(changes)
        for mechanism, user, credential in changes:
            own = self.scram.setdefault(user, {})
            if credential is None:
                own.pop(mechanism, None)
            else:
                own[mechanism] = credential
            if not own:
                del self.scram[user]
        if changes:
            self.scram_history.append(changes)

    def clear(self) -> None:
        """Go back to how the cluster was formed."""
        for table in (self.all_brokers, self.groups, self.client_metrics, self.quotas, self.scram, self.tokens):
            table.clear()
        self.client_metrics_version += 1
        self.quota_entities.clear()
        self.scram_history.clear()
        self.acls.clear()
        for configs in self.brokers.values():
            configs.clear()  # brokers keep references to theirs
        self.all_brokers.update(self._formed_with)
