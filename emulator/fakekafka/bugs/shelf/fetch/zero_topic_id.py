"""ZERO-TOPIC-ID: Fetch 13 is offered while topics have no ids."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play, name_of
from fakekafka.bugs.real_clients import RealClients
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="ZERO-TOPIC-ID",
    title="Fetch 13 is offered while topics have no ids",
    part="fetch",
    kind="era",
    releases="3.1.0 - 3.9.2",
    clients=("librdkafka 2.5.0 - 2.5.3",),
    symptom=(
        "UNKNOWN_TOPIC_ID 100 for ever; consumer gets nothing after the client's upgrade to 2.5; Broker: Unknown"
        " topic id"
    ),
    cause=(
        "Brokers of 3.1 and later that keep inter.broker.protocol.version below 2.8 list Fetch 13 and later,"
        " which names topics by ids, while Metadata gives ids of zeros."
    ),
    remedy="librdkafka 2.6.0 falls back to Fetch 12; or raise inter.broker.protocol.version to 2.8.",
    sources=("confluentinc/librdkafka#4806", "KIP-516"),
    affected=Side("3.2.3", config={"inter.broker.protocol.version": "2.7"}),
    cured=Side("3.2.3"),
    sees={
        "the topic has an id": (False, True),
        "Fetch 13 is listed": (True, True),
        "a Fetch 13 with that id": ("UNKNOWN_TOPIC_ID", "NONE"),
    },
    real_clients=RealClients("confluent-kafka==2.5.3", "confluent-kafka==2.6.0"),
)


def story(play: Play) -> None:
    play.topic()
    play.produce(batch(), 9)
    topic_id = play.call("Metadata", 10, topics=[{"name": "t"}]).topics[0].topic_id
    play.see("the topic has an id", any(topic_id))
    listed = play.call("ApiVersions", 0).api_keys
    play.see("Fetch 13 is listed", any(one.max_version >= 13 for one in listed if one.api_key == 1))
    part = {"partition": 0, "fetch_offset": 0, "partition_max_bytes": 1000}
    answer = play.call("Fetch", 13, max_wait_ms=0, topics=[{"topic_id": topic_id, "partitions": [part]}])
    play.see("a Fetch 13 with that id", name_of(answer.responses[0].partitions[0].error_code))
