"""SCRAM-SHA-256 and SCRAM-SHA-512 (RFC 5802, RFC 7677), the server's side, as in Kafka's ScramSaslServer.

The regular expressions are those of ScramMessages: what they ignore in a message is not part of what is signed.
"""

import base64
import hashlib
import hmac
import re
from collections.abc import Callable
from typing import Final, NamedTuple, assert_never

from fakekafka.ids import TimestampMs
from fakekafka.releases.behaviours.sasl import SaslBehaviour
from fakekafka.security.sasl.credentials import ScramCredential
from fakekafka.security.sasl.mechanism import Broken, Identity, Refused

DIGESTS: Final = {"SCRAM-SHA-256": "sha256", "SCRAM-SHA-512": "sha512"}
NUMBERS: Final = {"SCRAM-SHA-256": 1, "SCRAM-SHA-512": 2}
"""The numbers of ScramMechanism, in requests (KIP-554)."""
NAMES: Final = {number: name for name, number in NUMBERS.items()}
FEWEST_ITERATIONS: Final = 4096

_VALUE = r"[\x01-\x2b\x2d-\x7f]+"
_PRINTABLE = r"[\x21-\x2b\x2d-\x7e]+"
_SASL_NAME = r"(?:[\x01-\x2b\x2d-\x3c\x3e-\x7f]|=2C|=3D)+"
_BASE64 = r"(?:[a-zA-Z0-9/+]{4})*(?:[a-zA-Z0-9/+]{3}=|[a-zA-Z0-9/+]{2}==)?"
_EXTENSIONS = rf"(?:,[A-Za-z]+={_VALUE})*"
_FIRST = re.compile(
    rf"n,(?:a=(?P<authorization_id>{_SASL_NAME}))?,(?:m={_VALUE},)?n=(?P<name>{_SASL_NAME}),r=(?P<nonce>{_PRINTABLE})"
    rf"(?P<extensions>{_EXTENSIONS})"
)
_FINAL = re.compile(rf"c=(?P<channel>{_BASE64}),r=(?P<nonce>{_PRINTABLE}){_EXTENSIONS},p=(?P<proof>{_BASE64})")


def salted_password(mechanism: str, password: str, salt: bytes, iterations: int) -> bytes:
    """The password as AlterUserScramCredentials sends it."""
    return hashlib.pbkdf2_hmac(DIGESTS[mechanism], password.encode(), salt, iterations)


def credential(mechanism: str, salted: bytes, salt: bytes, iterations: int) -> ScramCredential:
    """The credential of a salted password."""
    digest = DIGESTS[mechanism]
    client, server = (hmac.digest(salted, name, digest) for name in (b"Client Key", b"Server Key"))
    return ScramCredential(NUMBERS[mechanism], iterations, salt, hashlib.new(digest, client).digest(), server)


def credential_of_password(mechanism: str, password: str, salt: bytes, iterations: int) -> ScramCredential:
    """The credential of a password."""
    return credential(mechanism, salted_password(mechanism, password, salt, iterations), salt, iterations)


class ScramLogin(NamedTuple):
    """The credential for a first message, and the user who logs in with it."""

    credential: ScramCredential
    owner: str
    expires_at_ms: TimestampMs | None = None


LookUp = Callable[[str, bool], ScramLogin | None]
"""The credential of a user, or (True) of a delegation token, by its id."""


class Scram:
    """One login. `new_nonce`: a fresh text of printable characters."""

    def __init__(self, rules: SaslBehaviour, mechanism: str, look_up: LookUp, new_nonce: Callable[[], str]) -> None:
        self._rules, self._mechanism, self._digest = rules, mechanism, DIGESTS[mechanism]
        self._look_up, self._new_nonce = look_up, new_nonce
        self._login: ScramLogin | None = None
        self._by_token = False
        self._name = ""
        self._nonces = "", ""
        self._signed = ""
        """The client's first message without its header, and the server's first message."""
        self.identity: Identity | None = None

    def answer(self, token: bytes, now_ms: TimestampMs) -> bytes:
        """The server's first message, then its signature. Raises `Refused` or `Broken`."""
        text = token.decode("utf-8", "replace")
        return self._first(text) if self._login is None else self._final(text, self._login)

    def _first(self, text: str) -> bytes:
        message = _FIRST.fullmatch(text)
        if message is None:
            raise Refused("Invalid SCRAM client first message format")
        extensions = message["extensions"]
        self._by_token = self._rules.scram_extensions and _by_token(extensions)
        name = message["name"].replace("=2C", ",").replace("=3D", "=")
        login = self._look_up(name, self._by_token)
        if login is None:
            what = "delegation token" if self._by_token else f"user with a credential of {self._mechanism}"
            raise Refused("Authentication failed: Invalid user credentials", really=f"there is no {what} {name!r}")
        if message["authorization_id"] not in (None, name):
            words = "Authentication failed: Client requested an authorization id that is different from username"
            raise Refused(words, shown=True)
        self._login, self._name = login, name
        own = self._new_nonce()
        self._nonces = own, message["nonce"] + own
        salt = base64.b64encode(login.credential.salt).decode()
        answer = f"r={self._nonces[1]},s={salt},i={login.credential.iterations}"
        bare = f"n={message['name']},r={message['nonce']}"
        self._signed = (bare + extensions if self._rules.scram_extensions else bare) + "," + answer
        return answer.encode()

    def _final(self, text: str, login: ScramLogin) -> bytes:
        message = _FINAL.fullmatch(text)
        if message is None:
            raise Refused("Invalid SCRAM client final message format")
        own, whole = self._nonces
        nonce = message["nonce"]
        match self._rules.scram_nonce:
            case "not checked":
                is_right = True
            case "its end":
                is_right = nonce.endswith(own)
            case "whole":
                is_right = nonce == whole
            case rule:
                assert_never(rule)
        if not is_right:
            raise Refused("Invalid client nonce in the final client message.")
        channel = base64.b64encode(base64.b64decode(message["channel"])).decode()
        signed = f"{self._signed},c={channel},r={nonce}".encode()
        self._check(base64.b64decode(message["proof"]), signed, login.credential)
        self.identity = Identity(login.owner, login.expires_at_ms, self._by_token)
        return b"v=" + base64.b64encode(hmac.digest(login.credential.server_key, signed, self._digest))

    def _check(self, proof: bytes, signed: bytes, kept: ScramCredential) -> None:
        signature = hmac.digest(kept.stored_key, signed, self._digest)
        if len(proof) != len(signature):
            raise Broken("Argument arrays must be of the same length")
        client_key = bytes(a ^ b for a, b in zip(proof, signature))
        if not hmac.compare_digest(hashlib.new(self._digest, client_key).digest(), kept.stored_key):
            raise Refused("Invalid client credentials", really=f"wrong password of user {self._name!r}")


def _by_token(extensions: str) -> bool:
    """Whether the client logs in with a delegation token (KIP-48)."""
    parsed = dict(part.split("=", 1) for part in extensions.split(",") if part)
    return parsed.get("tokenauth", "").lower() == "true"
