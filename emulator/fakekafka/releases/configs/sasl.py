"""SASL without OAUTHBEARER, delegation tokens, the encoder of stored passwords."""

from typing import Final

from fakekafka.releases.configs.definition import (
    CLASS,
    DOUBLE,
    GONE,
    INT,
    LIST,
    LONG,
    PASSWORD,
    SHORT,
    STRING,
    Config,
    config,
)
from fakekafka.releases.configs.validators import at_least, elements

SASL: Final[tuple[Config, ...]] = (
    config("delegation.token.expiry.check.interval.ms", LONG, {"1.1": "3600000"}, at_least(1)),
    config("delegation.token.expiry.time.ms", LONG, {"1.1": "86400000"}, at_least(1)),
    config("delegation.token.master.key", PASSWORD, {"1.1": None, "4.0": GONE}),
    config("delegation.token.max.lifetime.ms", LONG, {"1.1": "604800000"}, at_least(1)),
    config("delegation.token.secret.key", PASSWORD, {"2.8": None}),
    config("password.encoder.cipher.algorithm", STRING, {"1.1": "AES/CBC/PKCS5Padding", "4.0": GONE}),
    config("password.encoder.iterations", INT, {"1.1": "4096", "4.0": GONE}, at_least(1024)),
    config("password.encoder.key.length", INT, {"1.1": "128", "4.0": GONE}, at_least(8)),
    config("password.encoder.keyfactory.algorithm", STRING, {"1.1": None, "4.0": GONE}),
    config("password.encoder.old.secret", PASSWORD, {"1.1": None, "4.0": GONE}),
    config("password.encoder.secret", PASSWORD, {"1.1": None, "4.0": GONE}),
    config("sasl.client.callback.handler.class", CLASS, {"2.0": None}),
    config("sasl.enabled.mechanisms", LIST, {"0.10.0": "GSSAPI"}, {"4.2": elements()}, per_broker="1.1"),
    config("sasl.jaas.config", PASSWORD, {"1.1": None}, per_broker="1.1"),
    config("sasl.kerberos.kinit.cmd", STRING, {"0.9.0": "/usr/bin/kinit"}, per_broker="1.1"),
    config("sasl.kerberos.min.time.before.relogin", LONG, {"0.9.0": "60000"}, per_broker="1.1"),
    config("sasl.kerberos.principal.to.local.rules", LIST, {"0.9.0": "DEFAULT"}, {"4.2": elements()}, per_broker="1.1"),
    config("sasl.kerberos.service.name", STRING, {"0.9.0": None}, per_broker="1.1"),
    config("sasl.kerberos.ticket.renew.jitter", DOUBLE, {"0.9.0": "0.05"}, per_broker="1.1"),
    config("sasl.kerberos.ticket.renew.window.factor", DOUBLE, {"0.9.0": "0.8"}, per_broker="1.1"),
    config("sasl.login.callback.handler.class", CLASS, {"2.0": None}),
    config("sasl.login.class", CLASS, {"2.0": None}),
    config("sasl.login.refresh.buffer.seconds", SHORT, {"2.0": "300"}, per_broker="2.0"),
    config("sasl.login.refresh.min.period.seconds", SHORT, {"2.0": "60"}, per_broker="2.0"),
    config("sasl.login.refresh.window.factor", DOUBLE, {"2.0": "0.8"}, per_broker="2.0"),
    config("sasl.login.refresh.window.jitter", DOUBLE, {"2.0": "0.05"}, per_broker="2.0"),
    config("sasl.mechanism.controller.protocol", STRING, {"2.8": "GSSAPI"}, hidden_until="3.0"),
    config("sasl.mechanism.inter.broker.protocol", STRING, {"0.10.0": "GSSAPI"}, per_broker="1.1"),
    config("sasl.server.callback.handler.class", CLASS, {"2.0": None}),
    config(
        "sasl.server.max.receive.size",
        INT,
        {
            "2.8.2": "524288",
            "3.0": GONE,
            "3.0.2": "524288",
            "3.1": GONE,
            "3.1.2": "524288",
            "3.2": GONE,
            "3.2.2": "524288",
        },
    ),
)
