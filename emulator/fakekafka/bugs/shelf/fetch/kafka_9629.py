"""KAFKA-9629: an unknown isolation level closes the connection."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play

BUG = Bug(
    id="KAFKA-9629",
    title="an unknown isolation level closes the connection",
    part="fetch",
    kind="bug",
    releases="0.11.0.0 - 2.6.3",
    clients=("any self-made client",),
    symptom="connection closed on ListOffsets or Fetch; IllegalArgumentException, Unknown isolation level",
    cause="The parser of the request throws for isolation level 2, instead of answering an error.",
    remedy="Send 0 or 1; 2.7 answers -1.",
    sources=("KAFKA-9629", "apache/kafka commit 4cd2396db31", "behaviour fetch.unknown_isolation"),
    affected=Side("2.6.3"),
    cured=Side("2.7.2"),
    sees={"isolation level 2": ("the connection is closed", "answered")},
)


def story(play: Play) -> None:
    play.topic()
    partition = {"partition": 0, "fetch_offset": 0, "partition_max_bytes": 1000}
    topics = [{"topic": "t", "partitions": [partition]}]
    play.see("isolation level 2", play.ending("Fetch", 4, max_wait_ms=0, isolation_level=2, topics=topics))
