"""Requests and answers without the passwords, keys and tokens in them, as the journal keeps them."""

from copy import deepcopy
from typing import Any, Final

from fakekafka.handlers.call import Call
from fakekafka.releases.configs.plugins import is_secret
from fakekafka.wire.apis import request_class
from fakekafka.wire.codec import decode
from fakekafka.wire.frames import SIZE, read_request_header, request_frame, request_header_version
from fakekafka.wire.message import Response

PLACES: Final = ("upsertions", "tokens")
"""Lists whose elements may contain secrets."""
SECRETS: Final = ("auth_bytes", "salted_password", "hmac")
"""Fields that are secrets: of a login, of a user, of a delegation token."""
BROKER: Final = 4
"""The type of a broker as a resource of configs; the configs of other resources are not secret."""


def public_frame(call: Call, frame: bytearray) -> bytes:
    """The frame of a request, without its size, with each secret left empty."""
    shape = request_class(call.key)
    _, at = read_request_header(frame, request_header_version(shape, call.version))
    body: Any = decode(shape, call.version, frame, at)[0]
    _empty_fields(body)
    for resource in getattr(body, "resources", ()):
        if resource.resource_type == BROKER:
            _empty_configs(call, resource.configs)
    return request_frame(body, call.version, call.correlation_id, call.client_id)[SIZE.size :]


def public_answer(response: Response) -> Response:
    """An answer with each secret left empty."""
    shown = deepcopy(response)
    _empty_fields(shown)
    return shown


def _empty_fields(body: Any) -> None:
    for each in (body, *(one for place in PLACES for one in getattr(body, place, ()))):
        for name in SECRETS:
            if name in each.FIELDS:
                setattr(each, name, b"")


def _empty_configs(call: Call, configs: Any) -> None:
    for one in configs:
        if is_secret(one.name, call.profile.broker_configs):
            one.value = None
