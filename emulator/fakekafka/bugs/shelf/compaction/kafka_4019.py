"""KAFKA-4019: a message larger than the broker's limit stops the cleaner though its topic allows it."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records, unit

BUG = Bug(
    id="KAFKA-4019",
    title="a message larger than the broker's limit stops the cleaner though its topic allows it",
    part="compaction",
    kind="bug",
    releases="0.8.1.0 - 0.10.0.1",
    clients=("any producer of large messages",),
    symptom=(
        "log cleaner exits; This log contains a message larger than maximum allowable size; max.message.bytes"
        " set on the topic"
    ),
    cause=(
        "The cleaner's buffer grows up to message.max.bytes only, and dies on a message that the topic's own"
        " limit allows."
    ),
    remedy="Raise message.max.bytes on the broker; upgrade to 0.10.1.",
    sources=("KAFKA-4019", "apache/kafka commit 3d7e3d68570", "behaviour cleaner.largest_unit"),
    affected=Side("0.10.0.1", config={"message.max.bytes": 1000, "log.cleaner.io.buffer.size": 1024}),
    cured=Side("0.10.1.0", config={"message.max.bytes": 1000, "log.cleaner.io.buffer.size": 1024}),
    sees={"a pass": ("the cleaner stops", "done")},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact", max_message_bytes=5000)
    play.tell("the topic takes 5000 bytes, the broker's own limit is 1000; a message of 3000 bytes comes")
    play.produce(unit(1, records(1, value=b"v" * 3000)), 2)
    play.produce(unit(1, records(1)), 2)
    play.see("a pass", play.compact())
