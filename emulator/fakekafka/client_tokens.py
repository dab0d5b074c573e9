"""How each client library is given tokens for OAUTHBEARER: by a function, or by an object of the library's class."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, TypeAlias

from fakekafka.clock import SystemClock
from fakekafka.errors import UsageError

Issue: TypeAlias = Callable[[], tuple[str, int]]
"""A function that returns a new token, and for how many seconds it lasts."""
PROVIDERS: Final = {
    "kafka-python": ("kafka.net.sasl.oauth", "kafka.sasl.oauth", "kafka.oauth.abstract"),
    "aiokafka": ("aiokafka.abc",),
}
"""The modules in which versions of the library have the class AbstractTokenProvider."""


def token_settings(client: str, issue: Issue) -> dict[str, Any]:
    """The settings. Raises `UsageError` for a client that takes tokens in neither way."""
    if client == "confluent-kafka":
        return {"oauth_cb": lambda config: _with_end(issue())}
    if client not in PROVIDERS:
        raise UsageError(
            f"{client} fetches tokens over HTTP: use the URL of `TokenIssuer.serve()`, and its own properties"
        )
    return {"sasl_oauth_token_provider": _provider(client, issue)}


def _with_end(issued: tuple[str, int]) -> tuple[str, float]:
    token, lifetime_s = issued
    return token, SystemClock().now_ms / 1000 + lifetime_s


def _provider(client: str, issue: Issue) -> Any:
    base = _abstract_provider(client)

    if client == "aiokafka":

        async def token(self: object) -> str:
            return issue()[0]

        return type("Tokens", (base,), {"token": token})()
    return type("Tokens", (base,), {"token": lambda self: issue()[0]})()


def _abstract_provider(client: str) -> Any:
    for place in PROVIDERS[client]:
        try:
            return import_module(place).AbstractTokenProvider
        except ImportError:
            continue
    raise UsageError(f"{client} is not installed, or takes no tokens")
