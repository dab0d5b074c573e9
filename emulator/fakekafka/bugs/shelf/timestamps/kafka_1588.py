"""KAFKA-1588: ListOffsets 0 omits a partition that is asked for twice."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play

BUG = Bug(
    id="KAFKA-1588",
    title="ListOffsets 0 omits a partition that is asked for twice",
    part="timestamps",
    kind="era",
    releases="0.8.0 - 2.6.3",
    clients=("librdkafka <0.9.2",),
    symptom=(
        "query watermark offsets gives only one of low and high; only one answer for earliest and latest in one"
        " request; topics map has one entry"
    ),
    cause=(
        "The broker keeps the questions of version 0 in a map by partition, so earliest and latest of the same"
        " partition in one request get one answer."
    ),
    remedy="Send two requests.",
    sources=("KAFKA-1588", "confluentinc/librdkafka#700", "recorded from 0.8.2.2 to 3.9.1: list_offsets"),
    affected=Side("2.6.3"),
    cured=Side("2.7.2"),
    sees={"answers to two questions": (1, 2)},
)


def story(play: Play) -> None:
    play.topic()
    parts = [{"partition_index": 0, "timestamp": time, "max_num_offsets": 1} for time in (-2, -1)]
    answer = play.call("ListOffsets", 0, replica_id=-1, topics=[{"name": "t", "partitions": parts}])
    play.see("answers to two questions", sum(len(topic.partitions) for topic in answer.topics))
