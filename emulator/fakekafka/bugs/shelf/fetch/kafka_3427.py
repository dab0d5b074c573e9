"""KAFKA-3427: 0.9 answers a failed request in the layout of version 0."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play, name_of
from fakekafka.errors import MalformedBytes

BUG = Bug(
    id="KAFKA-3427",
    title="0.9 answers a failed request in the layout of version 0",
    part="fetch",
    kind="bug",
    releases="0.9.0.0 - 0.9.0.1",
    clients=("kafka-clients =0.9.0", "kafka-python", "franz-go"),
    symptom=(
        "SchemaException, Error reading field; BufferUnderflowException; consumer gets garbage on a working"
        " connection to 0.9 when the broker fails"
    ),
    cause=(
        "Fetch 1 or Produce 1 ends in an exception, and the generic handler answers in version 0, without"
        " throttle_time_ms. The client reads the number of topics as a time, and part of a name as a number."
    ),
    remedy="Upgrade to 0.10; the failure behind it (a foreign replica id, an I/O error) is what to look for.",
    sources=("KAFKA-3427", "recorded from 0.9.0.1: fetch_manners"),
    affected=Side("0.9.0.1"),
    cured=Side("0.10.0.1"),
    sees={"the answer to Fetch 1": ("cannot be read", "UNKNOWN_SERVER_ERROR")},
)


def story(play: Play) -> None:
    play.topic()
    play.tell("a fetch says that it comes from replica 5, which the partition does not have")
    part = {"partition": 0, "fetch_offset": 0, "partition_max_bytes": 1000}
    try:
        answer = play.call("Fetch", 1, replica_id=5, max_wait_ms=0, topics=[{"topic": "t", "partitions": [part]}])
        outcome = name_of(answer.responses[0].partitions[0].error_code)
    except MalformedBytes:
        outcome = "cannot be read"
    play.see("the answer to Fetch 1", outcome)
