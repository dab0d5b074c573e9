"""V1-HOLES: offsets in a compacted wrapper of format 1 are guessed from the number of its messages."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients
from fakekafka.bugs.sets import GZIP, records, unit

BUG = Bug(
    id="V1-HOLES",
    title="offsets in a compacted wrapper of format 1 are guessed from the number of its messages",
    part="compaction",
    kind="scenario",
    releases="0.10.0.0 - 3.9.2",
    clients=("librdkafka <1.2.0", "sarama <1.10.1", "ruby-kafka <0.5.0", "kafka-node", "brod"),
    symptom=(
        "missing messages on compacted topics; fewer messages than expected; offsets too high; consumer skips"
        " records of compressed compacted topics"
    ),
    cause=(
        "Compaction takes messages out of a compressed set and leaves the relative offsets of the others. The base is"
        " the wrapper's offset minus the last relative offset; clients that subtract the number of messages get"
        " offsets that are too high, and drop what seems to be read already."
    ),
    remedy=(
        "Upgrade to librdkafka 1.2.0, sarama 1.10.1; or raise the message format to 0.11 (old sets stay as they are)."
    ),
    sources=(
        "confluentinc/librdkafka#2349",
        "IBM/sarama#720",
        "ruby-kafka#457",
        "recorded from 0.10.2.2 to 2.8.2: storage_compact w1",
    ),
    shown="by what a reader computes",
    affected=Side("0.10.2.2", reader="base is the wrapper's offset - count + 1"),
    cured=Side("0.10.2.2", reader="base is the wrapper's offset - last inside"),
    sees={"offsets of the first wrapper's messages": ([1, 3], [0, 2])},
    real_clients=RealClients("confluent-kafka==1.1.0", "confluent-kafka==1.2.0", python="3.7"),
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    play.produce(unit(1, records(), GZIP), 2)
    play.produce(unit(1, records(1, keys=[b"k1"])), 2)
    play.compact()
    wrapper = play.fetch(0, 2).units[0]
    inside = [r.offset for r in wrapper.records()]
    relative = [offset - inside[-1] + 2 for offset in inside]
    if play.side.reader.endswith("count + 1"):
        base = wrapper.last_offset - len(relative) + 1
    else:
        base = wrapper.last_offset - relative[-1]
    play.see("offsets of the first wrapper's messages", [base + one for one in relative])
