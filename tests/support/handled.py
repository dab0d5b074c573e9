"""The requests that reach a handler, which are fewer than those that arrive."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from fakekafka.handlers import Handler, handler
from fakekafka.handlers.call import Call, Result
from fakekafka.ids import ApiKey
from fakekafka.wire.message import Request


@contextmanager
def handled() -> Iterator[list[Call]]:
    """What every broker handles within the block, in order."""
    calls: list[Call] = []

    def noting(key: ApiKey) -> Handler | None:
        handle = handler(key)

        def note(request: Request, call: Call) -> Result:
            assert handle is not None
            calls.append(call)
            return handle(request, call)

        return None if handle is None else note

    with patch("fakekafka.server.router.handler", noting):
        yield calls
