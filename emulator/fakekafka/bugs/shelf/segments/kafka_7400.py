"""KAFKA-7400: compacted topics keep segments before the log's start."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KAFKA-7400",
    title="compacted topics keep segments before the log's start",
    part="segments",
    kind="bug",
    releases="0.11.0.0 - 2.0.1",
    clients=("any admin client",),
    symptom="DeleteRecords frees no space on a compacted topic; disk usage does not go down",
    cause=(
        "Retention only considers topics with the policy delete, so segments below the log start of compacted ones"
        " stay."
    ),
    remedy="Add delete to cleanup.policy for a while; upgrade to 2.1.",
    sources=("KAFKA-7400", "apache/kafka commit 0bc7008e755", "behaviour log.retention_of_compacted"),
    affected=Side("2.0.1"),
    cured=Side("2.1.0"),
    sees={"segments below the log's start": (2, 0)},
)


def story(play: Play) -> None:
    play.topic(segment_bytes=100)
    for _ in range(3):
        play.produce(batch(records(1)), 6)
    play.tell("the first two records are deleted, and the topic is compacted from now on")
    play.delete_records(2)
    play.configure(cleanup_policy="compact", segment_bytes=100)
    play.advance(700_000)
    below = [name for name in play.files("t-0/", ".log") if name < f"t-0/{2:020d}"]
    play.see("segments below the log's start", len(below))
