"""Requests between brokers: handled by the other broker's own handlers, without bytes and without waiting."""

from fakekafka.cluster.broker import Broker
from fakekafka.handlers import Handler, handler
from fakekafka.handlers.call import Call, Steps
from fakekafka.handlers.refusal import guarded
from fakekafka.ids import ApiKey
from fakekafka.pieces import finished
from fakekafka.server.manners import ReadRequest, layout_read
from fakekafka.wire.message import Request, Response

NO_CONNECTION = 0
"""The stand-in for a connection."""


def exchange(broker: Broker, request: Request, version: int, client_id: str) -> Response | None:
    """What `broker` answers to another one: the `Exchange` of `cluster.cluster_of`."""
    key = ApiKey(request.KEY)
    layout = layout_read(broker.profile.connection, broker.profile.accepted, key, version)
    handle = None if layout is None else handler(key)
    if layout is None or handle is None:
        return None
    read = ReadRequest(key, layout, 0, client_id, request)
    call = Call(broker, read, broker.host, NO_CONNECTION, broker.cluster.clock.now_ms)
    result = guarded(handle, request, call)
    while isinstance(result, Steps):
        result = guarded(_finishing(result), request, call)
    return result if isinstance(result, Response) else None


def _finishing(steps: Steps) -> Handler:
    """A handler that carries out all remaining steps at once."""
    return lambda _, __: finished(steps.rest)
