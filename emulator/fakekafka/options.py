"""Everything that a cluster can be told when it is made, in one place.

`FakeKafka`, the marker and the factory of the pytest plug-in all take what `Options` has: an option that is added here
(and to `Given`, for type checkers) is known to all of them.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from fakekafka.broker_settings import Brokers
from fakekafka.caps import ApiRange
from fakekafka.clock import Clock
from fakekafka.cluster.cluster_of import OWN_PARTITION_LIMIT, OffsetsLog
from fakekafka.ids import BrokerId, TopicName
from fakekafka.state.cluster_security import Decision
from fakekafka.unknown_configs import UnknownConfigs

if TYPE_CHECKING:
    from fakekafka.tls import Tls


class Options(NamedTuple):
    """What a cluster is to be."""

    release: str | None = None
    """ "0.8.0" ... "4.3", or a patch release such as "0.10.2.2"; None: the newest, or what `phase` says."""
    config: Mapping[str, object] | None = None
    """Broker properties under Kafka's own names. Listeners that they name go before `users` and `tls`."""
    topics: Mapping[TopicName, int] | None = None
    """Topics to create, with their number of partitions."""
    brokers: Brokers = 1
    """How many brokers, or the `BrokerSettings` of each."""
    log_dir: str | Path | Sequence[str | Path] | None = None
    """Where to keep files, maybe in several directories; None keeps everything in memory."""
    clock: Clock | None = None
    """A `ManualClock` gives the time to the test; None: the system's."""
    api_versions: Mapping[str, ApiRange] | None = None
    """Caps on what is advertised and accepted, `{"Produce": 2, "Fetch": (0, 3)}`."""
    host: str = "127.0.0.1"
    """The address to bind."""
    port: int | Sequence[int] = 0
    """0 takes a free one. With several brokers, one number is the first one's port and the others take free ones; or
    the port of each.
    """
    phase: str | None = None
    """Begin within an upgrade, "0.10.2 -> 2.3: new code, old format"; then `release` may be left out."""
    quirks: str = ""
    """Historic defects on or off, "repaired" or "-KAFKA-6739", see `fakekafka quirks`."""
    features: Mapping[str, int] | None = None
    """Levels of a new KRaft cluster, `{"metadata.version": 14}`."""
    offsets_log: OffsetsLog = "kafka"
    """ "atomic" keeps committed offsets as the first design had it, each commit whole or not at all, see
    `coordinators.groups.atomic`.
    """
    unknown_configs: UnknownConfigs = "refused"
    """Properties that only other releases have are ignored with a warning, as by real brokers. One that no release has
    is a `UsageError`, as it may be a slip; "ignored" has it ignored, too.
    """
    users: Mapping[str, str] | None = None
    """Names and passwords; clients log in by SASL."""
    sasl: Sequence[str] | None = None
    """The mechanisms by which users log in; None: PLAIN."""
    tls: "bool | Tls" = False
    """Clients connect by TLS, with certificates that `FakeKafka.tls` gives (needs the extra "tls")."""
    acls: Sequence[str] | None = None
    """Rules such as "User:alice allow Read,Write topic orders", which all clients need from then on."""
    authorizer: Decision | None = None
    """A function of (principal, operation, resource, host) that decides in place of rules."""
    partition_limit: int = OWN_PARTITION_LIMIT
    """How many partitions one request may create on releases that have no bound of their own: they would try to make a
    million of them. A request beyond it gets error 37."""
    faults: str | Path | None = None
    """A plan of faults: the path of a TOML file, or its text; see `fakekafka.faults.plan`."""
    on_broker_death: Callable[[BrokerId, OSError], None] | None = None
    """Called when a broker dies because it can store nothing any more, on the thread that owns the state."""


class Given(TypedDict, total=False):
    """`Options` but for the release, as keyword arguments."""

    config: Mapping[str, object] | None
    topics: Mapping[TopicName, int] | None
    brokers: Brokers
    log_dir: str | Path | Sequence[str | Path] | None
    clock: Clock | None
    api_versions: Mapping[str, ApiRange] | None
    host: str
    port: int | Sequence[int]
    phase: str | None
    quirks: str
    features: Mapping[str, int] | None
    offsets_log: OffsetsLog
    unknown_configs: UnknownConfigs
    users: Mapping[str, str] | None
    sasl: Sequence[str] | None
    tls: "bool | Tls"
    acls: Sequence[str] | None
    authorizer: Decision | None
    partition_limit: int
    faults: str | Path | None
    on_broker_death: Callable[[BrokerId, OSError], None] | None
