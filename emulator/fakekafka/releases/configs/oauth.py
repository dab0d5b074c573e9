"""SASL/OAUTHBEARER (KIP-768, KIP-1139)."""

from typing import Final

from fakekafka.releases.configs.definition import BOOLEAN, CLASS, INT, LIST, LONG, PASSWORD, STRING, Config, config
from fakekafka.releases.configs.validators import any_case, between, elements

OAUTH: Final[tuple[Config, ...]] = (
    config("sasl.login.connect.timeout.ms", INT, {"3.1": None}),
    config("sasl.login.read.timeout.ms", INT, {"3.1": None}),
    config("sasl.login.retry.backoff.max.ms", LONG, {"3.1": "10000"}),
    config("sasl.login.retry.backoff.ms", LONG, {"3.1": "100"}),
    config("sasl.oauthbearer.assertion.algorithm", STRING, {"4.1": "RS256"}, any_case("ES256", "RS256")),
    config("sasl.oauthbearer.assertion.claim.aud", STRING, {"4.1": None}),
    config("sasl.oauthbearer.assertion.claim.exp.seconds", INT, {"4.1": "300"}, between(0, 86400)),
    config("sasl.oauthbearer.assertion.claim.iss", STRING, {"4.1": None}),
    config("sasl.oauthbearer.assertion.claim.jti.include", BOOLEAN, {"4.1": "false"}),
    config("sasl.oauthbearer.assertion.claim.nbf.seconds", INT, {"4.1": "60"}, between(0, 3600)),
    config("sasl.oauthbearer.assertion.claim.sub", STRING, {"4.1": None}),
    config("sasl.oauthbearer.assertion.file", STRING, {"4.1": None}),
    config("sasl.oauthbearer.assertion.private.key.file", STRING, {"4.1": None}),
    config("sasl.oauthbearer.assertion.private.key.passphrase", PASSWORD, {"4.1": None}),
    config("sasl.oauthbearer.assertion.template.file", STRING, {"4.1": None}),
    config("sasl.oauthbearer.client.credentials.client.id", STRING, {"4.1": None}),
    config("sasl.oauthbearer.client.credentials.client.secret", PASSWORD, {"4.1": None}),
    config("sasl.oauthbearer.clock.skew.seconds", INT, {"3.1": "30"}),
    config("sasl.oauthbearer.expected.audience", LIST, {"3.1": None, "4.2": ""}, {"4.2": elements()}),
    config("sasl.oauthbearer.expected.issuer", STRING, {"3.1": None}),
    config("sasl.oauthbearer.jwks.endpoint.refresh.ms", LONG, {"3.1": "3600000"}),
    config("sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms", LONG, {"3.1": "10000"}),
    config("sasl.oauthbearer.jwks.endpoint.retry.backoff.ms", LONG, {"3.1": "100"}),
    config("sasl.oauthbearer.jwks.endpoint.url", STRING, {"3.1": None}),
    config(
        "sasl.oauthbearer.jwt.retriever.class",
        CLASS,
        {"4.1": "org.apache.kafka.common.security.oauthbearer.DefaultJwtRetriever"},
    ),
    config(
        "sasl.oauthbearer.jwt.validator.class",
        CLASS,
        {"4.1": "org.apache.kafka.common.security.oauthbearer.DefaultJwtValidator"},
    ),
    config("sasl.oauthbearer.scope", STRING, {"4.1": None}),
    config("sasl.oauthbearer.scope.claim.name", STRING, {"3.1": "scope"}),
    config("sasl.oauthbearer.sub.claim.name", STRING, {"3.1": "sub"}),
    config("sasl.oauthbearer.token.endpoint.url", STRING, {"3.1": None}),
)
