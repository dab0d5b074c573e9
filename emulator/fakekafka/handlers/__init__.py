"""One module per API that is served, in key order. A handler is `handle(request, call) -> Result`.

A module is loaded when its first request comes; its name is its API's: `ApiKey.LIST_OFFSETS` is `list_offsets.py`.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module

from fakekafka.handlers.call import Call, Result
from fakekafka.ids import ApiKey
from fakekafka.wire.message import Request

SERVED: tuple[ApiKey, ...] = (
    ApiKey.PRODUCE,
    ApiKey.FETCH,
    ApiKey.LIST_OFFSETS,
    ApiKey.METADATA,
    ApiKey.API_VERSIONS,
    ApiKey.OFFSET_FOR_LEADER_EPOCH,
    ApiKey.DESCRIBE_PRODUCERS,
)


@cache
def handler(key: ApiKey) -> "Callable[[Request, Call], Result] | None":
    """The handler of an API; None when it is not served."""
    if key not in SERVED:
        return None
    found: Callable[[Request, Call], Result] = import_module(f"fakekafka.handlers.{key.name.lower()}").handle
    return found
