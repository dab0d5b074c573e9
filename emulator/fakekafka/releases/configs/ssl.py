"""TLS, and the principal of a connection."""

from typing import Final

from fakekafka.releases.configs.definition import BOOLEAN, CLASS, LIST, PASSWORD, STRING, Config, config
from fakekafka.releases.configs.validators import elements, one_of

SSL: Final[tuple[Config, ...]] = (
    config(
        "principal.builder.class",
        CLASS,
        {
            "0.9.0": "org.apache.kafka.common.security.auth.DefaultPrincipalBuilder",
            "1.0": None,
            "3.0": "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder",
        },
        per_broker="1.1",
    ),
    config(
        "security.inter.broker.protocol",
        STRING,
        {"0.9.0": "PLAINTEXT"},
        {"3.3": one_of("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")},
    ),
    config("security.providers", STRING, {"2.4": None}),
    config("ssl.allow.dn.changes", BOOLEAN, {"3.7": "false"}),
    config("ssl.allow.san.changes", BOOLEAN, {"3.7": "false"}),
    config("ssl.cipher.suites", LIST, {"0.9.0": None, "1.1": ""}, {"4.2": elements()}, per_broker="1.1"),
    config("ssl.client.auth", STRING, {"0.9.0": "none"}, one_of("required", "requested", "none"), per_broker="1.1"),
    config(
        "ssl.enabled.protocols",
        LIST,
        {"0.9.0": "TLSv1.2,TLSv1.1,TLSv1", "2.5": "TLSv1.2", "2.6": "TLSv1.2,TLSv1.3"},
        {"4.2": elements()},
        per_broker="1.1",
    ),
    config("ssl.endpoint.identification.algorithm", STRING, {"0.9.0": None, "2.0": "https"}, per_broker="1.1"),
    config("ssl.engine.factory.class", CLASS, {"2.6": None}, per_broker="2.6"),
    config("ssl.key.password", PASSWORD, {"0.9.0": None}, per_broker="1.1"),
    config("ssl.keymanager.algorithm", STRING, {"0.9.0": "SunX509"}, per_broker="1.1"),
    config("ssl.keystore.certificate.chain", PASSWORD, {"2.7": None}, per_broker="2.7"),
    config("ssl.keystore.key", PASSWORD, {"2.7": None}, per_broker="2.7"),
    config("ssl.keystore.location", STRING, {"0.9.0": None}, per_broker="1.1"),
    config("ssl.keystore.password", PASSWORD, {"0.9.0": None}, per_broker="1.1"),
    config("ssl.keystore.type", STRING, {"0.9.0": "JKS"}, per_broker="1.1"),
    config("ssl.principal.mapping.rules", {"2.2": LIST, "2.4": STRING}, {"2.2": "DEFAULT"}),
    config("ssl.protocol", STRING, {"0.9.0": "TLS", "2.5": "TLSv1.2", "2.6": "TLSv1.3"}, per_broker="1.1"),
    config("ssl.provider", STRING, {"0.9.0": None}, per_broker="1.1"),
    config("ssl.secure.random.implementation", STRING, {"0.10.1": None}, per_broker="1.1"),
    config("ssl.trustmanager.algorithm", STRING, {"0.9.0": "PKIX"}, per_broker="1.1"),
    config("ssl.truststore.certificates", PASSWORD, {"2.7": None}, per_broker="2.7"),
    config("ssl.truststore.location", STRING, {"0.9.0": None}, per_broker="1.1"),
    config("ssl.truststore.password", PASSWORD, {"0.9.0": None}, per_broker="1.1"),
    config("ssl.truststore.type", STRING, {"0.9.0": "JKS"}, per_broker="1.1"),
)
