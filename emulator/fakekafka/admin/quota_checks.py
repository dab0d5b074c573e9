"""What client quotas can be: keys of entities, values, and addresses (ClientQuotaControlManager, ZkAdminManager)."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fakekafka.errors import ApiError, ErrorCode
from fakekafka.jvm.numbers import MAX_INT, MAX_LONG, whole

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
CREDENTIAL: Final = "PASSWORD"
CREDENTIAL_KEYS: Final[Mapping[str, str]] = {"SCRAM-SHA-256": CREDENTIAL, "SCRAM-SHA-512": CREDENTIAL}
"""What else is a config of a user, up to KRaft's 3.4 (DynamicConfig.User)."""
NO_NODES: Final = (".", "..")
"""Names that no node of ZooKeeper has."""
EPSILON: Final = 1e-6
LARGEST: Final[Mapping[str, int]] = {"INT": MAX_INT, "LONG": MAX_LONG}
DOTTED: Final = re.compile(r"[0-9]+(\.[0-9]+){0,3}")


def keys_of(broker: "Broker", names: Mapping[str, str | None]) -> Mapping[str, str]:
    """The keys that an entity can have, with their types. Raises `ApiError` 42 if there is no such entity."""
    if not names:
        raise refused("Invalid empty client quota entity")
    types = (USER, CLIENT_ID, IP) if broker.profile.admin.ip_quotas else (USER, CLIENT_ID)
    for kind, name in names.items():
        if kind not in types:
            raise refused(f"Unhandled client quota entity type: {kind}")
        if name == "":
            raise refused(f"Empty {kind} not supported")
    if IP not in names:
        return _keys_of_client(broker, names)
    if len(names) > 1:
        raise refused(broker.profile.words.ip_with_others)
    name = names[IP]
    if name is not None:
        shown = sanitized(name) if broker.profile.admin.quota_names_sanitized else name
        if not _is_address(shown):
            raise refused(f"{shown} is not a valid IP or resolvable host.")
    return IP_KEYS


def _keys_of_client(broker: "Broker", names: Mapping[str, str | None]) -> Mapping[str, str]:
    keys = {key: kind for key, kind in CLIENT_KEYS.items() if key in broker.profile.admin.client_quotas}
    if not broker.profile.admin.by_controllers and any(name in NO_NODES for name in names.values()):
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, None)
    has_credentials = USER in names and not broker.profile.admin.quotas_positive
    return {**keys, **CREDENTIAL_KEYS} if has_credentials else keys


def sanitized(name: str) -> str:
    """The name of its node in ZooKeeper (Sanitizer.java)."""
    from urllib.parse import quote

    return quote(name, safe="").replace("~", "%7E")


def _is_address(name: str) -> bool:
    """Whether a broker could resolve the address (InetAddress.getByName). Host names are not looked up: only
    "localhost" resolves. IPv6 zones name interfaces of the broker's machine, which has none.
    """
    from ipaddress import IPv6Address  # only here: few tests have quotas

    if name == "localhost":
        return True
    if DOTTED.fullmatch(name):
        *first, last = map(int, name.split("."))
        return all(part <= 255 for part in first) and last < 256 ** (4 - len(first))
    try:
        return IPv6Address(name.removeprefix("[").removesuffix("]")).scope_id is None
    except ValueError:
        return False


def checked_value(broker: "Broker", keys: Mapping[str, str], key: str, value: float) -> float:
    """The value as it is kept. Raises `ApiError` 42."""
    kind = keys.get(key)
    if kind is None:
        raise refused(f"Invalid configuration key {key}")
    by_controllers = broker.profile.admin.by_controllers
    if kind == CREDENTIAL:
        words = "Unexpected config type STRING should be Long or Double" if by_controllers else None
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, words)
    if broker.profile.admin.quotas_positive:
        _check_positive(broker, key, kind, value)
        return value
    if kind == "DOUBLE":
        return value
    number = float(whole(value + EPSILON, LARGEST["LONG" if by_controllers else kind]))
    if abs(number - value) > EPSILON:
        raise refused(broker.profile.words.quota_is_no_integer.format(key=key, kind=kind))
    return value if by_controllers else number


def _check_positive(broker: "Broker", key: str, kind: str, value: float) -> None:
    if value <= 0:
        raise refused(f"Quota {key} must be greater than 0")
    if kind == "DOUBLE":
        return
    if value > float(LARGEST[kind]):
        raise refused(f"Proposed value for {key} is too large for {'an INT' if kind == 'INT' else 'a LONG'}.")
    if value % 1 > EPSILON:
        raise refused(broker.profile.words.quota_is_no_integer.format(key=key, kind=kind))


def refused(words: str) -> ApiError:
    """The error 42 with a message."""
    return ApiError(ErrorCode.INVALID_REQUEST, words)
