"""The public keys of the issuer of tokens: `sasl.oauthbearer.jwks.endpoint.url`, a file or a URL (RFC 7517).

They are fetched when the broker starts; if that fails, it does not start. An unknown id causes them to be fetched again
in the background, as RefreshingHttpsJwks does; the login that named it fails.
"""

import base64
import json
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import urlopen

from fakekafka.errors import BrokerWillNotStart, UsageError

TIMEOUT_S: Final = 10
MOST_BYTES: Final = 1 << 20
SCHEMES: Final = ("file", "http", "https")
CURVES: Final = {"P-256": "SECP256R1", "P-384": "SECP384R1", "P-521": "SECP521R1"}


class KeySet:
    """The keys behind a URL. Raises `BrokerWillNotStart` if there are none, `UsageError` without the library."""

    def __init__(self, url: str) -> None:
        if urlsplit(url).scheme not in SCHEMES:
            raise BrokerWillNotStart(
                f"The OAuth configuration option sasl.oauthbearer.jwks.endpoint.url contains a URL"
                f" ({url}) that is malformed"
            )
        self._url = url
        self._fetching: threading.Thread | None = None
        try:
            self._keys = self._fetched()
        except (OSError, ValueError) as wrong:
            raise BrokerWillNotStart(f"Could not load the keys of {url}: {wrong}") from wrong

    def find(self, kid: str | None) -> Any:
        """The key with that id, or the only key if the token names none. None if there is no such key yet."""
        keys = self._keys
        if kid is None:
            return next(iter(keys.values())) if len(keys) == 1 else None
        if kid not in keys:
            self._fetch_again()
        return keys.get(kid)

    def _fetch_again(self) -> None:
        """Fetch in a thread that changes only the set of known keys, all at once."""
        if self._fetching is None or not self._fetching.is_alive():
            self._fetching = threading.Thread(target=self._refresh, name="fakekafka-jwks", daemon=True)
            self._fetching.start()

    def _refresh(self) -> None:
        with suppress(OSError, ValueError):
            self._keys = self._fetched()

    def _fetched(self) -> Mapping[str, Any]:
        with urlopen(self._url, timeout=TIMEOUT_S) as answer:
            return parsed_keys(answer.read(MOST_BYTES))


def parsed_keys(data: bytes) -> dict[str, Any]:
    """The keys in a set, by id; keys of other types are left out. Raises `ValueError`, `UsageError`."""
    key_set = json.loads(data)
    if not isinstance(key_set, dict) or not isinstance(key_set.get("keys"), list):
        raise ValueError("it is not a set of keys")
    keys = {str(one.get("kid")): _public_key(one) for one in key_set["keys"] if isinstance(one, dict)}
    return {kid: key for kid, key in keys.items() if key is not None}


def _public_key(jwk: Mapping[str, str]) -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric import ec, rsa
    except ImportError:
        raise UsageError("signed tokens need the library cryptography: pip install 'fakekafka[tls]'") from None
    if jwk.get("kty") == "RSA":
        return rsa.RSAPublicNumbers(_integer(jwk["e"]), _integer(jwk["n"])).public_key()
    if jwk.get("kty") == "EC" and jwk.get("crv") in CURVES:
        curve = getattr(ec, CURVES[jwk["crv"]])()
        return ec.EllipticCurvePublicNumbers(_integer(jwk["x"]), _integer(jwk["y"]), curve).public_key()
    return None


def _integer(text: str) -> int:
    return int.from_bytes(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), "big")
