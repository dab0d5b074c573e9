"""KAFKA-6482: one timestamp in the far future keeps a log from ever being deleted."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import NOW, records

BUG = Bug(
    id="KAFKA-6482",
    title="one timestamp in the far future keeps a log from ever being deleted",
    part="timestamps",
    kind="scenario",
    releases="0.10.1.0 - 3.9.2",
    clients=("any producer that sends microseconds",),
    symptom=(
        "retention does not delete old segments; disk full; data older than retention.ms still there; timestamps"
        " in microseconds or nanoseconds; timestamp beyond the year 50000"
    ),
    cause=(
        "Retention asks for the largest timestamp of each segment, oldest first, and stops at the first that"
        " stays. A record of a client that sends microseconds is thousands of years ahead. From 4.0 on"
        " message.timestamp.after.max.ms is one hour, and such a record is refused with 32."
    ),
    remedy=(
        "Set message.timestamp.after.max.ms (3.6) or message.timestamp.difference.max.ms; delete the segment"
        " with DeleteRecords."
    ),
    sources=("KAFKA-6482", "KIP-937", "apache/kafka#4473", "recorded from 4.1.1: storage_roll"),
    affected=Side("3.9.1"),
    cured=Side("4.1.1"),
    sees={
        "a record in microseconds": ("NONE", "INVALID_TIMESTAMP"),
        "first offset after two days of one day's retention": (0, 3),
    },
)


def story(play: Play) -> None:
    play.topic(retention_ms=86_400_000, segment_ms=3_600_000)
    play.see("a record in microseconds", play.produce(play.set_of(records(1, time=NOW * 1000))).error)
    play.produce(play.set_of(records()))
    play.advance(2 * 86_400_000)
    play.produce(play.set_of(records(1, time=play.now)))
    play.advance(600_000)
    play.see("first offset after two days of one day's retention", play.list_offset(-2, 2)[1])
