"""TSDIFF-NO-TIMESTAMP: a limit on timestamps locks out all producers without timestamps."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients, Sends
from fakekafka.bugs.sets import records, unit

BUG = Bug(
    id="TSDIFF-NO-TIMESTAMP",
    title="a limit on timestamps locks out all producers without timestamps",
    part="produce",
    kind="bug",
    releases="0.10.0.0 - 0.10.2.2",
    clients=("kafka-clients <0.10.0", "kafka-python <1.2.0", "pykafka"),
    symptom=(
        "INVALID_TIMESTAMP 32 from every old producer; timestamp is out of range; happens since"
        " message.timestamp.difference.max.ms was set"
    ),
    cause=(
        "The topic has a finite message.timestamp.difference.max.ms. Messages of format 0 are converted and get"
        " the timestamp -1, which counts as far off."
    ),
    remedy=(
        "Leave the limit unset until every producer sends timestamps, or upgrade to 0.11, which exempts records"
        " without timestamps."
    ),
    sources=(
        "LogValidator.validateTimestamp of 0.10 and 0.11",
        "recorded from 0.10.0.1 to 0.11.0.3: produce_timestamps",
    ),
    affected=Side("0.10.2.2"),
    cured=Side("0.11.0.3"),
    sees={"a producer of 0.9": ("INVALID_TIMESTAMP", "NONE")},
    real_clients=RealClients(
        "kafka-python==1.1.1", sends=Sends(topic={"message.timestamp.difference.max.ms": "1000"}), python="3.6"
    ),
)


def story(play: Play) -> None:
    play.topic(message_timestamp_difference_max_ms=1000)
    play.see("a producer of 0.9", play.produce(unit(0, records()), 1).error)
