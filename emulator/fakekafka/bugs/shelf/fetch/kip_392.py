"""KIP-392: consumers may be sent to another replica."""

from typing import Any, Final

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch
from fakekafka.records.scan import units, view

REPLICATED: Final[dict[str, object]] = {"default.replication.factor": 2}
SELECTOR: Final[dict[str, object]] = {
    "replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector"
}
RACKS: Final = ({"broker.rack": "rack 0"}, {"broker.rack": "rack 1"})

BUG = Bug(
    id="KIP-392",
    title="consumers may be sent to another replica",
    part="fetch",
    kind="era",
    releases="2.4.0 -",
    clients=("sarama <1.28.0",),
    symptom=(
        "consumer reads from a follower and gets OFFSET_OUT_OF_RANGE; preferred_read_replica is ignored and"
        " nothing comes; records missing when rack is set"
    ),
    cause=(
        "With a replica selector the leader answers without records, and names a replica that is nearer. Clients"
        " that do not know that get stuck."
    ),
    remedy="Set no replica.selector.class until every consumer knows KIP-392.",
    sources=(
        "KIP-392",
        "KAFKA-8443",
        "apache/kafka commit 23beeea34bf",
        "IBM/sarama#1605",
        "IBM/sarama#1822",
        "behaviour fetch.followers_may_serve",
    ),
    affected=Side("2.8.2", config=REPLICATED | SELECTOR, brokers=RACKS),
    cured=Side("2.8.2", config=REPLICATED, brokers=RACKS),
    sees={
        "records in the leader's answer": (0, 3),
        "the leader names another replica": (True, False),
        "records in that replica's answer": (3, 3),
    },
)


def story(play: Play) -> None:
    play.topic()
    leader = play.call("Metadata", 1, topics=[{"name": "t"}]).topics[0].partitions[0].leader_id
    part = {"index": 0, "records": batch()}
    topics = [{"name": "t", "partition_data": [part]}]
    play.call("Produce", 7, connection=f"broker {leader}", acks=-1, timeout_ms=1000, topic_data=topics)
    play.tell("a consumer asks the leader, and says that it is in the other broker's rack")
    other = 1 - leader
    asked = play.call("Fetch", 11, connection=f"broker {leader}", **_consumer_in(other))
    found = asked.responses[0].partitions[0]
    play.see("records in the leader's answer", _count(found))
    play.see("the leader names another replica", found.preferred_read_replica == other)
    answer = play.call("Fetch", 11, connection=f"broker {other}", **_consumer_in(other))
    play.see("records in that replica's answer", _count(answer.responses[0].partitions[0]))


def _consumer_in(rack: int) -> dict[str, object]:
    parts = [{"partition": 0, "fetch_offset": 0, "partition_max_bytes": 1000}]
    return {
        "max_wait_ms": 0,
        "max_bytes": 1000,
        "rack_id": f"rack {rack}",
        "topics": [{"topic": "t", "partitions": parts}],
    }


def _count(part: Any) -> int:
    return sum(view(part.records, one).count for one in units(part.records or b""))
