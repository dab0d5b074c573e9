"""KAFKA-3959: the offsets topic is created with too few replicas."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play, name_of

BUG = Bug(
    id="KAFKA-3959",
    title="the offsets topic is created with too few replicas",
    part="groups",
    kind="bug",
    releases="0.8.2.0 - 0.10.2.2",
    clients=("any consumer group",),
    symptom=(
        "__consumer_offsets has replication factor 1; groups unavailable when one broker stops; offsets lost"
        " with a broker"
    ),
    cause=(
        "The topic is created when the first group appears. With too few brokers at that moment it gets fewer"
        " replicas, for good."
    ),
    remedy="Reassign its partitions with more replicas; 0.11 waits until there are enough brokers.",
    sources=("KAFKA-3959", "KIP-115", "apache/kafka commit 063d534c516", "behaviour offsets.too_few_brokers"),
    affected=Side("0.10.2.2", config={"offsets.topic.replication.factor": 3}),
    cured=Side("0.11.0.3", config={"offsets.topic.replication.factor": 3}),
    story_on="0.9.0.0 - 0.10.2.2",
    elsewhere="0.8.2 has the bug once there is another topic",
    sees={"a coordinator with one of three brokers up": ("NONE", "COORDINATOR_NOT_AVAILABLE")},
)


def story(play: Play) -> None:
    play.tell("offsets.topic.replication.factor is 3, and one broker is up when the first group comes")
    answer = play.call("FindCoordinator", 0, key="g")
    play.see("a coordinator with one of three brokers up", name_of(answer.error_code))
