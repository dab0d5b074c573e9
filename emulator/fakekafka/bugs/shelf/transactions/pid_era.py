"""PID-ERA: the error for a producer that the broker does not know changes from release to release."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="PID-ERA",
    title="the error for a producer that the broker does not know changes from release to release",
    part="transactions",
    kind="era",
    releases="0.11.0.0 - 2.4.1",
    clients=("kafka-clients 0.11.0 - 2.4", "librdkafka >=1.0.0", "sarama", "franz-go"),
    symptom=(
        "OutOfOrderSequenceException; UnknownProducerIdException; UNKNOWN_PRODUCER_ID 59 on a topic with little"
        " traffic; producer fails after idle time, or after records were deleted"
    ),
    cause=(
        "Retention, DeleteRecords or transactional.id.expiration.ms removed what the broker knew about a producer,"
        " which goes on with its next sequence. 0.11 answers 45, 1.0 to 2.4 answer 59, 2.5 accepts it."
    ),
    remedy=(
        "Upgrade brokers to 2.5 (KIP-360); keep records longer; librdkafka 1.3 and kafka-clients 1.1 reset their"
        " sequence if they can."
    ),
    sources=(
        "KIP-360",
        "KAFKA-5793",
        "KAFKA-7190",
        "recorded from 0.11.0.3 to 4.3.1: produce_refusals, storage_producer_state",
    ),
    affected=Side("2.3.1"),
    cured=Side("2.5.1"),
    story_on="1.0.0 - 2.4.1",
    elsewhere="0.11 answers OUT_OF_ORDER_SEQUENCE_NUMBER",
    sees={"the next batch after DeleteRecords": ("UNKNOWN_PRODUCER_ID", "NONE")},
)


def story(play: Play) -> None:
    play.topic()
    producer = play.producer_id()
    play.produce(batch(producer=producer), 7)
    play.tell("all records are deleted; the producer goes on with sequence 3")
    play.delete_records(3)
    play.restart()
    play.see("the next batch after DeleteRecords", play.produce(batch(producer=producer, sequence=3), 7).error)
