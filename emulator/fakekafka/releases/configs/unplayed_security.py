"""Properties of listeners, SASL and TLS that are accepted and shown here without further effect, and why.

`FakeKafka` warns about those that are set, and `explain()` names them. All other properties of these kinds are played.
"""

from collections.abc import Mapping
from typing import Final

from fakekafka.releases.configs.plugins import of_listener

KERBEROS: Final = "GSSAPI is not played: it needs a KDC"
OWN_CLIENT: Final = "brokers of one cluster talk to each other inside the process"
JAVA_ONLY: Final = "OpenSSL does the work here, not Java's security providers"
FETCHES: Final = "keys are fetched at the start, and again if one is missing"
ENCRYPTS: Final = "nothing that is kept here is encrypted with it"
UNPLAYED: Final[Mapping[str, str]] = {
    "control.plane.listener.name": OWN_CLIENT,
    "early.start.listeners": "all listeners open at once",
    "password.encoder.cipher.algorithm": ENCRYPTS,
    "password.encoder.iterations": ENCRYPTS,
    "password.encoder.key.length": ENCRYPTS,
    "password.encoder.keyfactory.algorithm": ENCRYPTS,
    "password.encoder.old.secret": ENCRYPTS,
    "principal.builder.class": "classes of Java do not run here: use ssl.principal.mapping.rules, or authorizer=",
    "sasl.client.callback.handler.class": OWN_CLIENT,
    "sasl.login.callback.handler.class": OWN_CLIENT,
    "sasl.login.class": OWN_CLIENT,
    "sasl.mechanism.controller.protocol": OWN_CLIENT,
    "security.providers": JAVA_ONLY,
    "ssl.endpoint.identification.algorithm": OWN_CLIENT,
    "ssl.engine.factory.class": JAVA_ONLY,
    "ssl.protocol": "ssl.enabled.protocols decides",
    "ssl.provider": JAVA_ONLY,
    "ssl.secure.random.implementation": JAVA_ONLY,
    "ssl.trustmanager.algorithm": JAVA_ONLY,
    "sasl.oauthbearer.scope.claim.name": "the scope of a token decides nothing in a broker",
    "sasl.oauthbearer.jwks.endpoint.refresh.ms": FETCHES,
    "sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms": FETCHES,
    "sasl.oauthbearer.jwks.endpoint.retry.backoff.ms": FETCHES,
    "sasl.oauthbearer.jwt.validator.class": "classes of Java do not run here",
}
"""Why each property has no further effect, by name."""
PREFIXES: Final[Mapping[str, str]] = {
    "sasl.kerberos.": KERBEROS,
    "sasl.login.": OWN_CLIENT,
    "sasl.oauthbearer.assertion.": OWN_CLIENT,
    "sasl.oauthbearer.client.": OWN_CLIENT,
}
CLIENT_SIDE: Final = (
    "sasl.oauthbearer.jwt.retriever.class",
    "sasl.oauthbearer.scope",
    "sasl.oauthbearer.token.endpoint.url",
)


def unplayed(name: str) -> str | None:
    """Why a property has no further effect here; None if it has one, or is of another kind."""
    name = of_listener(name) or name
    if name in UNPLAYED:
        return UNPLAYED[name]
    if name in CLIENT_SIDE:
        return OWN_CLIENT
    return next((why for prefix, why in PREFIXES.items() if name.startswith(prefix)), None)
