"""A signer of tokens for OAUTHBEARER, made for one test: its keys and its tokens. Needs the extra "tls".

    issuer = TokenIssuer()
    with FakeKafka("3.9", sasl=["OAUTHBEARER"], oauth=issuer) as kafka:
        Producer(kafka.client_config("confluent-kafka", user="alice", mechanism="OAUTHBEARER"))
        issuer.token("alice", lifetime_s=60)         # or a token to do with what you like

The public keys are in a file that brokers read. `serve()` also offers them, and tokens, over HTTP.
"""

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from fakekafka.clock import SystemClock
from fakekafka.errors import UsageError

LIFETIME_S: Final = 3600
KEY_BITS: Final = 2048
HANDLER: Final = "org.apache.kafka.common.security.oauthbearer.{}OAuthBearerValidatorCallbackHandler"


class TokenIssuer:
    """Signs tokens with its own key. `name`: the issuer in them, which brokers expect.

    `audience`: the audience in them, which brokers expect if it is given. `now_s`: when they are issued; None: now.
    """

    def __init__(
        self, name: str = "fakekafka", audience: str | None = None, now_s: Callable[[], float] | None = None
    ) -> None:
        self.name = name
        self.audience = audience
        self._now_s = now_s or (lambda: SystemClock().now_ms / 1000)
        self.lifetime_s = LIFETIME_S
        """The lifetime of the tokens that `client_config` and the HTTP server give."""

    def __repr__(self) -> str:
        return f"<TokenIssuer {self.name}>"

    def token(self, user: str, *, lifetime_s: float | None = None, **claims: object) -> str:
        """A token of a user. `claims`: additions to the usual claims, or replacements for them; None leaves one out."""
        now = self._now_s()
        usual = {"sub": user, "iss": self.name, "iat": int(now), "exp": int(now + (lifetime_s or self.lifetime_s))}
        if self.audience is not None:
            usual["aud"] = self.audience
        whole = {name: value for name, value in {**usual, **claims}.items() if value is not None}
        signed = f"{_part({'alg': 'RS256', 'kid': self._kid})}.{_part(whole)}"
        return f"{signed}.{_text(self._signature(signed.encode()))}"

    def broker_config(self, listener: str, line: tuple[int, ...]) -> dict[str, object]:
        """The properties by which brokers of a release line accept the tokens on a listener."""
        package = "secured." if line < (3, 4) else ""
        prefix = f"listener.name.{listener.lower()}.oauthbearer"
        properties: dict[str, object] = {
            f"{prefix}.sasl.server.callback.handler.class": HANDLER.format(package),
            "sasl.oauthbearer.jwks.endpoint.url": self.jwks_file.as_uri(),
            "sasl.oauthbearer.expected.issuer": self.name,
        }
        return (
            properties if self.audience is None else {**properties, "sasl.oauthbearer.expected.audience": self.audience}
        )

    @cached_property
    def jwks_file(self) -> Path:
        """The public keys, as a file."""
        from shutil import rmtree
        from tempfile import mkdtemp
        from weakref import finalize

        folder = mkdtemp(prefix="fakekafka-oauth-")  # only the owner can read it
        finalize(self, rmtree, folder, ignore_errors=True)
        path = Path(folder) / "jwks.json"
        path.write_text(json.dumps(self.jwks), "utf-8")
        return path

    @property
    def jwks(self) -> dict[str, object]:
        """The public keys (RFC 7517)."""
        numbers = self._key.public_key().public_numbers()
        n, e = (_text(number.to_bytes((number.bit_length() + 7) // 8, "big")) for number in (numbers.n, numbers.e))
        return {"keys": [{"kty": "RSA", "kid": self._kid, "use": "sig", "alg": "RS256", "n": n, "e": e}]}

    def renew_key(self) -> None:
        """Sign with another key from now on; the file and the server have it at once."""
        self.__dict__.pop("_key", None)
        if "jwks_file" in self.__dict__:
            self.jwks_file.write_text(json.dumps(self.jwks), "utf-8")

    @contextmanager
    def serve(self) -> Iterator[str]:
        """Serve "/jwks" and "/token" (grant "client_credentials"; the client's id is the user). Yields the URL."""
        from fakekafka.settings.oauth_server import served

        with served(lambda: self.jwks, lambda user, scope: (self.token(user, scope=scope), self.lifetime_s)) as url:
            yield url

    @cached_property
    def _key(self) -> Any:
        try:
            from cryptography.hazmat.primitives.asymmetric import rsa
        except ImportError:
            raise UsageError("oauth needs the library cryptography: pip install 'fakekafka[tls]'") from None
        return rsa.generate_private_key(public_exponent=65537, key_size=KEY_BITS)

    @property
    def _kid(self) -> str:
        return hex(self._key.public_key().public_numbers().n % 2**64)

    def _signature(self, signed: bytes) -> bytes:
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import padding

        signature: bytes = self._key.sign(signed, padding.PKCS1v15(), hashes.SHA256())
        return signature


def _part(value: object) -> str:
    return _text(json.dumps(value).encode())


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
