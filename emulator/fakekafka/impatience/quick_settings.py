"""Settings with which a client hurries, and why each of them saves time in a test.

Clients are made for networks with thousands of others: they wait before they try again, and rarely send heartbeats.
In a test every such wait is lost time. None of these settings changes what a client does, only when.
"""

from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from fakekafka.errors import UsageError

Role: TypeAlias = Literal["consumer", "producer", "admin"]
"""What the settings are for: the libraries for Python refuse settings that are for another kind of client."""
ROLES: Final[tuple[Role, ...]] = get_args(Role)


class QuickSetting(NamedTuple):
    """One setting. `usual`: the library's own default."""

    name: str
    value: int
    usual: int
    why: str


HEARTBEAT: Final = (
    "A member hears that others have joined or left from the answer to its next heartbeat: this is what a second member"
    " waits for."
)
SESSION: Final = (
    "A member that ends silently is removed after this time; 6 s is the least that a broker grants by default"
    " (group.min.session.timeout.ms)."
)
RETRY: Final = "How long a client waits before it repeats a request that was refused, such as while a leader moves."
RECONNECT: Final = "How long a client waits before it connects again, after a broker was restarted."
RECONNECT_MAX: Final = "That wait grows from one failure to the next, up to this."
METADATA: Final = "How old metadata may be: new topics and partitions are noticed when it is fetched again."


FOR_ALL: Final[dict[str, tuple[QuickSetting, ...]]] = {
    "kafka-python": (
        QuickSetting("retry_backoff_ms", 20, 100, RETRY),
        QuickSetting("reconnect_backoff_ms", 20, 50, RECONNECT),
        QuickSetting("reconnect_backoff_max_ms", 100, 30_000, RECONNECT_MAX),
        QuickSetting("metadata_max_age_ms", 1_000, 300_000, METADATA),
    ),
    "aiokafka": (
        QuickSetting("retry_backoff_ms", 20, 100, RETRY),
        QuickSetting("metadata_max_age_ms", 1_000, 300_000, METADATA),
    ),
    "confluent-kafka": (
        QuickSetting("retry.backoff.ms", 20, 100, RETRY),
        QuickSetting("reconnect.backoff.ms", 20, 100, RECONNECT),
        QuickSetting("reconnect.backoff.max.ms", 100, 10_000, RECONNECT_MAX),
        QuickSetting("topic.metadata.refresh.interval.ms", 1_000, 300_000, METADATA),
    ),
    "java": (
        QuickSetting("retry.backoff.ms", 20, 100, RETRY),
        QuickSetting("reconnect.backoff.ms", 20, 50, RECONNECT),
        QuickSetting("reconnect.backoff.max.ms", 100, 1_000, RECONNECT_MAX),
        QuickSetting("metadata.max.age.ms", 1_000, 300_000, METADATA),
    ),
}
FOR_CONSUMERS: Final[dict[str, tuple[QuickSetting, ...]]] = {
    "kafka-python": (
        QuickSetting("heartbeat_interval_ms", 100, 3_000, HEARTBEAT),
        QuickSetting("session_timeout_ms", 6_000, 45_000, SESSION),
    ),
    "aiokafka": (
        QuickSetting("heartbeat_interval_ms", 100, 3_000, HEARTBEAT),
        QuickSetting("session_timeout_ms", 6_000, 10_000, SESSION),
    ),
    "confluent-kafka": (
        QuickSetting("heartbeat.interval.ms", 100, 3_000, HEARTBEAT),
        QuickSetting("session.timeout.ms", 6_000, 45_000, SESSION),
    ),
    "java": (
        QuickSetting("heartbeat.interval.ms", 100, 3_000, HEARTBEAT),
        QuickSetting("session.timeout.ms", 6_000, 45_000, SESSION),
    ),
}


def quick_settings(client: str, role: Role = "consumer") -> tuple[QuickSetting, ...]:
    """What `client_config(client, quick=role)` adds, each with its reason.

    Raises `UsageError` for an unknown client or role.
    """
    if client == "spark":  # the settings of Java's client, under other names
        return tuple(each._replace(name=f"kafka.{each.name}") for each in FOR_ALL["java"])
    if client not in FOR_ALL:
        raise UsageError(f"no client called {client!r}: use one of {', '.join((*FOR_ALL, 'spark'))}")
    if role not in ROLES:
        raise UsageError(f"quick={role!r}: True, which is for consumers, or one of {', '.join(ROLES)}")
    return (FOR_CONSUMERS[client] if role == "consumer" else ()) + FOR_ALL[client]


def quick_config(client: str, quick: bool | Role) -> dict[str, int]:
    """The settings alone, as the client takes them; empty if `quick` is False."""
    if quick is False:
        return {}
    return {each.name: each.value for each in quick_settings(client, "consumer" if quick is True else quick)}
