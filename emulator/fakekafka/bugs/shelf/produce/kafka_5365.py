"""KAFKA-5365: a format 1 wrapper whose offset is below that of its last message is refused."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import GZIP, NOW, compress, message, records, unit

BUG = Bug(
    id="KAFKA-5365",
    title="a format 1 wrapper whose offset is below that of its last message is refused",
    part="produce",
    kind="era",
    releases="0.11.0.0 -",
    clients=("kafkaex", "pony-kafka", "brod"),
    symptom="CorruptMessage since the upgrade from 0.10.2 to 0.11; compressed produce stopped working; CRC seems fine",
    cause=(
        "A wrapper whose own offset is neither 0 nor that of its last message, mostly -1. 0.10 never looked at"
        " it; 0.11 and later take it for corrupt."
    ),
    remedy="Have the client write 0, or the number of messages less one, as the wrapper's offset.",
    sources=("KAFKA-5365", "brod#252", "pony-kafka#39", "recorded from 0.11.0.3 to 3.9.1: produce_shapes"),
    affected=Side("0.11.0.3"),
    cured=Side("0.10.2.2"),
    story_on="0.11.0.0 - 2.3.1",
    elsewhere="from 2.4 on the error is INVALID_RECORD (KIP-467), and 4.0 has no requests with old formats",
    sees={"a wrapper of offset -1": ("CORRUPT_MESSAGE", "NONE")},
)


def story(play: Play) -> None:
    play.topic()
    wrapper = message(1, -1, NOW + 2, GZIP, None, compress(GZIP, unit(1, records())))
    play.see("a wrapper of offset -1", play.produce(wrapper, 2).error)
