"""What one release is, as a value: its versions of every API, its behaviours by area, its configs.

Nothing here decides anything: it gathers what the tables say. Code that handles requests asks a profile and never a
release number.
"""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from fakekafka.ids import ApiKey
from fakekafka.releases import history
from fakekafka.releases.behaviours.acls import AclsBehaviour
from fakekafka.releases.behaviours.admin import AdminBehaviour
from fakekafka.releases.behaviours.alter_configs import AlterConfigsBehaviour
from fakekafka.releases.behaviours.append import AppendBehaviour
from fakekafka.releases.behaviours.behaviour import resolve
from fakekafka.releases.behaviours.cleaner import CleanerBehaviour
from fakekafka.releases.behaviours.config_words import ConfigWordsBehaviour
from fakekafka.releases.behaviours.connection import ConnectionBehaviour
from fakekafka.releases.behaviours.consumer_groups import ConsumerGroupsBehaviour
from fakekafka.releases.behaviours.describe_configs import DescribeConfigsBehaviour
from fakekafka.releases.behaviours.fetch import FetchBehaviour
from fakekafka.releases.behaviours.groups import GroupsBehaviour
from fakekafka.releases.behaviours.list_offsets import ListOffsetsBehaviour
from fakekafka.releases.behaviours.log import LogBehaviour
from fakekafka.releases.behaviours.log_directory import LogDirectoryBehaviour
from fakekafka.releases.behaviours.metadata import MetadataBehaviour
from fakekafka.releases.behaviours.offsets import OffsetsBehaviour
from fakekafka.releases.behaviours.produce import ProduceBehaviour
from fakekafka.releases.behaviours.share_groups import ShareGroupsBehaviour
from fakekafka.releases.behaviours.streams_groups import StreamsGroupsBehaviour
from fakekafka.releases.behaviours.topics import TopicsBehaviour
from fakekafka.releases.behaviours.transactions import TransactionsBehaviour
from fakekafka.releases.behaviours.words import WordsBehaviour
from fakekafka.releases.features import Levels, features_epoch, finalized_features, supported_features
from fakekafka.releases.history.step import Versions
from fakekafka.releases.protocol_effects import has
from fakekafka.releases.release import Mode, Release, check_mode

if TYPE_CHECKING:
    from fakekafka.releases.behaviours.admin_orders import AdminOrdersBehaviour
    from fakekafka.releases.behaviours.authorization import AuthorizationBehaviour
    from fakekafka.releases.behaviours.group_orders import GroupOrdersBehaviour
    from fakekafka.releases.behaviours.listeners import ListenersBehaviour
    from fakekafka.releases.behaviours.metadata_orders import MetadataOrdersBehaviour
    from fakekafka.releases.behaviours.orders import OrdersBehaviour
    from fakekafka.releases.behaviours.quotas import QuotasBehaviour
    from fakekafka.releases.behaviours.sasl import SaslBehaviour
    from fakekafka.releases.behaviours.telemetry import TelemetryBehaviour
    from fakekafka.releases.behaviours.tls import TlsBehaviour
    from fakekafka.releases.configs.definition import ConfigTable


class Profile(NamedTuple):
    """One release in one controller mode. A broker in KRaft mode is its own controller, too."""

    release: Release
    mode: Mode
    advertised: Mapping[ApiKey, Versions]
    """What ApiVersions lists, in key order. Before 0.10, which has no ApiVersions: what the broker accepts."""
    accepted: Mapping[ApiKey, Versions]
    """What the broker accepts from a client, advertised or not, in key order."""

    supported_features: Mapping[str, Levels]
    """Levels that this release supports, in the order in which ApiVersions lists them. The finalized ones are in that
    order, too."""
    finalized_features: Mapping[str, int]
    """Levels of a cluster that this release formatted."""
    features_epoch: Literal["none", "changes", "metadata offset"]
    """What ApiVersions gives as the epoch of the finalized features."""

    connection: ConnectionBehaviour
    metadata: MetadataBehaviour
    produce: ProduceBehaviour
    append: AppendBehaviour
    fetch: FetchBehaviour
    list_offsets: ListOffsetsBehaviour
    groups: GroupsBehaviour
    consumer_groups: ConsumerGroupsBehaviour
    share_groups: ShareGroupsBehaviour
    streams_groups: StreamsGroupsBehaviour
    offsets: OffsetsBehaviour
    transactions: TransactionsBehaviour
    topics: TopicsBehaviour
    alter_configs: AlterConfigsBehaviour
    describe_configs: DescribeConfigsBehaviour
    admin: AdminBehaviour
    acls: AclsBehaviour
    words: WordsBehaviour
    config_words: ConfigWordsBehaviour
    log: LogBehaviour
    log_directory: LogDirectoryBehaviour
    cleaner: CleanerBehaviour
    any_compression_type: bool = False
    """Whether `compression.type` takes names of codecs that Kafka does not have (KIP-984, which no release has)."""

    @property
    def has_quorum(self) -> bool:
        """Whether the brokers keep their metadata in a quorum of their own (KRaft), not in ZooKeeper."""
        return self.mode == "kraft"

    def keeps_metadata_as(self, other: "Profile") -> bool:
        """Whether brokers of both profiles can be in one cluster, as far as its metadata is concerned."""
        return self.mode == other.mode

    def allows(self, effect: str, protocol: str) -> bool:
        """Whether brokers that speak the inter-broker `protocol` do something (`protocol_effects`).

        In KRaft mode brokers speak by metadata.version, and all effects are there.
        """
        return self.has_quorum or has(protocol, effect)

    @property
    def sasl(self) -> "SaslBehaviour":
        """How clients log in. Read at first use, as most clusters need no login."""
        return _sasl(self.release, self.mode)

    @property
    def quotas(self) -> "QuotasBehaviour":
        """How clients are throttled. Read at first use."""
        return _quotas(self.release, self.mode)

    @property
    def telemetry(self) -> "TelemetryBehaviour":
        """How brokers treat the clients whose metrics they want. Read at first use."""
        return _telemetry(self.release, self.mode)

    @property
    def listeners(self) -> "ListenersBehaviour":
        """Which listeners a broker refuses. Read at first use, as few brokers have any but the default."""
        return _listeners(self.release, self.mode)

    @property
    def tls(self) -> "TlsBehaviour":
        """How listeners speak TLS. Read at first use."""
        return _tls(self.release, self.mode)

    @property
    def authorization(self) -> "AuthorizationBehaviour":
        """What clients must be allowed, where an authorizer is configured. Read at first use."""
        return _authorization(self.release, self.mode)

    @property
    def admin_orders(self) -> "AdminOrdersBehaviour":
        """In which order administrative answers list things. Read at first use."""
        return _admin_orders(self.release, self.mode)

    @property
    def orders(self) -> "OrdersBehaviour":
        """In which order answers list things. Read at first use, as many clients ask for one thing at a time."""
        return _orders(self.release, self.mode)

    @property
    def metadata_orders(self) -> "MetadataOrdersBehaviour":
        """In which order Metadata lists topics and partitions. Read at first use."""
        return _metadata_orders(self.release, self.mode)

    @property
    def group_orders(self) -> "GroupOrdersBehaviour":
        """In which order answers about groups, offsets and transactions list things. Read at first use."""
        return _group_orders(self.release, self.mode)

    @property
    def broker_configs(self) -> "ConfigTable":
        """The configs of a broker by name, with this release's defaults. Read at first use."""
        from fakekafka.releases.configs import broker_configs

        return self._relaxed(broker_configs(self.release))

    @property
    def topic_configs(self) -> "ConfigTable":
        """The configs of a topic by name. Read at first use."""
        return self._relaxed(_topic_configs(self.release, self.topics.format_checked))

    def _relaxed(self, table: "ConfigTable") -> "ConfigTable":
        return table.without_validator("compression.type") if self.any_compression_type else table


def profile(release: Release, mode: Mode | None = None) -> Profile:
    """What `release` is. Raises `UsageError` if it cannot run in `mode`; None means the release's own default."""
    return _profile(release, check_mode(release, mode))


@cache
def _topic_configs(release: Release, format_checked: bool) -> "ConfigTable":
    from fakekafka.releases.configs import topic_configs

    table = topic_configs(release)
    return table if format_checked else table.without_validator("message.format.version")


@cache
def _sasl(release: Release, mode: Mode) -> "SaslBehaviour":
    from fakekafka.releases.behaviours.sasl import SaslBehaviour

    return resolve(SaslBehaviour, release, mode)


@cache
def _quotas(release: Release, mode: Mode) -> "QuotasBehaviour":
    from fakekafka.releases.behaviours.quotas import QuotasBehaviour

    return resolve(QuotasBehaviour, release, mode)


@cache
def _telemetry(release: Release, mode: Mode) -> "TelemetryBehaviour":
    from fakekafka.releases.behaviours.telemetry import TelemetryBehaviour

    return resolve(TelemetryBehaviour, release, mode)


@cache
def _listeners(release: Release, mode: Mode) -> "ListenersBehaviour":
    from fakekafka.releases.behaviours.listeners import ListenersBehaviour

    return resolve(ListenersBehaviour, release, mode)


@cache
def _tls(release: Release, mode: Mode) -> "TlsBehaviour":
    from fakekafka.releases.behaviours.tls import TlsBehaviour

    return resolve(TlsBehaviour, release, mode)


@cache
def _authorization(release: Release, mode: Mode) -> "AuthorizationBehaviour":
    from fakekafka.releases.behaviours.authorization import AuthorizationBehaviour

    return resolve(AuthorizationBehaviour, release, mode)


@cache
def _admin_orders(release: Release, mode: Mode) -> "AdminOrdersBehaviour":
    from fakekafka.releases.behaviours.admin_orders import AdminOrdersBehaviour

    return resolve(AdminOrdersBehaviour, release, mode)


@cache
def _orders(release: Release, mode: Mode) -> "OrdersBehaviour":
    from fakekafka.releases.behaviours.orders import OrdersBehaviour

    return resolve(OrdersBehaviour, release, mode)


@cache
def _metadata_orders(release: Release, mode: Mode) -> "MetadataOrdersBehaviour":
    from fakekafka.releases.behaviours.metadata_orders import MetadataOrdersBehaviour

    return resolve(MetadataOrdersBehaviour, release, mode)


@cache
def _group_orders(release: Release, mode: Mode) -> "GroupOrdersBehaviour":
    from fakekafka.releases.behaviours.group_orders import GroupOrdersBehaviour

    return resolve(GroupOrdersBehaviour, release, mode)


@cache
def _profile(release: Release, mode: Mode) -> Profile:
    return Profile(
        release=release,
        mode=mode,
        advertised=history.advertised(release, mode, co_resident=True),
        accepted=history.accepted(release, mode),
        supported_features=supported_features(release, mode),
        finalized_features=finalized_features(release, mode),
        features_epoch=features_epoch(release, mode),
        connection=resolve(ConnectionBehaviour, release, mode),
        metadata=resolve(MetadataBehaviour, release, mode),
        produce=resolve(ProduceBehaviour, release, mode),
        append=resolve(AppendBehaviour, release, mode),
        fetch=resolve(FetchBehaviour, release, mode),
        list_offsets=resolve(ListOffsetsBehaviour, release, mode),
        groups=resolve(GroupsBehaviour, release, mode),
        consumer_groups=resolve(ConsumerGroupsBehaviour, release, mode),
        share_groups=resolve(ShareGroupsBehaviour, release, mode),
        streams_groups=resolve(StreamsGroupsBehaviour, release, mode),
        offsets=resolve(OffsetsBehaviour, release, mode),
        transactions=resolve(TransactionsBehaviour, release, mode),
        topics=resolve(TopicsBehaviour, release, mode),
        alter_configs=resolve(AlterConfigsBehaviour, release, mode),
        describe_configs=resolve(DescribeConfigsBehaviour, release, mode),
        admin=resolve(AdminBehaviour, release, mode),
        acls=resolve(AclsBehaviour, release, mode),
        words=resolve(WordsBehaviour, release, mode),
        config_words=resolve(ConfigWordsBehaviour, release, mode),
        log=resolve(LogBehaviour, release, mode),
        cleaner=resolve(CleanerBehaviour, release, mode),
        log_directory=resolve(LogDirectoryBehaviour, release, mode),
    )
