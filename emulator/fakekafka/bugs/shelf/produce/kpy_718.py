"""KPY-718: kafka-python compresses a batch twice when it sends it again."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients, Sends
from fakekafka.bugs.sets import GZIP, NOW, compress, message, records, unit

BUG = Bug(
    id="KPY-718",
    title="kafka-python compresses a batch twice when it sends it again",
    part="produce",
    kind="scenario",
    releases="0.8.0 -",
    clients=("kafka-python 1.0.0 - 1.2.4",),
    symptom=(
        "CorruptRecordException after a leader change, only with compression; nested message sets; consumer sees"
        " binary garbage"
    ),
    cause=(
        "The first attempt gets a retriable error. The second attempt compresses the buffer that is already"
        " compressed, so the wrapper contains a wrapper."
    ),
    remedy="Upgrade to kafka-python 1.2.5.",
    sources=("dpkp/kafka-python#718", "recorded from 0.8.2.2 to 0.10.2.2: produce_refusals"),
    shown="by what a reader computes",
    affected=Side("0.10.2.2", reader="compresses again"),
    cured=Side("0.10.2.2", reader="sends the same"),
    story_on="0.10.0.0 - 2.3.1",
    elsewhere=(
        "0.8 and 0.9 answer UNKNOWN_SERVER_ERROR, 2.4 and later INVALID_RECORD; 4.0 has no requests with old formats"
    ),
    sees={"the second attempt": ("CORRUPT_MESSAGE", "NONE")},
    real_clients=RealClients(
        "kafka-python==1.2.4", "kafka-python==1.2.5", Sends(codec="gzip", first_try_fails=True), python="3.6"
    ),
)


def story(play: Play) -> None:
    play.topic()
    first = unit(1, records(), GZIP)
    play.tell(f"the first attempt failed; the producer {play.side.reader}")
    again = message(1, 0, NOW, GZIP, None, compress(GZIP, first)) if play.side.reader == "compresses again" else first
    play.see("the second attempt", play.produce(again, 2).error)
