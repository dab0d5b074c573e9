"""KAFKA-1755: a message without a key in a compacted topic stops the log cleaner for good."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records, unit

BUG = Bug(
    id="KAFKA-1755",
    title="a message without a key in a compacted topic stops the log cleaner for good",
    part="produce",
    kind="bug",
    releases="0.8.1.0 - 0.8.2.2",
    clients=("any producer without keys", "any producer with compression"),
    symptom=(
        "__consumer_offsets grows without end; disk full; log cleaner thread died; requirement failed in"
        " log-cleaner.log"
    ),
    cause=(
        "0.8 accepts messages without keys in compacted topics. The cleaner's requirement fails when it meets"
        " one, its thread ends, and nothing is compacted any more, not even the offsets topic."
    ),
    remedy=(
        "Restart the broker after the topic is gone or its policy changed; upgrade to 0.9, which refuses such messages."
    ),
    sources=("KAFKA-1755", "recorded from 0.8.2.2 to 4.3.1: produce_refusals"),
    affected=Side("0.8.2.2"),
    cured=Side("0.9.0.1"),
    sees={"a message without key": ("NONE", "CORRUPT_MESSAGE")},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    play.see("a message without key", play.produce(unit(0, records(1, keys=[None])), 0).error)
