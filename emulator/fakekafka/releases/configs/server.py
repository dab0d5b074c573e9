"""The broker itself: identity, protocol version, plug-ins, metrics."""

from typing import Final

from fakekafka.releases.configs.definition import BOOLEAN, GONE, INT, LIST, LONG, MAX_LONG, STRING, Config, config
from fakekafka.releases.configs.validators import at_least, elements
from fakekafka.releases.configs.versions import PROTOCOL_DEFAULTS, VERSION_NAMES

SERVER: Final[tuple[Config, ...]] = (
    config("authorizer.class.name", STRING, {"0.9.0": ""}),
    config("auto.include.jmx.reporter", BOOLEAN, {"3.4": "true", "4.0": GONE}),
    config("broker.id", INT, {"0.8.0": None, "0.9.0": "-1"}, {"0.8.0": at_least(0), "0.9.0": None}),
    config("broker.id.generation.enable", BOOLEAN, {"0.9.0.1": "true", "4.0": GONE}),
    config("broker.rack", STRING, {"0.10.0": None}),
    config("config.providers", LIST, {"4.2": ""}, elements(), cluster_wide="4.2"),
    config("inter.broker.protocol.version", STRING, PROTOCOL_DEFAULTS, VERSION_NAMES),
    config("kafka.metrics.polling.interval.secs", INT, {"0.8.0": "10"}, {"2.1": at_least(1)}, hidden_until="2.1"),
    config("kafka.metrics.reporters", LIST, {"0.8.0": ""}, {"4.2": elements()}, hidden_until="2.1"),
    config(
        "metric.reporters",
        LIST,
        {"0.9.0": "", "4.0": "org.apache.kafka.common.metrics.JmxReporter"},
        {"4.2": elements()},
        cluster_wide="1.1",
    ),
    config("metrics.num.samples", INT, {"0.9.0": "2"}, at_least(1)),
    config("metrics.recording.level", STRING, {"0.10.2": "INFO"}),
    config("metrics.sample.window.ms", LONG, {"0.9.0": "30000"}, at_least(1)),
    config("reserved.broker.max.id", INT, {"0.9.0": "1000", "4.0": GONE}, at_least(0)),
    config("server.max.startup.time.ms", LONG, {"3.5": MAX_LONG}, at_least(0), hidden=True),
    config("telemetry.max.bytes", INT, {"3.7": "1048576"}, at_least(1)),
    config("unstable.api.versions.enable", BOOLEAN, {"3.5": "false"}, hidden=True),
    config("unstable.feature.versions.enable", BOOLEAN, {"3.8": "false"}, hidden=True),
    config("unstable.metadata.versions.enable", BOOLEAN, {"3.7": "false", "3.8": GONE}, hidden=True),
)
