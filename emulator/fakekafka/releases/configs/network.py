"""Listeners, sockets, threads, limits of requests."""

from typing import Final

from fakekafka.releases.configs.definition import GONE, INT, LIST, LONG, MAX_INT, STRING, Config, config
from fakekafka.releases.configs.validators import at_least, elements

NETWORK: Final[tuple[Config, ...]] = (
    config("advertised.host.name", STRING, {"0.8.1": None, "3.0": GONE}),
    config(
        "advertised.listeners",
        {"0.9.0": STRING, "4.2": LIST},
        {"0.9.0": None},
        {"4.2": elements(empty=False)},
        per_broker="1.1",
        read_only_again="4.0",
    ),
    config("advertised.port", INT, {"0.8.1": None, "3.0": GONE}),
    config("background.threads", INT, {"0.8.1": "4", "0.8.2": "10"}, at_least(1), cluster_wide="1.1"),
    config("connection.failed.authentication.delay.ms", INT, {"2.1": "100"}, at_least(0)),
    config("connections.max.idle.ms", LONG, {"0.8.2": "600000"}),
    config("connections.max.reauth.ms", LONG, {"2.2": "0"}),
    config("control.plane.listener.name", STRING, {"2.2": None, "4.0": GONE}),
    config("fetch.max.bytes", INT, {"2.5": "57671680"}, at_least(1024)),
    config("host.name", STRING, {"0.8.0": None, "0.9.0": "", "3.0": GONE}),
    config("inter.broker.listener.name", STRING, {"0.10.2": None}),
    config(
        "listener.security.protocol.map",
        STRING,
        {
            "0.10.2": "SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,TRACE:TRACE,SASL_SSL:SASL_SSL,PLAINTEXT:PLAINTEXT",
            "1.0": "PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL",
            "3.8": "SASL_SSL:SASL_SSL,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT",
        },
        per_broker="1.1",
    ),
    config(
        "listeners",
        {"0.9.0": STRING, "4.2": LIST},
        {"0.9.0": None, "3.0": "PLAINTEXT://:9092"},
        {"4.2": elements(empty=False)},
        per_broker="1.1",
    ),
    config("max.connection.creation.rate", INT, {"2.7": MAX_INT}, at_least(0), cluster_wide="2.7"),
    config("max.connections", INT, {"2.3": MAX_INT}, at_least(0), cluster_wide="2.3"),
    config(
        "max.connections.per.ip",
        INT,
        {"0.8.2": MAX_INT},
        {"0.8.2": at_least(1), "2.0": at_least(0)},
        cluster_wide="2.1",
    ),
    config("max.connections.per.ip.overrides", STRING, {"0.8.2": ""}, cluster_wide="2.1"),
    config("max.incremental.fetch.session.cache.slots", INT, {"1.1": "1000"}, at_least(0)),
    config("max.request.partition.size.limit", INT, {"3.8": "2000"}, at_least(1)),
    config("num.io.threads", INT, {"0.8.0": "8"}, at_least(1), cluster_wide="1.1"),
    config("num.network.threads", INT, {"0.8.0": "3"}, at_least(1), cluster_wide="1.1"),
    config("port", INT, {"0.8.0": "6667", "0.8.2": "9092", "3.0": GONE}),
    config("queued.max.request.bytes", LONG, {"1.0": "-1"}),
    config("queued.max.requests", INT, {"0.8.0": "500"}, at_least(1)),
    config("request.timeout.ms", INT, {"0.9.0": "30000"}),
    config("socket.connection.setup.timeout.max.ms", LONG, {"2.7": "127000", "2.8": "30000"}),
    config("socket.connection.setup.timeout.ms", LONG, {"2.7": "10000"}),
    config("socket.listen.backlog.size", INT, {"3.2": "50"}, at_least(1)),
    config("socket.receive.buffer.bytes", INT, {"0.8.0": "102400"}),
    config("socket.request.max.bytes", INT, {"0.8.0": "104857600"}, at_least(1)),
    config("socket.send.buffer.bytes", INT, {"0.8.0": "102400"}),
)
