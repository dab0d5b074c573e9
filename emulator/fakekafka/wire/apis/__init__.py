"""One module per API key, each with all versions of its request and response. A module is loaded when first asked for.

The module of a key is named after it: `ApiKey.LIST_OFFSETS` lives in `list_offsets.py`, with `ListOffsetsRequest` and
`ListOffsetsResponse`.
"""

from functools import cache
from importlib import import_module

from fakekafka.ids import ApiKey
from fakekafka.wire.message import Request, Response


@cache
def request_class(key: ApiKey) -> type[Request]:
    """The request with API key `key`."""
    cls: type[Request] = getattr(_module(key), _stem(key) + "Request")
    return cls


@cache
def response_class(key: ApiKey) -> type[Response]:
    """The response to the request with API key `key`."""
    cls: type[Response] = getattr(_module(key), _stem(key) + "Response")
    return cls


def _module(key: ApiKey) -> object:
    return import_module(f"fakekafka.wire.apis.{key.name.lower()}")


def _stem(key: ApiKey) -> str:
    """ "ListOffsets" for LIST_OFFSETS."""
    return key.name.title().replace("_", "")
