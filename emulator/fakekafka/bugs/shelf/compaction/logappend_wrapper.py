"""LOGAPPEND-WRAPPER: the append time of a compressed set is ignored."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import GZIP, NOW, records, unit
from fakekafka.records.wrapper import unwrap

BUG = Bug(
    id="LOGAPPEND-WRAPPER",
    title="the append time of a compressed set is ignored",
    part="compaction",
    kind="scenario",
    releases="0.10.0.0 -",
    clients=("librdkafka <0.9.3",),
    symptom="message timestamp is the producer's although the topic has LogAppendTime; only with compression",
    cause=(
        "With LogAppendTime the broker writes the time into the wrapper alone, and sets a bit there. A client"
        " that takes the times of the messages inside gives those of the producer."
    ),
    remedy="Upgrade to librdkafka 0.9.3.",
    sources=("confluentinc/librdkafka#858", "KIP-32", "recorded from 0.10.0.1 to 4.3.1: produce_timestamps"),
    shown="by what a reader computes",
    affected=Side("0.10.2.2", reader="the messages' own"),
    cured=Side("0.10.2.2", reader="the wrapper's, where its bit is set"),
    no_client="confluent-kafka for librdkafka 0.9 has no wheels, and building it needs a librdkafka of that age",
    story_on="0.10.0.0 - 0.10.2.2",
    elsewhere="from 0.11 on the format is 2, and what is converted has the broker's time inside as well",
    sees={"timestamps that the application gets": ([1000, 1001, 1002], [NOW, NOW, NOW])},
)


def story(play: Play) -> None:
    play.topic(message_timestamp_type="LogAppendTime")
    play.produce(unit(1, records(time=1000), GZIP), 2)
    wrapper = play.fetch(0, 2).units[0]
    timestamps = [r.timestamp for r in wrapper.records()]
    if play.side.reader == "the messages' own":
        stream, _ = unwrap(1, GZIP, wrapper.data[34:])
        timestamps = [
            int.from_bytes(stream[at + 18 : at + 26], "big") for at in range(0, len(stream), len(stream) // 3)
        ]
    play.see("timestamps that the application gets", timestamps)
