"""Valid configurations that the parts of a running broker refuse nevertheless (BrokerReconfigurable). Thread pools grow
and shrink step by step, listeners do not change.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, assert_never

from fakekafka.admin.static_settings import static_settings
from fakekafka.releases.configs.synonyms import BROKER_NAME, topic_default
from fakekafka.state.configs import BrokerConfig, Source

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

THREAD_POOLS: Final = (
    "num.io.threads", "num.network.threads", "num.replica.fetchers", "num.recovery.threads.per.data.dir",
    "background.threads",
)  # fmt: skip
"""Pools that may at most double or halve at a time, each with at least one thread."""
CLEANERS: Final = "log.cleaner.threads"
CONNECTIONS: Final = ("max.connections", "max.connection.creation.rate")
LISTENERS: Final = ("advertised.listeners", "listeners", "listener.security.protocol.map", "principal.builder.class")
LISTENER_PREFIX: Final = "listener.name."
NETWORK_THREADS: Final = "num.network.threads"
STORES: Final = frozenset(
    {f"ssl.{store}.{part}" for store in ("keystore", "truststore") for part in ("type", "location", "password")}
    | {"ssl.key.password", "ssl.keystore.key", "ssl.keystore.certificate.chain", "ssl.truststore.certificates"}
)
"""The configs of TLS that may change while a listener is open (SslConfigs.RECONFIGURABLE_CONFIGS)."""
LOCAL_RETENTION: Final = {"local.retention.ms": "retention.ms", "local.retention.bytes": "retention.bytes"}
"""With tiered storage, local retention must not exceed the retention of the records (KIP-405)."""
AS_WHOLE: Final = -2
"""The local retention that stands for the retention of the records."""
KAFKAS_OWN: Final = ("org.apache.kafka.", "kafka.")
"""Packages whose classes every broker finds."""


def reconfiguration_problem(broker: "Broker", after: BrokerConfig) -> str | None:
    """Why a running broker cannot become `after`, in the broker's words."""
    problem = next(_problems(broker, after), None)
    if problem is None:
        return None
    return (
        f"Invalid value org.apache.kafka.common.config.ConfigException: {problem} for configuration Invalid dynamic"
        " configuration"
    )


def _problems(broker: "Broker", after: BrokerConfig) -> Iterator[str]:
    yield from _reporter_problems(broker.config, after)
    yield from _connection_problems(broker, after)
    yield from _pool_problems(broker.config, after)
    yield from _cleaner_problems(broker.config, after)
    yield from _retention_problems(broker.config, after)
    yield from _listener_problems(broker, after)
    yield from _open_listener_problems(broker, after)
    yield from _tls_problems(broker, after)


def _reporter_problems(before: BrokerConfig, after: BrokerConfig) -> Iterator[str]:
    name = "metric.reporters"
    reporters = after.value(name)
    if reporters == before.value(name) or not isinstance(reporters, tuple):
        return
    if not all(reporter.startswith(KAFKAS_OWN) for reporter in reporters):
        words = f"Validation of dynamic config update of Set({name}) failed with class class"
        yield f"{words} kafka.server.DynamicMetricsReporters"


def _connection_problems(broker: "Broker", after: BrokerConfig) -> Iterator[str]:
    for name in CONNECTIONS:
        for listener in broker.listeners if name in broker.profile.broker_configs else ():
            limit = _limit_of(listener.name, after, name)
            if limit is not None and limit <= 0 and limit != _limit_of(listener.name, broker.config, name):
                yield broker.profile.config_words.no_connections.format(name=name, limit=limit)


def _limit_of(listener: str, config: BrokerConfig, name: str) -> int | None:
    """A listener's own limit of connections, or that of the broker."""
    sources = config.sources(f"{LISTENER_PREFIX}{listener.lower()}.{name}")
    limit = int(sources[0][1]) if sources else config.value(name)
    return limit if isinstance(limit, int) else None


def _pool_problems(before: BrokerConfig, after: BrokerConfig) -> Iterator[str]:
    for name in THREAD_POOLS:
        old, new = before.int(name), after.int(name)
        problem = None if old == new else _size_problem(old, new)
        if problem is not None:
            yield f"Dynamic thread count update validation failed for {name}={new}, value should {problem}"


def _size_problem(old: int, new: int) -> str | None:
    if new <= 0:
        return "be at least 1"
    if new < old // 2:
        return f"be at least half the current value {old}"
    if new > old * 2:
        return f"not be greater than double the current value {old}"
    return None


def _cleaner_problems(before: BrokerConfig, after: BrokerConfig) -> Iterator[str]:
    old, new = before.int(CLEANERS), after.int(CLEANERS)
    if new < old // 2:
        yield f"Log cleaner threads cannot be reduced to less than half the current value {old}"
    if new > old * 2:
        yield f"Log cleaner threads cannot be increased to more than double the current value {old}"


def _retention_problems(before: BrokerConfig, after: BrokerConfig) -> Iterator[str]:
    for local_topic_name, topic_name in LOCAL_RETENTION.items():
        local_name, name = BROKER_NAME[local_topic_name], BROKER_NAME[topic_name]
        local, whole = after.int(local_name, AS_WHOLE), _whole(after, topic_name)
        same = (local, whole) == (before.int(local_name, AS_WHOLE), _whole(before, topic_name))
        if same or local == AS_WHOLE or whole < 0:
            continue
        prefix = f"Invalid value {local} for configuration {local_name}: Value must not be"
        if local < 0:
            yield f"{prefix} {local} as {name} value is set as {whole}."
        elif local > whole:
            yield f"{prefix} more than {name} property value: {whole}"


def _whole(config: BrokerConfig, topic_name: str) -> int:
    value = topic_default(topic_name, config.value)
    return value if isinstance(value, int) else -1


def _tls_problems(broker: "Broker", after: BrokerConfig) -> Iterator[str]:
    """What is wrong with the key stores of listeners, which are read before anything is changed."""
    for listener in broker.listeners:
        running = broker.encryption.get(listener.name)
        if running is not None:
            from fakekafka.state.tls_config import refused_renewal, tls_values  # few brokers speak TLS

            if tls_values(after, listener) != tls_values(broker.config, listener):
                rules = broker.profile.tls
                cause = refused_renewal(running, broker.config, after, listener, rules)
                if cause is not None:
                    yield rules.refused_update.format(cause=cause)


def renewal_problem(broker: "Broker", after: BrokerConfig) -> str | None:
    """Why a broker that reads its key stores again refuses a request that leaves their paths unchanged."""
    for listener in broker.listeners:
        running = broker.encryption.get(listener.name)
        if running is not None:
            from fakekafka.security.renewal import renewal  # few brokers speak TLS
            from fakekafka.state.tls_config import refused_renewal

            rules = broker.profile.tls
            cause = None
            if renewal(rules).is_refused:
                cause = refused_renewal(running, broker.config, after, listener, rules)
            if cause is not None:
                return rules.refused_update.format(cause=cause)
    return None


def _open_listener_problems(broker: "Broker", after: BrokerConfig) -> Iterator[str]:
    """What keeps listeners from changing (DynamicListenerConfig)."""
    if not any(_is_changed(broker.config, after, name) for name in _of_listeners(broker)):
        return
    match broker.profile.alter_configs.open_listeners:
        case "not compared":
            pass
        case "not changed":
            yield "Dynamic reconfiguration of listeners is not yet supported when using a Raft-based metadata quorum"
        case "compared":
            yield from _waiting_listener_problems(broker, after)
        case rule:
            assert_never(rule)


def _waiting_listener_problems(broker: "Broker", after: BrokerConfig) -> Iterator[str]:
    for listener in broker.listeners:
        if _waits_for_restart(after, f"{LISTENER_PREFIX}{listener.name.lower()}."):
            yield (
                f"Configs cannot be updated dynamically for existing listener ListenerName({listener.name}), restart"
                " broker or create a new listener for update"
            )


def _of_listeners(broker: "Broker") -> list[str]:
    """The configs that make up listeners."""
    dynamic = [name for name, each in broker.profile.broker_configs.items() if each.is_dynamic]
    others = {*LISTENERS, *CONNECTIONS, NETWORK_THREADS}
    return [name for name in dynamic if name in others or name.startswith(("ssl.", "sasl."))]


def _is_changed(before: BrokerConfig, after: BrokerConfig, name: str) -> bool:
    return _given(before, name) != _given(after, name)


def _given(config: BrokerConfig, name: str) -> str | None:
    """What a config was set to, wherever that was."""
    return next((text for source, text in config.sources(name) if source is not Source.DEFAULT), None)


def _waits_for_restart(after: BrokerConfig, prefix: str) -> bool:
    """Whether an open listener would have other configs of its own than when it was opened."""
    given = {**after.dynamic_defaults, **after.dynamic}
    return any(
        text != after.static.get(name)
        for name, text in given.items()
        if name.startswith(prefix) and name.removeprefix(prefix) not in {*STORES, *CONNECTIONS, NETWORK_THREADS}
    )


def _listener_problems(broker: "Broker", after: BrokerConfig) -> Iterator[str]:
    name = "advertised.listeners"
    configured = after.dynamic.get(name)
    may_change = broker.profile.alter_configs.advertised_listeners
    if configured is not None and not may_change and configured != static_settings(broker)[name]:
        yield "Advertised listeners cannot be altered when using a Raft-based metadata quorum."
