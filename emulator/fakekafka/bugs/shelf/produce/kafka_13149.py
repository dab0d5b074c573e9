"""KAFKA-13149: an invalid record body gets -1 instead of a proper error."""

from typing import Final

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records, sealed

BUG = Bug(
    id="KAFKA-13149",
    title="an invalid record body gets -1 instead of a proper error",
    part="produce",
    kind="bug",
    releases="0.11.0.0 - 3.0.0",
    clients=("any self-made producer",),
    symptom="UNKNOWN_SERVER_ERROR -1 for a malformed batch; NullPointerException in DefaultRecord on the broker",
    cause=(
        "For a record that claims to be longer than the rest of its plain batch the reader returns null. If it is not"
        " the last one, where left-over bytes are noticed, the broker goes on with null."
    ),
    remedy="Repair the producer; 3.0.1 and 3.1.0 answer with a proper error.",
    sources=("KAFKA-13149", "behaviour append.length_past_end"),
    affected=Side("3.0.0"),
    cured=Side("3.0.1"),
    story_on="2.4.0 - 3.0.0",
    elsewhere="up to 2.3 the error of the last record is CORRUPT_MESSAGE",
    sees={
        "a batch whose first record is longer than the rest of it": ("UNKNOWN_SERVER_ERROR", "INVALID_RECORD"),
        "a batch whose only record is": ("INVALID_RECORD", "INVALID_RECORD"),
    },
)


LENGTH_AT: Final = 61
"""Where the first record's length stands in a batch."""
TOO_LONG: Final = 126
"""63 bytes, as a varint."""


def story(play: Play) -> None:
    play.topic()
    for what, count in (("first record is longer than the rest of it", 2), ("only record is", 1)):
        data = bytearray(batch(records(count)))
        data[LENGTH_AT] = TOO_LONG
        play.see(f"a batch whose {what}", play.produce(sealed(data), 8).error)
