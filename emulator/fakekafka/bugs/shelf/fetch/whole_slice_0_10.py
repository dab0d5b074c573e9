"""WHOLE-SLICE-0.10: 0.10 converts a whole slice into one set, with the codec of its first message."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import GZIP, records, unit

BUG = Bug(
    id="WHOLE-SLICE-0.10",
    title="0.10 converts a whole slice into one set, with the codec of its first message",
    part="fetch",
    kind="era",
    releases="0.10.0.0 - 0.10.2.2",
    clients=("librdkafka <0.9.2", "kafka-clients <0.10.0"),
    symptom=(
        "invalid receive size, larger than receive.message.max.bytes; Receive failed: Invalid message size; huge"
        " fetch responses; consumer out of memory on one compressed topic after the brokers' upgrade"
    ),
    cause=(
        "Fetch 0 and 1 of a topic of format 1: everything that was read becomes one wrapper if its first message"
        " is compressed, however much it contains; otherwise everything comes uncompressed, and is far larger"
        " than what was asked for."
    ),
    remedy="Lower the consumer's fetch size, or upgrade it to one of 0.10; brokers of 0.11 convert batch by batch.",
    sources=("confluentinc/librdkafka#866", "FileMessageSet of 0.10.0.0", "recorded from 0.10.2.2: fetch_formats"),
    affected=Side("0.10.2.2"),
    cured=Side("0.11.0.3", config={"log.message.format.version": "0.10.2"}),
    sees={"units in the answer": (1, 2)},
)


def story(play: Play) -> None:
    play.topic()
    play.produce(unit(1, records(), GZIP), 2)
    play.produce(unit(1, records(), GZIP), 2)
    play.tell("a consumer of 0.9 reads both wrappers with Fetch 1")
    play.see("units in the answer", len(play.fetch(0, 1).units))
