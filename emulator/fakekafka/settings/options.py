"""Every option of a new cluster, in one place.

`FakeKafka`, the marker and the factory of the pytest plug-in all take what `Options` has: an option that is added here
(and to `KeywordOptions`, for type checkers) works in all of them.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, TypedDict, get_args

from fakekafka.clock import Clock
from fakekafka.cluster.cluster_of import OWN_PARTITION_LIMIT
from fakekafka.errors import UsageError
from fakekafka.ids import ApiKey, BrokerId, TopicName
from fakekafka.server.journal import JOURNAL_BYTES, JOURNAL_LENGTH
from fakekafka.settings.unknown_configs import UnknownConfigs, check
from fakekafka.state.security_config import Decision

if TYPE_CHECKING:
    from fakekafka.settings.oauth import TokenIssuer
    from fakekafka.settings.tls import Tls


ApiRange: TypeAlias = int | tuple[int, int]
"""A cap: the highest version, or the lowest and the highest."""
ApiRanges: TypeAlias = dict[ApiKey, tuple[int, int]]


def capped(ranges: Mapping[ApiKey, tuple[int, int]], caps: Mapping[str, ApiRange]) -> ApiRanges:
    """`ranges` within `caps`, which are given by API name ("ListOffsets" or "LIST_OFFSETS").

    Raises `UsageError` for an unknown API, and for a cap that leaves it without a version.
    """
    out = dict(ranges)
    for name, cap in caps.items():
        key = _key(name)
        if key not in out:
            raise UsageError(f"api_versions: this release has no {name} to cap")
        low, high = out[key]
        cap_low, cap_high = (low, cap) if isinstance(cap, int) else cap
        low, high = max(low, cap_low), min(high, cap_high)
        if low > high:
            raise UsageError(f"api_versions: {name} {cap} leaves nothing of {out[key][0]}-{out[key][1]}")
        out[key] = (low, high)
    return out


def _key(name: str) -> ApiKey:
    wanted = name.replace("_", "").lower()
    for key in ApiKey:
        if key.name.replace("_", "").lower() == wanted:
            return key
    from difflib import get_close_matches

    near = get_close_matches(wanted.title(), [key.name.title().replace("_", "") for key in ApiKey], n=3)
    raise UsageError(f"api_versions: no API called {name!r}" + (f"; near: {', '.join(near)}" if near else ""))


class BrokerSettings(NamedTuple):
    """How one broker of several differs: `FakeKafka(brokers=[BrokerSettings(), BrokerSettings("0.11.0")])`.

    Options that are None are those of the cluster.
    """

    release: str | None = None
    """The broker's release, named like a cluster's."""
    config: Mapping[str, object] | None = None
    """Properties that override those of the cluster."""
    log_dir: str | Path | Sequence[str | Path] | None = None
    """Where the broker keeps its files, maybe in several directories, instead of a folder in the cluster's directory.
    """

    def __repr__(self) -> str:
        return f"<BrokerSettings {self.release}, properties {sorted(self.config or ())}>"  # values may be secrets


Pace: TypeAlias = Literal["instant", "lifelike"]
"""Whether things happen at once, or a moment later as in real clusters."""


def check_pace(pace: str) -> None:
    """Check that `pace` is one of the two words. Raises `UsageError` if not."""
    if pace not in get_args(Pace):
        raise UsageError(f"pace={pace!r}: use one of {', '.join(get_args(Pace))}")


Brokers: TypeAlias = int | Sequence[BrokerSettings]
"""A number of equal brokers, or the settings of each."""


class Options(NamedTuple):
    """The options of a cluster."""

    release: str | None = None
    """ "0.8.0" ... "4.3", or a patch release such as "0.10.2.2"; None: the newest, or the release of `phase`."""
    config: Mapping[str, object] | None = None
    """Broker properties under Kafka's own names. Listeners in them take precedence over `users` and `tls`."""
    topics: Mapping[TopicName, int] | None = None
    """Topics to create, with their number of partitions."""
    brokers: Brokers = 1
    """How many brokers, or the `BrokerSettings` of each."""
    log_dir: str | Path | Sequence[str | Path] | None = None
    """Where to keep files, maybe in several directories; None keeps everything in memory."""
    clock: Clock | None = None
    """A `ManualClock` puts the test in control of time; None: the system's clock."""
    api_versions: Mapping[str, ApiRange] | None = None
    """Caps on what is advertised and accepted, `{"Produce": 2, "Fetch": (0, 3)}`."""
    host: str = "127.0.0.1"
    """The address to bind."""
    port: int | Sequence[int] = 0
    """0 chooses a free one. With several brokers, one number is the first broker's port, and the others take free
    ones; several numbers are one port for each.
    """
    phase: str | None = None
    """Begin in the middle of an upgrade, "0.10.2 -> 2.3: new code, old format"; then `release` may be left out."""
    pace: Pace = "instant"
    """With "lifelike", what takes a real cluster a moment takes a moment here, on the broker's clock: leaders
    of new topics, coordinators, markers of transactions; `explain()` says what stays instant.
    """
    quirks: str = ""
    """Historic defects, switched on or off: "repaired" or "-KAFKA-6739"; see `fakekafka quirks`."""
    features: Mapping[str, int] | None = None
    """Feature levels of a new KRaft cluster, `{"metadata.version": 14}`; the others are what belongs to that
    metadata.version, as with `kafka-storage format`.
    """
    drafts: Sequence[str] = ()
    """Designs that Kafka never shipped, `["KIP-984"]`, see docs/drafts.md. A setting follows a name:
    `"KIP-984:position=11"`.
    """
    unknown_configs: UnknownConfigs = "refused"
    """Properties that only other releases have are ignored with a warning, as by real brokers. One that no release has
    is a `UsageError`, because it may be a mistake; with "ignored" it is ignored, too.
    """
    users: Mapping[str, str] | None = None
    """Names and passwords; clients log in by SASL."""
    sasl: Sequence[str] | None = None
    """The mechanisms by which users log in; None: PLAIN."""
    tls: "bool | Tls" = False
    """Clients connect by TLS, with certificates that `FakeKafka.tls` gives (needs the extra "tls")."""
    oauth: "bool | TokenIssuer" = False
    """Clients log in by OAUTHBEARER with tokens that `FakeKafka.oauth` signs (needs the extra "tls")."""
    acls: Sequence[str] | None = None
    """Rules such as "User:alice allow Read,Write topic orders"; once given, clients may do only what rules allow."""
    telemetry: bool = False
    """Whether brokers tell clients that they receive metrics (KIP-714), from 3.7 on in KRaft mode: what clients push
    then is in `FakeKafka.pushed_metrics`.
    """
    authorizer: Decision | None = None
    """A function of (principal, operation, resource, host) that decides instead of rules."""
    partition_limit: int = OWN_PARTITION_LIMIT
    """How many partitions one request may create on releases that have no such bound: they would try to make a million
    of them. A request beyond the limit gets error 37.
    """
    max_memory: int | None = None
    """How many bytes of its logs a cluster in memory keeps there, apart from the last set written; beyond that, what
    was written longest ago moves to temporary files, in the directory that `TMPDIR` names. None: there is no bound.
    """
    faults: str | Path | None = None
    """A plan of faults: the path of a TOML file, or its text; see `fakekafka.faults.plan`."""
    faulty_disks: bool = False
    """Whether the disks of brokers can be made to fail: `faults.full_disk`, `faults.read_error`."""
    journal: int = JOURNAL_LENGTH
    """How many requests `FakeKafka.requests` remembers; 0: none."""
    journal_bytes: int = JOURNAL_BYTES
    """How many bytes the remembered requests and answers may take together, not counting the last one."""
    on_broker_death: Callable[[BrokerId, OSError], None] | None = None
    """A function that is called, on the thread that owns the state, when a broker dies because it can no longer store
    anything."""

    @property
    def each_broker(self) -> Sequence[BrokerSettings]:
        """The settings of every broker. Raises `UsageError` if there is none."""
        settings = [BrokerSettings()] * self.brokers if isinstance(self.brokers, int) else self.brokers
        if not settings:
            raise UsageError("brokers: at least 1")
        return settings

    def __repr__(self) -> str:
        said = [name for name, value in self._asdict().items() if value != self._field_defaults[name]]
        return f"<Options {', '.join(said)}>"  # values may be secrets


NOTHING: Final = type(None)
KINDS: Final[Sequence[tuple[str, tuple[type, ...], str]]] = (
    ("release", (str, NOTHING), 'a text such as "3.9"'),
    ("config", (dict, NOTHING, Mapping), 'properties by name, {"log.retention.ms": 1000}'),
    ("topics", (dict, NOTHING, Mapping), 'numbers of partitions by name, {"orders": 3}'),
    ("brokers", (int, list, tuple), "a number, or a list of BrokerSettings"),
    ("log_dir", (str, Path, NOTHING, list, tuple), "a path, or a list of paths"),
    ("api_versions", (dict, NOTHING, Mapping), 'caps by API name, {"Produce": 2}'),
    ("host", (str,), 'an address such as "127.0.0.1"'),
    ("port", (int, list, tuple), "a number, or a list with one for each broker"),
    ("phase", (str, NOTHING), 'a name such as "0.10.2 -> 2.3: new code, old format"'),
    ("quirks", (str,), 'a text such as "-KAFKA-6739"'),
    ("features", (dict, NOTHING, Mapping), 'levels by name, {"metadata.version": 14}'),
    ("drafts", (list, tuple, str), 'a list such as ["KIP-984"]'),  # a text is refused in words of its own
    ("partition_limit", (int,), "a number of partitions"),
    ("max_memory", (int, NOTHING), "a number of bytes"),
    ("faults", (str, Path, NOTHING), "the path of a TOML file, or its text"),
    ("journal", (int,), "a number of requests"),
    ("journal_bytes", (int,), "a number of bytes"),
)
"""Options, their types, and what a value is in words."""


def check_options(options: Options) -> None:
    """Check what needs no other option to be understood. Raises `UsageError` for other types, and for impossible
    numbers and words.
    """
    for name, kinds, words in KINDS:
        if not isinstance(given := getattr(options, name), kinds):
            raise UsageError(f"{name}: {words}, not a value of type {type(given).__name__}")
    for name in options.config or ():
        if not isinstance(name, str):
            raise UsageError(f"config: properties by name, not {name!r}")
    for topic, count in (options.topics or {}).items():
        if not (isinstance(topic, str) and isinstance(count, int)):
            raise UsageError(f"topics: numbers of partitions by name, not {{{topic!r}: {count!r}}}")
    if not isinstance(options.brokers, int):
        for each in options.brokers:
            if not isinstance(each, BrokerSettings):
                raise UsageError(f"brokers: a number, or a list of BrokerSettings, not one of {type(each).__name__}")
    if not (options.clock is None or hasattr(options.clock, "elapsed_ms")):
        raise UsageError(f"clock: a ManualClock or None, not a value of type {type(options.clock).__name__}")
    if options.journal < 0 or options.journal_bytes < 0:
        raise UsageError("journal and journal_bytes must not be negative; journal=0 remembers nothing")
    if options.max_memory is not None and (options.max_memory < 0 or options.log_dir is not None):
        raise UsageError("max_memory must not be negative, and is only of use to clusters without a log_dir")
    if options.unknown_configs != "refused":
        check(options.unknown_configs)
    if options.pace != "instant":
        check_pace(options.pace)


class KeywordOptions(TypedDict, total=False):
    """`Options` without the release, as keyword arguments."""

    config: Mapping[str, object] | None
    topics: Mapping[TopicName, int] | None
    brokers: Brokers
    log_dir: str | Path | Sequence[str | Path] | None
    clock: Clock | None
    api_versions: Mapping[str, ApiRange] | None
    host: str
    port: int | Sequence[int]
    phase: str | None
    pace: Pace
    quirks: str
    features: Mapping[str, int] | None
    drafts: Sequence[str]
    unknown_configs: UnknownConfigs
    users: Mapping[str, str] | None
    sasl: Sequence[str] | None
    tls: "bool | Tls"
    oauth: "bool | TokenIssuer"
    acls: Sequence[str] | None
    telemetry: bool
    authorizer: Decision | None
    partition_limit: int
    max_memory: int | None
    faults: str | Path | None
    faulty_disks: bool
    journal: int
    journal_bytes: int
    on_broker_death: Callable[[BrokerId, OSError], None] | None
