"""ZSTD-OLD-FETCH: consumers below Fetch 10 get error 76 from topics compressed with zstd."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients
from fakekafka.bugs.sets import ZSTD, batch

BUG = Bug(
    id="ZSTD-OLD-FETCH",
    title="consumers below Fetch 10 get error 76 from topics compressed with zstd",
    part="compression",
    kind="era",
    releases="2.1.0 - 3.9.2",
    clients=("librdkafka <1.5.0", "sarama <1.27.0", "kafkajs <1.15.0", "kafka-python <2.1.0"),
    symptom=(
        "UNSUPPORTED_COMPRESSION_TYPE 76 on fetch; Unknown error code 76; consumer gets nothing since the topic"
        " uses zstd"
    ),
    cause=(
        "The topic has compression.type zstd, and the consumer fetches with a version below 10: every fetch is"
        " refused. A topic that only holds zstd batches is sent unchanged to Fetch 4 to 9, and the client cannot"
        " decode it. librdkafka 1.4 has Fetch 4 and 11, so it gets 76 from 2.1 and 2.2 only, which have no 11."
    ),
    remedy="Use consumers that fetch with version 10 or later: librdkafka 1.5, kafka-clients 2.1.",
    sources=(
        "KIP-110",
        "confluentinc/librdkafka#2880",
        "tulios/kafkajs#912",
        "recorded from 2.2.2 to 4.3.1: fetch_formats",
    ),
    affected=Side("2.3.1", reader="Fetch 9"),
    cured=Side("2.3.1", reader="Fetch 10"),
    sees={"the fetch": ("UNSUPPORTED_COMPRESSION_TYPE", "NONE")},
    real_clients=RealClients("kafka-python==2.0.2", "kafka-python==3.0.12"),
)


def story(play: Play) -> None:
    play.topic(compression_type="zstd")
    play.produce(batch(codec=ZSTD), 7)
    play.tell(f"a consumer reads with {play.side.reader}")
    play.see("the fetch", play.fetch(0, int(play.side.reader.split()[1])).error)
