"""Methods that call an operation: one line each, with the types of the method that they stand for."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from fakekafka.remote.client import Client

P = ParamSpec("P")
R = TypeVar("R")


class Remote:
    """Something in another process."""

    def __init__(self, client: Client) -> None:
        self._client = client


def forwarded(function: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Remote, P], R]:
    """A method that calls the operation of this function; it takes, returns and raises the same."""
    signature = inspect.signature(function)

    @wraps(function)
    def call(self: Remote, /, *args: P.args, **kwargs: P.kwargs) -> R:
        _, *given = signature.bind(self, *args, **kwargs).arguments.items()
        chosen = {name: value for name, value in given if value != signature.parameters[name].default}
        result: R = self._client.call(function.__name__, chosen)
        return result

    return call
