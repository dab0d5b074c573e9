"""Delegation tokens (KIP-48, KIP-373): a token's hmac is the password, and its id the user, of a login by SCRAM."""

import base64
import hmac
from collections.abc import Iterable

from fakekafka.ids import TimestampMs
from fakekafka.security.principal import Principal
from fakekafka.security.sasl.credentials import ScramCredential
from fakekafka.security.sasl.scram import FEWEST_ITERATIONS, NAMES, credential_of_password


class Token:
    """One token. It holds no secret: its proof is computed with the key of the broker that is asked."""

    def __init__(
        self,
        id: str,
        owner: Principal,
        requester: Principal,
        renewers: Iterable[Principal],
        issued_at_ms: TimestampMs,
        expires_at_ms: TimestampMs,
        ends_at_ms: TimestampMs,
    ) -> None:
        self.id = id
        self.owner = owner
        self.requester = requester
        self.renewers = tuple(renewers)
        self.issued_at_ms = issued_at_ms
        self.expires_at_ms = expires_at_ms
        self.ends_at_ms = ends_at_ms
        """The latest time to which a renewal can extend the token."""

    def __repr__(self) -> str:
        return f"Token({self.id!r}, owner={str(self.owner)!r})"

    def belongs_to(self, who: Principal) -> bool:
        """Whether the principal owns the token, requested it, or may renew it."""
        return any(who[:2] == other[:2] for other in (self.owner, self.requester, *self.renewers))

    def may_be_renewed_by(self, who: Principal) -> bool:
        """Whether the principal owns the token or may renew it; to have requested it is not enough."""
        return any(who[:2] == other[:2] for other in (self.owner, *self.renewers))

    def hmac(self, secret_key: str) -> bytes:
        """The secret that its holder has."""
        return hmac.digest(secret_key.encode(), self.id.encode(), "sha512")

    def credential(self, mechanism: int, salt: bytes, secret_key: str) -> ScramCredential:
        """The credential with which its holder logs in."""
        password = base64.b64encode(self.hmac(secret_key)).decode()
        return credential_of_password(NAMES[mechanism], password, salt, FEWEST_ITERATIONS)
