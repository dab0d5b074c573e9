"""KAFKA-6739: one record with a header fails every partition of a fetch that has to be converted."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KAFKA-6739",
    title="one record with a header fails every partition of a fetch that has to be converted",
    part="fetch",
    kind="bug",
    releases="0.11.0.0 - 1.0.1, 1.1.0",
    clients=("pykafka", "kafka-clients <0.11.0", "kafka-python <1.4.0", "sarama <1.14.0"),
    symptom=(
        "consumer stuck, no messages since producers were upgraded or tracing was switched on; UNKNOWN error -1"
        " from all partitions of a broker; Magic v1 does not support record headers in server.log"
    ),
    cause=(
        "A Fetch of version 0 to 3 meets a batch of format 2 with a record that has headers. The converter"
        " refuses headers, and the exception fails the whole request: all partitions of it get -1, and the"
        " consumer asks for the same again."
    ),
    remedy=(
        "Keep headers out of topics that old consumers read; upgrade the brokers to 1.0.2, 1.1.1 or 2.0.0, which"
        " drop the headers, or the consumers to 0.11."
    ),
    sources=("KAFKA-6739", "Parsely/pykafka#945", "recorded from 0.11.0.3 to 3.8.1: fetch_formats"),
    affected=Side("1.0.1"),
    cured=Side("1.0.2"),
    sees={
        "errors of the two partitions": (["UNKNOWN_SERVER_ERROR", "UNKNOWN_SERVER_ERROR"], ["NONE", "NONE"]),
        "formats of the records": ([], [1, 1, 1]),
    },
    real_clients=RealClients("pykafka==2.8.0"),
)


def story(play: Play) -> None:
    play.topic(partitions=2)
    play.tell("a producer sends three records without headers to partition 0, and one with a header to partition 1")
    play.produce(batch(), 3)
    play.produce(batch(records(1, header=True)), 3, partition=1)
    play.tell("a consumer of 0.10 reads both partitions with Fetch 3")
    plain, with_header = play.fetch_all([("t", 0, 0), ("t", 1, 0)], 3)
    play.see("errors of the two partitions", [plain.error, with_header.error])
    play.see("formats of the records", plain.magics)
