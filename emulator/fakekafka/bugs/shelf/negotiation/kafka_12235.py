"""KAFKA-12235: DescribeConfigs finds nothing when it is asked for several configs by name."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play

BUG = Bug(
    id="KAFKA-12235",
    title="DescribeConfigs finds nothing when it is asked for several configs by name",
    part="negotiation",
    kind="bug",
    releases="2.7.0",
    clients=("any admin client that names configs",),
    symptom=(
        "DescribeConfigs returns no entries for two or more config names; asked for delete.retention.ms, the broker"
        " also returns retention.ms; configs of a topic seem to be missing"
    ),
    cause=(
        "2.7.0 shows a config if its name is a part of every name in the request. No config's name is a part of two"
        " names that have nothing in common, and a short name is a part of a longer one."
    ),
    remedy="Ask for all configs, or for one at a time, and choose from the answer; upgrade to 2.7.1 or 2.8.",
    sources=("KAFKA-12235", "apache/kafka#9990", "recorded from 2.6.3 to 2.7.1: listener_configs"),
    affected=Side("2.7.0"),
    cured=Side("2.7.1"),
    sees={
        "configs for two names": ([], ["retention.ms", "segment.bytes"]),
        "configs for delete.retention.ms": (["delete.retention.ms", "retention.ms"], ["delete.retention.ms"]),
    },
)


def story(play: Play) -> None:
    play.topic()
    play.see("configs for two names", _described(play, "retention.ms", "segment.bytes"))
    play.see("configs for delete.retention.ms", _described(play, "delete.retention.ms"))


def _described(play: Play, *names: str) -> list[str]:
    topic = {"resource_type": 2, "resource_name": "t", "configuration_keys": list(names)}
    (result,) = play.call("DescribeConfigs", play.known("DescribeConfigs", 3), resources=[topic]).results
    return sorted(config.name for config in result.configs)
