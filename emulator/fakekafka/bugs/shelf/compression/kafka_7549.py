"""KAFKA-7549: records that are not a proper batch close the connection instead of being answered with an error."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import CLOSED, Play
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="KAFKA-7549",
    title="records that are not a proper batch close the connection instead of being answered with an error",
    part="compression",
    kind="bug",
    releases="0.11.0.0 - 2.7.2",
    clients=("sarama <1.15.0", "any self-made producer"),
    symptom=(
        "broker closes the connection on produce without an error; EOF after produce; InvalidRecordException"
        " while parsing in server.log"
    ),
    cause=(
        "Produce 3 and later takes exactly one batch of format 2. Up to 2.1.0 anything else fails while the request"
        " is parsed, and the connection is closed. From 2.1.1 on a second batch or another format gets an error; a"
        " truncated or empty set closes the connection up to 2.7."
    ),
    remedy=(
        "Send one batch of format 2 to a partition with Produce 3 and later; upgrade to 2.8 to be told what is wrong."
    ),
    sources=("KAFKA-7549", "recorded from 0.11.0.3 to 4.3.1: produce_refusals"),
    affected=Side("2.1.0"),
    cured=Side("2.8.2"),
    story_on="0.11.0.0 - 2.1.0",
    elsewhere="from 2.1.1 on two batches get an error; a batch that is cut off closes the connection as before",
    sees={"two batches in one set": (CLOSED, "INVALID_RECORD"), "a batch that is cut off": (CLOSED, "INVALID_RECORD")},
)


def story(play: Play) -> None:
    play.topic()
    play.see("two batches in one set", play.produce(batch() + batch(), 3).error)
    play.see("a batch that is cut off", play.produce(batch()[:40], 3).error)
