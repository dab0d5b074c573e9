"""Which requests are accepted.

A page in a browser may send requests to any address that the browser reaches, including this machine, and a name
may be made to lead here (DNS rebinding). So on loopback, `Host` has to be a name of this machine. Everywhere, a request
that says which site it comes from has to come from this server's own page, and what changes something has to be JSON or
an archive, which no form can send (`answering`). Off loopback, a token is needed as well.
"""

import hmac
from collections.abc import Mapping
from typing import Final

from fakekafka.errors import UsageError

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
BEARER: Final = "bearer "
OWN_SITE: Final = ("same-origin", "none")


class Refused(Exception):
    """The request is refused, before any operation has begun, with an HTTP status."""

    def __init__(self, status: int, reason: str, headers: Mapping[str, str] = {}) -> None:
        super().__init__(reason)
        self.status = status
        self.headers = headers


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    return host in LOOPBACK or host.startswith("127.")


class Guard:
    """What a server at `host` requires of requests. Raises `UsageError` for an address off loopback without a token."""

    def __init__(self, host: str, token: str | None) -> None:
        if not is_loopback(host) and not token:
            raise UsageError(f"a control API at {host} needs a token: others reach it, too")
        self._names = {*LOOPBACK, host} if is_loopback(host) else None
        self._token = token

    def check(self, method: str, headers: Mapping[str, str], *, needs_token: bool) -> None:
        """Raises `Refused` for a request that is not accepted."""
        host = headers.get("host", "")
        if self._names is not None and _name(host) not in self._names:
            raise Refused(403, f"Host {host!r} is not a name of this machine")
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{host}":
            raise Refused(403, f"requests from {origin} are refused")
        if headers.get("sec-fetch-site", "none") not in OWN_SITE and headers.get("sec-fetch-mode") != "navigate":
            raise Refused(403, "requests from other sites are refused")
        if needs_token and self._token is not None:
            self._check_token(headers.get("authorization", ""))

    def _check_token(self, given: str) -> None:
        assert self._token is not None
        word = given[len(BEARER) :] if given.lower().startswith(BEARER) else ""
        if not hmac.compare_digest(word.encode("utf-8", "replace"), self._token.encode("utf-8")):
            raise Refused(401, "this needs the header Authorization: Bearer TOKEN", {"WWW-Authenticate": "Bearer"})


def _name(host: str) -> str:
    """The name in a `Host`, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()
