"""Everything that a cluster can be told when it is made, in one place.

`FakeKafka`, the marker and the factory of the pytest plug-in all take what `Options` has: an option that is added here
(and to `Given`, for type checkers) is known to all of them.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypedDict

from fakekafka.clock import Clock
from fakekafka.cluster.cluster_of import OffsetsLog
from fakekafka.errors import UsageError
from fakekafka.ids import BrokerId, TopicName
from fakekafka.server.journal import JOURNAL_BYTES, JOURNAL_LENGTH
from fakekafka.settings.caps import ApiRange
from fakekafka.settings.unknown_configs import UnknownConfigs
from fakekafka.state.security_config import Decision

if TYPE_CHECKING:
    from fakekafka.settings.tls import Tls


class BrokerSettings(NamedTuple):
    """What is different about one broker of several: `FakeKafka(brokers=[BrokerSettings(), BrokerSettings("0.11.0")])`.

    What is None is as it is for all.
    """

    release: str | None = None
    config: Mapping[str, object] | None = None
    """Properties over those of all."""
    log_dir: str | Path | None = None
    """Where it keeps its files, in place of a folder in the cluster's directory."""


Brokers: TypeAlias = int | Sequence[BrokerSettings]
"""How many alike, or each."""


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
    `coordinators.groups.offsets.atomic`.
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
    faults: str | Path | None = None
    """A plan of faults: the path of a TOML file, or its text; see `fakekafka.faults.plan`."""
    faulty_disks: bool = False
    """Whether the disks of brokers can be made to fail: `faults.full_disk`, `faults.read_error`."""
    journal: int = JOURNAL_LENGTH
    """How many requests `FakeKafka.requests` remembers; 0: none."""
    journal_bytes: int = JOURNAL_BYTES
    """How many bytes the remembered requests and answers may have together, but for the last one."""
    on_broker_death: Callable[[BrokerId, OSError], None] | None = None
    """Called when a broker dies because it can store nothing any more, on the thread that owns the state."""

    @property
    def each_broker(self) -> Sequence[BrokerSettings]:
        """The settings of every broker. Raises `UsageError` if there is none."""
        settings = [BrokerSettings()] * self.brokers if isinstance(self.brokers, int) else self.brokers
        if not settings:
            raise UsageError("brokers: at least 1")
        return settings


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
    faults: str | Path | None
    faulty_disks: bool
    journal: int
    journal_bytes: int
    on_broker_death: Callable[[BrokerId, OSError], None] | None
