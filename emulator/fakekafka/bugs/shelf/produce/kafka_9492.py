"""KAFKA-9492: one bad record in Produce 0 to 7 gives -1 to all partitions, though good ones were appended."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import NOW, batch, records

BUG = Bug(
    id="KAFKA-9492",
    title="one bad record in Produce 0 to 7 gives -1 to all partitions, though good ones were appended",
    part="produce",
    kind="bug",
    releases="2.4.0",
    clients=("kafka-python <2.1.0", "librdkafka <2.4.0", "sarama <1.27.0"),
    symptom=(
        "duplicates after the upgrade to 2.4.0; UnknownServerException for a whole produce request;"
        " NullPointerException in ProduceResponse on the broker"
    ),
    cause=(
        "A record fails its checks (timestamp out of range, no key in a compacted topic). The answer below"
        " version 8 has no room for the details, encoding it fails, and the generic handler answers -1 for every"
        " partition, after the good ones were appended. The client sends them again."
    ),
    remedy="Upgrade to 2.4.1.",
    sources=("KAFKA-9492", "KAFKA-8729"),
    affected=Side("2.4.0"),
    cured=Side("2.4.1"),
    sees={
        "errors": (["UNKNOWN_SERVER_ERROR", "UNKNOWN_SERVER_ERROR"], ["NONE", "INVALID_TIMESTAMP"]),
        "stored in the good partition after a retry of what failed": (6, 3),
    },
)


def story(play: Play) -> None:
    play.topic(partitions=2, message_timestamp_difference_max_ms=1000)
    play.tell("a good batch for partition 0, one that is a day old for partition 1")
    good, bad = batch(), batch(records(time=NOW - 86_400_000))
    answers = play.produce_all({("t", 0): good, ("t", 1): bad}, 7)
    errors = [answers["t", 0].error, answers["t", 1].error]
    play.see("errors", errors)
    if errors[0] != "NONE":
        play.tell("the producer sends partition 0 again")
        play.produce(good, 7)
    play.see("stored in the good partition after a retry of what failed", play.fetch(0, 4).high_watermark)
