"""Client quotas by request (KIP-546): checked, kept and described. Nothing is throttled here.

An entity consists of a user, a client id, or both, or of an address (KIP-612). A name of None stands for its type's
default.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.errors import ApiError, ErrorCode
from fakekafka.state.cluster_settings import QuotaEntity

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

USER, CLIENT_ID, IP = "user", "client-id", "ip"
CLIENT_KEYS: Final[Mapping[str, str]] = {
    "producer_byte_rate": "LONG",
    "consumer_byte_rate": "LONG",
    "request_percentage": "DOUBLE",
    "controller_mutation_rate": "DOUBLE",
}
"""The quotas that a user or a client can have, with their types; the last from 2.7 on."""
IP_KEYS: Final[Mapping[str, str]] = {"connection_creation_rate": "INT"}
EPSILON: Final = 1e-6


class QuotaChange(NamedTuple):
    """A quota to set, or to remove if `value` is None."""

    key: str
    value: float | None


class MatchType:
    """How a component of a filter matches."""

    EXACT, DEFAULT, ANY = 0, 1, 2


class Component(NamedTuple):
    """One component of a filter; numbers and names as in the request."""

    entity_type: str
    match_type: int
    match: str | None


# ---- altering


def alter(
    broker: "Broker", entity: Sequence[tuple[str, str | None]], changes: Sequence[QuotaChange], *, validate_only: bool
) -> None:
    """Set and remove quotas of an entity. Raises `ApiError` 42."""
    names = dict(entity)
    keys = _keys(broker, names)
    if broker.profile.admin.quota_refusals_lost:
        changes = [change for change in changes if _is_valid(broker, keys, change)]
    for change in changes:
        _check_value(broker, keys, change)
    if validate_only:
        return
    all_quotas = broker.cluster.settings.quotas
    named = tuple(sorted(names.items()))
    quotas = dict(all_quotas.get(named, {}))
    for change in changes:
        if change.value is None:
            quotas.pop(change.key, None)
        else:
            quotas[change.key] = change.value
    all_quotas[named] = quotas
    if not quotas:
        del all_quotas[named]


def _keys(broker: "Broker", names: Mapping[str, str | None]) -> Mapping[str, str]:
    """The keys that an entity can have."""
    if not names:
        raise _refused("Invalid empty client quota entity")
    types = (USER, CLIENT_ID, IP) if broker.profile.admin.ip_quotas else (USER, CLIENT_ID)
    for kind, name in names.items():
        if kind not in types:
            raise _refused(f"Unhandled client quota entity type: {kind}")
        if name == "":
            raise _refused(f"Empty {kind} not supported")
    if IP not in names:
        return {key: kind for key, kind in CLIENT_KEYS.items() if key in broker.profile.admin.client_quotas}
    if len(names) > 1:
        raise _refused(broker.profile.words.ip_with_others)
    name = names[IP]
    if name is not None and not _is_address(name):
        shown = _sanitized(name) if broker.profile.admin.quota_names_sanitized else name
        raise _refused(f"{shown} is not a valid IP or resolvable host.")
    return IP_KEYS


def _sanitized(name: str) -> str:
    """The name of its node in ZooKeeper (Sanitizer.java)."""
    from urllib.parse import quote

    return quote(name, safe="")


def _is_address(name: str) -> bool:
    """Whether a broker could resolve the address. Host names are not looked up: only "localhost" resolves."""
    from ipaddress import ip_address  # only here: few tests have quotas

    if name == "localhost":
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_valid(broker: "Broker", keys: Mapping[str, str], change: QuotaChange) -> bool:
    try:
        _check_value(broker, keys, change)
    except ApiError:
        return False
    return True


def _check_value(broker: "Broker", keys: Mapping[str, str], change: QuotaChange) -> None:
    key, value = change
    kind = keys.get(key)
    if value is None:  # the quota is to be removed
        return
    if kind is None:
        raise _refused(f"Invalid configuration key {key}")
    if value <= 0 and broker.profile.admin.quotas_positive:
        raise _refused(f"Quota {key} must be greater than 0")
    if kind != "DOUBLE" and abs(int(value + EPSILON) - value) > EPSILON:
        raise _refused(broker.profile.words.quota_is_no_integer.format(key=key, kind=kind))


# ---- describing


def describe(
    broker: "Broker", components: Sequence[Component], *, strict: bool
) -> list[tuple[QuotaEntity, Mapping[str, float]]]:
    """The entities that match every component; `strict`: and have no other components. Raises `ApiError`."""
    asked: dict[str, Component] = {}
    for component in components:
        _check_component(broker, component, asked)
        asked[component.entity_type] = component
    if IP in asked and len(asked) > 1:
        words = "IP filter component should not be used with user or clientId filter component."
        raise _refused(f"Invalid entity filter component combination{broker.profile.words.before_ip_filter} {words}")
    matching = [each for each in broker.cluster.settings.quotas.items() if _matches(dict(each[0]), asked, strict)]
    return sorted(matching, key=lambda each: (len(each[0]), [name or "" for _, name in each[0]]))


def _check_component(broker: "Broker", component: Component, before: Mapping[str, Component]) -> None:
    words, kind = broker.profile.words, component.entity_type
    problem = _match_problem(component)
    if broker.profile.admin.matches_checked == "when read":
        if problem is not None and component.match_type not in (MatchType.DEFAULT, MatchType.ANY):
            raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, problem if words.unknown_error_explained else None)
        problem = None
    types = (USER, CLIENT_ID, IP) if broker.profile.admin.ip_quotas else (USER, CLIENT_ID)
    if not kind:
        raise _refused(words.empty_quota_entity)
    if kind in before:
        raise _refused(words.same_quota_entity_twice.format(kind=kind))
    if kind not in types:
        raise ApiError(ErrorCode.UNSUPPORTED_VERSION, words.unknown_quota_entity.format(kind=kind))
    if problem is not None:
        raise _refused(problem)


def _match_problem(component: Component) -> str | None:
    """What is wrong with how a component matches."""
    match component.match_type:
        case MatchType.EXACT:
            wrong = component.match is None
            return "Request specified MATCH_TYPE_EXACT, but set match string to null." if wrong else None
        case MatchType.DEFAULT | MatchType.ANY:
            name = "DEFAULT" if component.match_type == MatchType.DEFAULT else "SPECIFIED"
            wrong = component.match is not None
            return f"Request specified MATCH_TYPE_{name}, but also specified a match string." if wrong else None
    return f"Unknown match type {component.match_type}"


def _matches(entity: Mapping[str, str | None], asked: Mapping[str, Component], strict: bool) -> bool:
    if strict and entity.keys() != asked.keys():
        return False
    for kind, component in asked.items():
        if kind not in entity:
            return False
        wanted = component.match if component.match_type == MatchType.EXACT else None
        if component.match_type != MatchType.ANY and entity[kind] != wanted:
            return False
    return True


def _refused(words: str) -> ApiError:
    return ApiError(ErrorCode.INVALID_REQUEST, words)
