"""The HTTP side of a `TokenIssuer`: its public keys, and tokens for clients that fetch them (OpenID Connect)."""

import base64
import binascii
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qs

HOST: Final = "127.0.0.1"
MOST_BYTES: Final = 1 << 16


Grant: TypeAlias = Callable[[str, str | None], tuple[str, int]]
"""A token of a user for a scope, and for how many seconds it lasts."""


@contextmanager
def served(keys: Callable[[], dict[str, object]], grant: Grant) -> Iterator[str]:
    """Serve on a free port of the loopback, in a thread. Yields the URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/jwks":
                _answer(self, keys())
            else:
                self.send_error(404)

        def do_POST(self) -> None:
            size = min(int(self.headers.get("Content-Length", 0)), MOST_BYTES)
            form = parse_qs(self.rfile.read(size).decode("utf-8", "replace"))
            user = _user(self.headers.get("Authorization", "")) or form.get("client_id", [""])[0]
            if not user:
                self.send_error(401)
                return
            token, lifetime_s = grant(user, form["scope"][0] if "scope" in form else None)
            _answer(self, {"access_token": token, "token_type": "Bearer", "expires_in": lifetime_s})

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing: it could be a secret."""

    server = ThreadingHTTPServer((HOST, 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, name="fakekafka-oauth", daemon=True)
    thread.start()
    try:
        yield f"http://{HOST}:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _answer(handler: BaseHTTPRequestHandler, value: Any) -> None:
    data = json.dumps(value).encode()
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)


def _user(authorization: str) -> str:
    """The client id in a header of basic authentication; empty if there is none."""
    scheme, _, encoded = authorization.partition(" ")
    if scheme.lower() != "basic":
        return ""
    try:
        return base64.b64decode(encoded).decode().partition(":")[0]
    except (binascii.Error, UnicodeDecodeError):
        return ""
