"""KAFKA-2000: offsets of deleted topics are kept."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records, unit

BUG = Bug(
    id="KAFKA-2000",
    title="offsets of deleted topics are kept",
    part="groups",
    kind="era",
    releases="0.8.1.0 - 0.10.1.1",
    clients=("any consumer group",),
    symptom=(
        "lag of a deleted topic is still reported; consumer of a recreated topic starts at the old offset and"
        " skips records"
    ),
    cause=(
        "Committed offsets are not deleted with their topic. If it is created again, groups continue at the old"
        " offsets."
    ),
    remedy="Delete the group, or commit 0; upgrade to 0.10.2.",
    sources=("KAFKA-2000", "apache/kafka commit b0742c2024c", "behaviour offsets.deleted_topics"),
    affected=Side("0.10.1.1", config={"delete.topic.enable": "true"}),
    cured=Side("0.10.2.2", config={"delete.topic.enable": "true"}),
    story_on="0.10.1.0 - 0.10.1.1",
    elsewhere="the story deletes a topic by a request, which came with 0.10.1",
    sees={"the offset committed for the deleted topic": (2, -1)},
)


def story(play: Play) -> None:
    play.topic()
    play.produce(unit(1, records()), 2)
    play.commit(2)
    play.tell("the topic is deleted")
    play.call("DeleteTopics", 0, topic_names=["t"], timeout_ms=5000)
    play.see("the offset committed for the deleted topic", play.committed())
