"""Checks of configs that are to change while a broker runs (DynamicBrokerConfig). Names that the release does not know
are accepted: they may belong to a plug-in.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, assert_never

from fakekafka.admin.reconfiguration import LISTENER_PREFIX, STORES, reconfiguration_problem, renewal_problem
from fakekafka.admin.static_settings import static_settings
from fakekafka.errors import ApiError, BrokerWillNotStart, ErrorCode
from fakekafka.jvm.maps import MapKind, texts_in_order
from fakekafka.releases.behaviours.config_words import ConfigWordsBehaviour
from fakekafka.releases.configs.combinations import DIVISION_BY_ZERO, first_problem
from fakekafka.releases.configs.definition import LIST, PASSWORD, parse_value
from fakekafka.releases.configs.definition_order import AS_DEFINED, CLASS_BY_CLASS
from fakekafka.releases.configs.values import InvalidConfig
from fakekafka.state.advertised_address import advertised_address
from fakekafka.state.configs import BrokerConfig

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

FOR_LISTENERS_OF_ALL: Final = frozenset({"max.connections", "max.connection.creation.rate", "num.network.threads"})
"""Configs of a listener that may be set for all brokers."""
ENCODER_SECRET: Final = "password.encoder.secret"
PROTOCOLS: Final = "listener.security.protocol.map"
MOST_OF_A_SMALL_SET: Final = 4


def check_dynamic_configs(broker: "Broker", configs: Mapping[str, str], *, for_all: bool, prefix: str) -> None:
    """Raises `ApiError`: mostly 42, with `prefix` and the broker's message. `for_all`: they are for all brokers."""
    problem = _problem(broker, configs, for_all)
    if problem is None:
        return
    if problem == DIVISION_BY_ZERO:
        code = broker.profile.alter_configs.division_by_zero
        silent = code is ErrorCode.UNKNOWN_SERVER_ERROR and not broker.profile.words.unknown_error_explained
        raise ApiError(code, None if silent else problem)
    raise ApiError(ErrorCode.INVALID_REQUEST, prefix + problem)


def check_secrets(broker: "Broker", configs: Mapping[str, str], prefix: str) -> None:
    """Raise `ApiError`, with `prefix`, for passwords that ZooKeeper is to keep, if the broker has nothing to encrypt
    them with (DynamicBrokerConfig.toPersistentProps).
    """
    if broker.profile.admin.by_controllers or broker.config.text(ENCODER_SECRET):
        return
    passwords = _passwords(broker)
    if any(name.endswith(passwords) for name in configs):
        raise ApiError(broker.profile.alter_configs.invalid_value, f"{prefix}Password encoder secret not configured")


def heeded(broker: "Broker", configs: Mapping[str, str]) -> Mapping[str, str]:
    """The configs of these that brokers take notice of."""
    if not broker.profile.alter_configs.secrets_ignored:
        return configs
    passwords = _passwords(broker)
    return {name: text for name, text in configs.items() if not name.endswith(passwords)}


def _passwords(broker: "Broker") -> tuple[str, ...]:
    """How the names of secrets that may change end."""
    table = broker.profile.broker_configs
    return tuple(name for name, each in table.items() if each.kind is PASSWORD and each.is_dynamic)


def _problem(broker: "Broker", configs: Mapping[str, str], for_all: bool) -> str | None:
    problem = _not_dynamic(broker, configs) or _wrong_value(broker, configs)
    if problem is None and for_all:
        problem = _not_for_all(broker, configs)
    if problem is not None:
        return problem
    config = broker.config
    imagined = (
        config.imagined(config.dynamic, configs) if for_all else config.imagined(configs, config.dynamic_defaults)
    )
    rules = broker.profile
    combined = first_problem(imagined.value, rules.release, rules.mode, rules.log.formats_compared)
    return (
        combined
        or _listener_problem(broker, imagined)
        or reconfiguration_problem(broker, imagined)
        or renewal_problem(broker, imagined)
    )


def _listener_problem(broker: "Broker", imagined: BrokerConfig) -> str | None:
    """Every listener needs a protocol, and an address that can be read."""
    if PROTOCOLS in imagined.dynamic and (nameless := _without_protocol(broker, imagined)) is not None:
        return nameless
    try:
        advertised_address(imagined, broker.host, broker.port)
    except BrokerWillNotStart as problem:
        return str(problem)
    return None


def _without_protocol(broker: "Broker", imagined: BrokerConfig) -> str | None:
    known = {entry.partition(":")[0].strip() for entry in imagined.text(PROTOCOLS).split(",")}
    listeners = static_settings(broker)["listeners"].split(",")
    shown = f"[{', '.join(listeners)}]" if imagined.table["listeners"].kind is LIST else ",".join(listeners)
    for name in (listener.partition("://")[0].strip() for listener in listeners):
        if name not in known:
            return f"Error creating broker listeners from '{shown}': No security protocol defined for listener {name}"
    return None


def _not_dynamic(broker: "Broker", configs: Mapping[str, str]) -> str | None:
    table = broker.profile.broker_configs
    fixed = [name for name in configs if name in table and not table[name].is_dynamic]
    if fixed:
        return f"Cannot update these configs dynamically: {_set(broker, fixed)}"
    security = [name for name in configs if name in table and name in STORES]
    if security:
        words = "These security configs can be dynamically updated only per-listener using the listener prefix"
        ordered = _in_a_large_set(broker, security)
        return f"{words}: {broker.profile.config_words.hash_set.format(', '.join(ordered))}"
    return None


def _wrong_value(broker: "Broker", configs: Mapping[str, str]) -> str | None:
    table = broker.profile.broker_configs
    for name in _in_order_of_definition(broker, configs):
        definition = table.get(_without_listener(name))
        try:
            if definition is not None:
                parse_value(definition, configs[name])
        except InvalidConfig as wrong:
            return str(wrong)
    return None


def _in_order_of_definition(broker: "Broker", names: Iterable[str]) -> list[str]:
    """The names in the order in which their values are read. Those of single listeners are read last."""
    match broker.profile.alter_configs.broker_values_read:
        case "as defined":
            order: Sequence[str] = AS_DEFINED
        case "class by class":
            order = CLASS_BY_CLASS
        case "by hash code":
            dynamic = [name for name, each in broker.profile.broker_configs.items() if each.is_dynamic]
            order = texts_in_order(dynamic, MapKind.SCALA_2_13_MUTABLE)
        case rule:
            assert_never(rule)
    places = {name: place for place, name in enumerate(order)}
    return sorted(names, key=lambda name: places.get(name, len(places)))


def _not_for_all(broker: "Broker", configs: Mapping[str, str]) -> str | None:
    table = broker.profile.broker_configs
    single = [name for name in configs if name in table and table[name].is_per_broker]
    single += [
        name
        for name in configs
        if name.startswith(LISTENER_PREFIX) and _without_listener(name) not in FOR_LISTENERS_OF_ALL
    ]
    if not single:
        return None
    words = "Cannot update these configs at default cluster level, broker id must be specified"
    return f"{words}: {_set(broker, single)}"


def _without_listener(name: str) -> str:
    """ "listener.name.external.ssl.keystore.type" is an "ssl.keystore.type"."""
    return name.removeprefix(LISTENER_PREFIX).partition(".")[2] if name.startswith(LISTENER_PREFIX) else name


def _set(broker: "Broker", names: list[str]) -> str:
    """A set of names as it prints itself: filled in the order of Properties, in which a small one stays."""
    words = broker.profile.config_words
    ordered = texts_in_order(names, MapKind.JAVA_CONCURRENT)
    if len(names) <= MOST_OF_A_SMALL_SET:
        return words.small_set.format(", ".join(ordered))
    return words.hash_set.format(", ".join(_in_a_large_set(broker, names)))


def _in_a_large_set(broker: "Broker", names: list[str]) -> list[str]:
    kind = _kind_of_a_large_set(broker.profile.config_words)
    return texts_in_order(texts_in_order(names, MapKind.JAVA_CONCURRENT), kind)


def _kind_of_a_large_set(words: ConfigWordsBehaviour) -> MapKind:
    match words.hash_set_order:
        case "scala 2.12":
            return MapKind.SCALA_2_12
        case "scala 2.13":
            return MapKind.SCALA_2_13
        case "java":
            return MapKind.JAVA_COPY
        case kind:
            assert_never(kind)
