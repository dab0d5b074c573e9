"""Things that have configs, as the config requests number them (ConfigResource.Type)."""

from enum import IntEnum
from typing import TYPE_CHECKING, Final

from fakekafka.errors import ApiError, ErrorCode
from fakekafka.releases.profile import Profile

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


class ResourceType(IntEnum):
    """The kind of resource to which a config belongs."""

    TOPIC = 2
    BROKER = 4
    BROKER_LOGGER = 8
    CLIENT_METRICS = 16
    GROUP = 32


TYPES_OF_ACLS: Final = {1: "ANY", 3: "GROUP"}
"""Types that only ACLs use; up to 1.1 config requests numbered resources as ACLs do."""


def is_known(profile: Profile, kind: int) -> bool:
    """Whether the release knows this type."""
    rules = profile.describe_configs
    return (
        kind in (ResourceType.TOPIC, ResourceType.BROKER)
        or (kind == ResourceType.BROKER_LOGGER and rules.knows_loggers)
        or (kind == ResourceType.CLIENT_METRICS and rules.knows_client_metrics)
        or (kind == ResourceType.GROUP and rules.groups)
    )


def name_of_type(profile: Profile, kind: int) -> str:
    """What the release calls a type that has no configs."""
    return TYPES_OF_ACLS.get(kind, "UNKNOWN") if profile.describe_configs.types_of_acls else "UNKNOWN"


def resource_as_read(broker: "Broker", kind: int, name: str) -> tuple[int, str]:
    """The resource as up to 3.1 brokers find it in their maps: all types that they cannot name are one."""
    named = is_known(broker.profile, kind) or name_of_type(broker.profile, kind) != "UNKNOWN"
    return kind if named else 0, name


def check_own_id(broker: "Broker", name: str) -> None:
    """Raises `ApiError` 42 unless a resource's name is the id of this broker."""
    if _number(name) != broker.node_id:
        raise ApiError(
            ErrorCode.INVALID_REQUEST, broker.profile.config_words.other_broker.format(id=broker.node_id, name=name)
        )


def check_altered_id(broker: "Broker", name: str, words: str) -> None:
    """Check the id of a broker that is to be altered; `words` is the message for another broker's id."""
    if not is_integer(name):
        problem = broker.profile.config_words.broker_id_is_no_number.format(name=name)
        raise ApiError(ErrorCode.INVALID_REQUEST, problem)
    if int(name) != broker.node_id:
        raise ApiError(ErrorCode.INVALID_REQUEST, words.format(id=broker.node_id, name=name))


def check_own_loggers(broker: "Broker", name: str) -> None:
    """Check the id of a broker whose loggers are described."""
    if not name:
        raise ApiError(ErrorCode.INVALID_REQUEST, "Broker id must not be empty")
    if _number(name) != broker.node_id:
        words = f"Unexpected broker id, expected {broker.node_id} but received {name}"
        raise ApiError(ErrorCode.INVALID_REQUEST, words)


def _number(name: str) -> int:
    if not is_integer(name):
        raise ApiError(ErrorCode.INVALID_REQUEST, f"Broker id must be an integer, but it is: {name}")
    return int(name)


def is_integer(name: str) -> bool:
    """Whether Java reads a resource's name as a number."""
    digits = name[1:] if name[:1] in ("+", "-") else name
    return digits.isascii() and digits.isdigit()
