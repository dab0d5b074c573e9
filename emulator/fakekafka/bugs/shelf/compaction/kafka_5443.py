"""KAFKA-5443: clients that look only at records get stuck at a batch that has lost its last ones."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients
from fakekafka.bugs.sets import batch, records
from fakekafka.ids import Offset

BUG = Bug(
    id="KAFKA-5443",
    title="clients that look only at records get stuck at a batch that compaction has taken the last records of",
    part="compaction",
    kind="scenario",
    releases="0.11.0.0 -",
    clients=(
        "kafka-python 1.4.0 - 1.4.4",
        "librdkafka <0.11.4",
        "kafkajs <1.12.0",
        "sarama <1.21.0",
        "ruby-kafka <0.5.4",
    ),
    symptom=(
        "consumer stuck on compacted topic; 100 % CPU; high cpu, no progress, same fetch offset again and again;"
        " lag never becomes 0; __consumer_offsets reader hangs"
    ),
    cause=(
        "Compaction has removed the last records of a batch, whose header still says where it ended. A client that"
        " continues at the last record's offset plus one asks for an offset inside the hole, gets the same batch again,"
        " and drops all of it, since its records lie before that offset."
    ),
    remedy=(
        "Upgrade to a client that takes the batch's last offset plus one as the next offset: kafka-python 1.4.5,"
        " librdkafka 0.11.4, sarama 1.21, kafkajs 1.12, ruby-kafka 0.5.4."
    ),
    sources=(
        "KAFKA-5443",
        "dpkp/kafka-python#1701",
        "tulios/kafkajs#562",
        "IBM/sarama#1227",
        "recorded from 0.11.0.3 to 4.3.1: storage_compact",
    ),
    shown="by what a reader computes",
    affected=Side("2.3.1", reader="next is the last record + 1"),
    cured=Side("2.3.1", reader="next is the batch's last offset + 1"),
    sees={
        "offsets in the first batch": ([0, 1], [0, 1]),
        "last offset of its header": (2, 2),
        "offsets that the consumer asks for": ([0, 2, 2, 2, 2], [0, 3, 4, 4, 4]),
    },
    real_clients=RealClients("kafka-python==1.4.4", "kafka-python==1.4.7"),
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    play.tell("three large records in one batch, the last of which a later batch replaces")
    play.produce(batch(records(value=b"v" * 250_000)), 7)
    play.produce(batch(records(1, keys=[b"k2"], value=b"v" * 750_000)), 7)
    play.compact()
    first = play.fetch(0, 4).units[0]
    play.see("offsets in the first batch", [r.offset for r in first.records()])
    play.see("last offset of its header", first.last_offset)
    play.tell(f"a consumer reads on: {play.side.reader}")
    play.see(
        "offsets that the consumer asks for",
        positions(play, by_records=play.side.reader.startswith("next is the last")),
    )


def positions(play: Play, *, by_records: bool, fetches: int = 5, version: int = 4) -> list[Offset]:
    """The offsets that a consumer of partition 0 of "t" asks for, from 0 on.

    `by_records`: the next position is the last record's offset plus one, and records before the position are dropped;
    otherwise it is the last offset of the first batch plus one.
    """
    position, asked = 0, []
    for _ in range(fetches):
        asked.append(position)
        units = play.fetch(position, version).units
        if by_records:
            offsets = [record.offset for unit in units[:1] for record in unit.records() if record.offset >= position]
        else:
            offsets = [unit.last_offset for unit in units[:1]]
        position = offsets[-1] + 1 if offsets else position
    return asked
