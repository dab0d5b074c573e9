"""The order of what an answer lists, as the release's maps give it back (`OrdersBehaviour`).

An arrangement runs after the handler and its guard, just before the answer is encoded, and puts the lists of the answer
in order, in place. An API that is not in `ARRANGEMENTS` answers in the handler's order.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Final, TypeAlias

from fakekafka.handlers.call import Call
from fakekafka.ids import ApiKey as K

Arrangement: TypeAlias = Callable[[Any, Any, Call], None]
"""Takes the request and its answer."""

ARRANGEMENTS: Final[dict[str, tuple[K, ...]]] = {
    "administration": (K.ELECT_LEADERS, K.ALTER_REPLICA_LOG_DIRS, K.DESCRIBE_LOG_DIRS, K.UPDATE_FEATURES),
    "configs": (K.ALTER_CONFIGS, K.INCREMENTAL_ALTER_CONFIGS, K.LIST_CONFIG_RESOURCES),
    "credentials": (K.ALTER_USER_SCRAM_CREDENTIALS, K.DESCRIBE_USER_SCRAM_CREDENTIALS),
    "records": (K.PRODUCE,),
    "quotas": (K.ALTER_CLIENT_QUOTAS, K.DESCRIBE_CLIENT_QUOTAS),
    "topics": (K.CREATE_TOPICS, K.DELETE_TOPICS, K.CREATE_PARTITIONS),
}
"""The modules of this package, and the APIs of which each has an arrangement, under the name of the API."""
_MODULES: Final = {key: module for module, keys in ARRANGEMENTS.items() for key in keys}


@cache
def arrangement(key: K) -> Arrangement | None:
    """What puts the answers of an API in order; None if the handler does. A module is loaded when it is needed."""
    if key not in _MODULES:
        return None
    module = import_module(f"fakekafka.handlers.orders.{_MODULES[key]}")
    return getattr(module, key.name.lower())  # type: ignore[no-any-return]
