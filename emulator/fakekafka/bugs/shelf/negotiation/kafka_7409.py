"""KAFKA-7409: an unknown format is accepted for a new topic, and the broker does not start again."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play, name_of

BUG = Bug(
    id="KAFKA-7409",
    title="an unknown format is accepted for a new topic, and the broker does not start again",
    part="negotiation",
    kind="bug",
    releases="0.10.1.0 - 2.0.1",
    clients=("any admin client",),
    symptom=(
        "broker does not start after a topic was created; Version is not a valid version;"
        " IllegalArgumentException at startup, message.format.version"
    ),
    cause=(
        "CreateTopics checks the value of message.format.version only from 2.1 on. Until then the running broker"
        " lives with it, and the next start fails when it reads the topic's configs."
    ),
    remedy="Remove the config from ZooKeeper before the restart; upgrade to 2.1, which answers 40.",
    sources=("KAFKA-7409", "recorded from 0.10.2.2 to 2.3.1: illegal_configs"),
    affected=Side("2.0.1"),
    cured=Side("2.1.1"),
    sees={"the topic is created": ("NONE", "INVALID_CONFIG"), "the broker starts again": (False, True)},
)


def story(play: Play) -> None:
    config = [{"name": "message.format.version", "value": "0.99"}]
    topic = {"name": "t", "num_partitions": 1, "replication_factor": 1, "configs": config}
    answer = play.call("CreateTopics", play.known("CreateTopics", 2), topics=[topic], timeout_ms=1000)
    play.see("the topic is created", name_of(answer.topics[0].error_code))
    play.see("the broker starts again", play.starts())
