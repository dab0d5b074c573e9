"""KIP-467: a bad record gets 87, which old clients do not know."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KIP-467",
    title="a bad record gets 87, which old clients do not know",
    part="produce",
    kind="era",
    releases="2.4.0 -",
    clients=("librdkafka <1.4.0", "kafka-python <2.0.0", "sarama <1.27.0"),
    symptom=(
        "unknown error code 87 on produce; message without key to a compacted topic: Unknown error; since the"
        " upgrade to 2.4"
    ),
    cause=(
        "Records that a batch may not hold got 2 up to 2.3, and have got 87 since then, which older clients show as"
        " unknown. 2.4.0 gives -1 to Produce 0 to 7 instead (KAFKA-9492)."
    ),
    remedy="Upgrade the client; send keys to compacted topics.",
    sources=("KIP-467", "KAFKA-8729", "asked of 2.4.0", "behaviour append.invalid_record"),
    affected=Side("2.4.1"),
    cured=Side("2.3.1"),
    story_on="2.4.1 -",
    elsewhere="2.4.0 answers UNKNOWN_SERVER_ERROR to this version of Produce (KAFKA-9492)",
    sees={"a record without a key in a compacted topic": ("INVALID_RECORD", "CORRUPT_MESSAGE")},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    found = play.produce(batch(records(1, keys=[None])), 7)
    play.see("a record without a key in a compacted topic", found.error)
