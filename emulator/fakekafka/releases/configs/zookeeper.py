"""The broker's connection to ZooKeeper; gone in 4.0."""

from typing import Final

from fakekafka.releases.configs.definition import BOOLEAN, GONE, INT, LIST, PASSWORD, STRING, Config, config
from fakekafka.releases.configs.validators import at_least

ZOOKEEPER: Final[tuple[Config, ...]] = (
    config("zookeeper.clientCnxnSocket", STRING, {"2.5": None, "4.0": GONE}),
    config("zookeeper.connect", STRING, {"0.8.0": None, "4.0": GONE}),
    config("zookeeper.connection.timeout.ms", INT, {"0.8.0": None, "4.0": GONE}),
    config("zookeeper.max.in.flight.requests", INT, {"1.1": "10", "4.0": GONE}, at_least(1)),
    config("zookeeper.metadata.migration.enable", BOOLEAN, {"3.4": "false", "4.0": GONE}),
    config("zookeeper.metadata.migration.min.batch.size", INT, {"3.6.2": "200", "4.0": GONE}, at_least(1), hidden=True),
    config("zookeeper.session.timeout.ms", INT, {"0.8.0": "6000", "2.5": "18000", "4.0": GONE}),
    config("zookeeper.set.acl", BOOLEAN, {"0.9.0": "false", "4.0": GONE}),
    config("zookeeper.ssl.cipher.suites", LIST, {"2.5": None, "4.0": GONE}),
    config("zookeeper.ssl.client.enable", BOOLEAN, {"2.5": "false", "4.0": GONE}),
    config("zookeeper.ssl.crl.enable", BOOLEAN, {"2.5": "false", "4.0": GONE}),
    config("zookeeper.ssl.enabled.protocols", LIST, {"2.5": None, "4.0": GONE}),
    config("zookeeper.ssl.endpoint.identification.algorithm", STRING, {"2.5": "HTTPS", "4.0": GONE}),
    config("zookeeper.ssl.keystore.location", STRING, {"2.5": None, "4.0": GONE}),
    config("zookeeper.ssl.keystore.password", PASSWORD, {"2.5": None, "4.0": GONE}),
    config("zookeeper.ssl.keystore.type", STRING, {"2.5": None, "4.0": GONE}),
    config("zookeeper.ssl.ocsp.enable", BOOLEAN, {"2.5": "false", "4.0": GONE}),
    config("zookeeper.ssl.protocol", STRING, {"2.5": "TLSv1.2", "4.0": GONE}),
    config("zookeeper.ssl.truststore.location", STRING, {"2.5": None, "4.0": GONE}),
    config("zookeeper.ssl.truststore.password", PASSWORD, {"2.5": None, "4.0": GONE}),
    config("zookeeper.ssl.truststore.type", STRING, {"2.5": None, "4.0": GONE}),
    config("zookeeper.sync.time.ms", INT, {"0.8.0": "2000", "3.2": GONE}),
)
