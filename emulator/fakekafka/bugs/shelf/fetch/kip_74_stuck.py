"""KIP-74-STUCK: a message that is larger than the fetch size always arrives truncated."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records, unit

BUG = Bug(
    id="KIP-74-STUCK",
    title="a message that is larger than the fetch size always arrives truncated",
    part="fetch",
    kind="era",
    releases="0.8.0 - 3.9.2",
    clients=("kafka-clients <0.10.1", "pykafka", "sarama <1.49.0", "kafkajs <1.4.1", "librdkafka <0.9.4"),
    symptom=(
        "RecordTooLargeException; ConsumerFetchSizeTooSmallException; consumer stuck, never gets past one"
        " offset; partial message; lag grows on one partition"
    ),
    cause=(
        "Fetch 0 to 2 gives no more bytes than asked for. Of a larger message only the first part comes, without"
        " an error, every time. From Fetch 3 on (0.10.1) the first unit is whole."
    ),
    remedy="Fetch with version 3 or later, or raise max.partition.fetch.bytes above max.message.bytes.",
    sources=("KIP-74", "KAFKA-2063", "IBM/sarama#1657", "recorded from 0.8.2.2 to 3.9.1: fetch_manners"),
    affected=Side("0.10.2.2", reader="Fetch 2"),
    cured=Side("0.10.2.2", reader="Fetch 3"),
    sees={"whole messages in 100 bytes": (0, 1)},
)


def story(play: Play) -> None:
    play.topic()
    play.produce(unit(1, records(1, value=b"v" * 500)), 2)
    play.tell(f"a consumer asks for 100 bytes with {play.side.reader}")
    version = int(play.side.reader.split()[1])
    play.see("whole messages in 100 bytes", len(play.fetch(0, version, max_bytes=100).units))
