"""MIXED-MAGIC: records of one answer may have several formats, which some clients cannot read."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients
from fakekafka.bugs.sets import batch, records, unit

BUG = Bug(
    id="MIXED-MAGIC",
    title="records of one answer may have several formats, which some clients cannot read",
    part="fetch",
    kind="scenario",
    releases="0.10.0.0 -",
    clients=("librdkafka <1.0.0", "kafkajs <1.4.7", "sarama <1.16.0", "ruby-kafka <0.5.0"),
    symptom=(
        "Unknown magic byte; lost messages around the time of the upgrade; consumer crashes in the middle of a"
        " partition; Unsupported Message Magic v2"
    ),
    cause=(
        "The format was raised while a topic held data. A fetch across the border gets old messages and new"
        " batches in one set. Clients that look at the first unit only, or at the API's version, read the rest"
        " wrongly."
    ),
    remedy="Upgrade consumers before message.format.version is raised: librdkafka 1.0, sarama 1.16, kafkajs 1.4.7.",
    sources=(
        "confluentinc/librdkafka#2090",
        "tulios/kafkajs#246",
        "IBM/sarama#1022",
        "recorded from 0.11.0.3 to 3.9.1: format_lowered",
    ),
    shown="by what a reader computes",
    affected=Side("2.3.1", reader="the format of the first unit holds for all"),
    cured=Side("2.3.1", reader="each unit says its format"),
    story_on="0.11.0.0 - 2.8.2",
    elsewhere=(
        "from 3.0 on it takes inter.broker.protocol.version 2.8 as well; up to 0.10 it happens to formats 0 and 1"
    ),
    sees={"formats in one answer": ([1, 1, 1, 2], [1, 1, 1, 2]), "records that the reader finds": (3, 6)},
    real_clients=RealClients("kafkajs==1.4.6", "kafkajs==1.5.0"),
)


def story(play: Play) -> None:
    play.topic(message_format_version="0.10.2")
    play.produce(unit(1, records()), 2)
    play.tell("the format of the topic is raised")
    play.configure(message_format_version="0.11.0")
    play.produce(batch(), 7)
    fetched = play.fetch(0, 4)
    play.see("formats in one answer", fetched.magics)
    first_only = play.side.reader.startswith("the format of the first")
    read = [unit for unit in fetched.units if unit.magic == fetched.magics[0] or not first_only]
    play.see("records that the reader finds", sum(1 for unit in read for _ in unit.records()))
