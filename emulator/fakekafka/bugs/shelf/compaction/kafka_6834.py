"""KAFKA-6834: a batch larger than the current limit stops the cleaner."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records

BUG = Bug(
    id="KAFKA-6834",
    title="a batch larger than the current limit stops the cleaner",
    part="compaction",
    kind="bug",
    releases="0.10.1.0 - 1.1.1",
    clients=("any producer of large messages",),
    symptom="log cleaner exits after max.message.bytes was lowered; batch larger than maximum allowable size",
    cause="The limit was higher when the batch was written. The cleaner's buffer grows only up to the current limit.",
    remedy="Raise max.message.bytes until the log is cleaned; upgrade to 2.0.",
    sources=("KAFKA-6834", "apache/kafka commit 0ecb72f59da", "behaviour cleaner.largest_unit"),
    affected=Side("1.1.1", config={"message.max.bytes": 1000, "log.cleaner.io.buffer.size": 1024}),
    cured=Side("2.0.0", config={"message.max.bytes": 1000, "log.cleaner.io.buffer.size": 1024}),
    sees={"a pass": ("the cleaner stops", "done")},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact", max_message_bytes=5000)
    play.produce(play.set_of(records(1, value=b"v" * 3000)), 5)
    play.tell("a batch of 3000 bytes lies in the log; the topic's limit is lowered to 1000")
    play.configure(cleanup_policy="compact", max_message_bytes=1000)
    play.produce(play.set_of(records(1)), 5)
    play.see("a pass", play.compact())
