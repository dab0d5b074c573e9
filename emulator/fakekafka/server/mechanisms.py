"""The server's sides of logins, with the data that they look up in a broker."""

import base64
import secrets

from fakekafka.admin.delegation_tokens import has_tokens, secret_key
from fakekafka.cluster.broker import Broker
from fakekafka.security.listener import Listener
from fakekafka.security.listeners import plain_users
from fakekafka.security.sasl.mechanism import Mechanism
from fakekafka.security.sasl.oauthbearer import OAuthBearer
from fakekafka.security.sasl.plain import Plain
from fakekafka.security.sasl.scram import NUMBERS, Scram, ScramLogin

NONCE_BYTES = SALT_BYTES = 20


def new(broker: Broker, listener: Listener, name: str) -> Mechanism:
    """A login by the mechanism of that name, which the listener has enabled."""
    rules = broker.profile.sasl
    if name == "PLAIN":
        return Plain(rules, {**broker.cluster.security.users, **plain_users(broker.opened_with.get, listener.name)})
    if name == "OAUTHBEARER":
        return OAuthBearer(None if listener.sasl is None else listener.sasl.validate)
    return Scram(rules, name, lambda user, by_token: _credential(broker, name, user, by_token), new_nonce)


def new_nonce() -> str:
    """Printable characters that cannot be guessed."""
    return base64.b64encode(secrets.token_bytes(NONCE_BYTES)).decode()


def _credential(broker: Broker, mechanism: str, user: str, by_token: bool) -> ScramLogin | None:
    if by_token:
        token = broker.cluster.settings.tokens.get(user)
        if token is None or not has_tokens(broker):
            return None
        kept = token.credential(NUMBERS[mechanism], secrets.token_bytes(SALT_BYTES), secret_key(broker))
        return ScramLogin(kept, token.owner.name, token.expires_at_ms)
    credential = broker.credentials.for_login(user, NUMBERS[mechanism])
    return None if credential is None else ScramLogin(credential, user)
