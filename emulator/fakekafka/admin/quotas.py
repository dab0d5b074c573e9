"""Client quotas by request (KIP-546): checked, kept and described. Nothing is throttled here.

An entity consists of a user, a client id, or both, or of an address (KIP-612). A name of None stands for its type's
default.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from fakekafka.admin.quota_checks import (
    CLIENT_ID,
    CREDENTIAL,
    CREDENTIAL_KEYS,
    IP,
    NO_NODES,
    USER,
    checked_value,
    keys_of,
    refused,
)
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.jvm.chains import text_hash
from fakekafka.jvm.hashes import MASK
from fakekafka.jvm.maps import MapKind, in_order, sized
from fakekafka.state.cluster_settings import CredentialChange, QuotaEntity

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


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
    keys = keys_of(broker, names)
    if broker.profile.admin.quota_refusals_lost:
        changes = [change for change in changes if _is_valid(broker, keys, change)]
    values = [None if value is None else checked_value(broker, keys, key, value) for key, value in changes]
    if validate_only:
        return
    all_quotas = broker.cluster.settings.quotas
    named = tuple(sorted(names.items()))
    quotas = dict(all_quotas.get(named, {}))
    for change, value in zip(changes, values):
        if value is not None:
            quotas[change.key] = value
        elif keys.get(change.key) != CREDENTIAL:
            quotas.pop(change.key, None)
        elif len(names) == 1 and not broker.profile.admin.by_controllers:
            _remove_credential(broker, names[USER], change.key)
    if broker.profile.admin.by_controllers:
        quotas = _as_in_image(quotas, all_quotas.get(named, {}))
    keep(broker, named, quotas)


def keep(broker: "Broker", entity: QuotaEntity, quotas: dict[str, float]) -> None:
    """Keep what is now all the quotas of an entity."""
    settings, rules = broker.cluster.settings, broker.profile.quotas
    if not rules.starts_by_kind:
        settings.quota_entities.add(entity)
    if not rules.removed_at_once:
        quotas = {**settings.quotas.get(entity, {}), **quotas}
    if quotas:
        settings.quotas[entity] = quotas
    else:
        settings.quotas.pop(entity, None)


def _as_in_image(quotas: Mapping[str, float], before: Mapping[str, float]) -> dict[str, float]:
    """The quotas in the order of a new map that is made for as many as there were before (ClientQuotaDelta)."""
    old = [key for key in before if key in quotas]
    new = [(text_hash(key), key) for key in quotas if key not in before]
    keys = [*old, *in_order(new, MapKind.JAVA)]
    return {key: quotas[key] for key in sized([(text_hash(key), key) for key in keys], len(before))}


def _is_valid(broker: "Broker", keys: Mapping[str, str], change: QuotaChange) -> bool:
    try:
        if change.value is not None:
            checked_value(broker, keys, change.key, change.value)
    except ApiError:
        return False
    return True


def _remove_credential(broker: "Broker", user: str | None, mechanism: str) -> None:
    """ZooKeeper keeps credentials beside quotas, and whoever may remove these may remove those."""
    change = CredentialChange(list(CREDENTIAL_KEYS).index(mechanism) + 1, user or "", None)
    broker.cluster.settings.change_scram([change])


def entity_hash(entity: QuotaEntity) -> int:
    """ClientQuotaEntity.hashCode: that of a map from types to names, in a list of its own."""
    parts = (text_hash(kind) ^ (0 if name is None else text_hash(name)) for kind, name in entity)
    return 31 + sum(parts) & MASK


# ---- describing


def describe(
    broker: "Broker", components: Sequence[Component], *, strict: bool
) -> list[tuple[QuotaEntity, Mapping[str, float]]]:
    """The entities that match every component; `strict`: and have no other components. Raises `ApiError`."""
    if broker.profile.admin.matches_checked == "when read":
        _read(broker, components)
    asked: dict[str, Component] = {}
    for component in components:
        _check_component(broker, component, asked)
        asked[component.entity_type] = component
    if IP in asked and len(asked) > 1:
        words = "IP filter component should not be used with user or clientId filter component."
        raise refused(f"Invalid entity filter component combination{broker.profile.words.before_ip_filter} {words}")
    if not broker.profile.admin.by_controllers:
        _check_node(asked, strict=strict)
    matching = [each for each in broker.cluster.settings.quotas.items() if _matches(dict(each[0]), asked, strict)]
    return sorted(matching, key=lambda each: (len(each[0]), [name or "" for _, name in each[0]]))


def _read(broker: "Broker", components: Sequence[Component]) -> None:
    """Raise `ApiError` -1 if the request cannot be read."""
    for component in components:
        problem = _match_problem(component)
        if problem is not None and component.match_type not in (MatchType.DEFAULT, MatchType.ANY):
            explained = broker.profile.words.unknown_error_explained
            raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, problem if explained else None)


def _check_node(asked: Mapping[str, Component], *, strict: bool) -> None:
    """Raise `ApiError` -1 if the filter names a single entity, whose node in ZooKeeper cannot have that name."""
    names = [component.match for component in asked.values() if component.match_type == MatchType.EXACT]
    names_one = len(names) == len(asked) and (strict or IP in asked or len(asked) > 1)
    if names_one and any(name in ("", *NO_NODES) for name in names):
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, None)


def _check_component(broker: "Broker", component: Component, before: Mapping[str, Component]) -> None:
    words, kind = broker.profile.words, component.entity_type
    types = (USER, CLIENT_ID, IP) if broker.profile.admin.ip_quotas else (USER, CLIENT_ID)
    if not kind:
        raise refused(words.empty_quota_entity)
    if kind in before:
        raise refused(words.same_quota_entity_twice.format(kind=kind, short=kind.removesuffix("-id")))
    if kind not in types:
        raise ApiError(ErrorCode.UNSUPPORTED_VERSION, words.unknown_quota_entity.format(kind=kind))
    problem = _match_problem(component)
    if problem is not None and broker.profile.admin.matches_checked == "42":
        raise refused(problem)


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
