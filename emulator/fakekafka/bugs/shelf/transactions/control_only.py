"""CONTROL-ONLY: answers that hold only markers stop clients, or are given to the application."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="CONTROL-ONLY",
    title="answers that hold only markers stop clients, or are given to the application",
    part="transactions",
    kind="scenario",
    releases="0.11.0.0 -",
    clients=("sarama <1.18.0", "kafka-python <2.1.0", "librdkafka <1.9.0", "aiokafka <0.8.0", "kafkajs <1.12.0"),
    symptom=(
        "consumer stands still before control batches; extra records with binary keys of 4 bytes; KeyError in"
        " aiokafka; false message size too large; consumer stuck on transactional topic"
    ),
    cause=(
        "Several transactions whose data is gone or aborted leave only markers. Clients that count records"
        " instead of offsets do not move; others deliver the markers."
    ),
    remedy="Upgrade to sarama 1.18, kafka-python 2.1, librdkafka 1.9, aiokafka 0.8, kafkajs 1.12.",
    sources=(
        "IBM/sarama#1106",
        "dpkp/kafka-python#2499",
        "confluentinc/librdkafka#2993",
        "aio-libs/aiokafka#781",
        "tulios/kafkajs#511",
    ),
    shown="by what a reader computes",
    affected=Side("2.3.1", reader="moves by records"),
    cured=Side("2.3.1", reader="moves by batches"),
    sees={"control batches at the front": (2, 2), "where the consumer stands after five fetches": (0, 5)},
    real_clients=RealClients("kafka-python==2.0.2", "kafka-python==2.3.3"),
)


def story(play: Play) -> None:
    play.topic()
    for at, name in enumerate(("a", "b")):
        producer = play.begin_transaction(name)
        play.end_transaction(name, producer)
        play.fetch(at, 4)
    play.produce(batch(), 7)
    units = play.fetch(0, 4).units
    play.see("control batches at the front", sum(one.is_control for one in units[:2]))
    position = 0
    for _ in range(5):
        first = play.fetch(position, 4).units[:1]
        if play.side.reader == "moves by records":
            first = [one for one in first if not one.is_control]
        position = first[0].last_offset + 1 if first else position
    play.see("where the consumer stands after five fetches", position)
