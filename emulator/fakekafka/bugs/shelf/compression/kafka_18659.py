"""KAFKA-18659: without Produce 0 in the table of versions, librdkafka stops compressing."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients, Sends

BUG = Bug(
    id="KAFKA-18659",
    title="without Produce 0 in the table of versions, librdkafka stops compressing",
    part="compression",
    kind="fault",
    releases="4.0.0",
    clients=("librdkafka <2.11.1",),
    symptom=(
        "Broker does not support compression type gzip: not compressing batch; network traffic went up, messages"
        " not compressed any more, no error; librdkafka producer against 4.0 or a proxy"
    ),
    cause=(
        "For gzip, snappy and lz4, librdkafka checks whether the broker accepts Produce version 0."
        " If ApiVersions says that Produce begins at 3, as release candidates of 4.0 and several proxies do,"
        " the answer is no, and batches go out uncompressed."
    ),
    remedy=(
        "Upgrade to librdkafka 2.11.1; brokers and proxies list Produce from 0 on, as 4.0.0 does, whatever they accept."
    ),
    sources=(
        "KAFKA-18659",
        "apache/kafka#18727",
        "confluentinc/librdkafka#4956",
        "recorded from 4.0.0 to 4.3.1: every_version",
    ),
    shown="by what a reader computes",
    affected=Side("4.0.0", api_versions={"Produce": (3, 12)}),
    cured=Side("4.0.0"),
    sees={"lowest Produce listed": (3, 0), "librdkafka compresses with gzip": (False, True)},
    real_clients=RealClients("confluent-kafka==2.10.0", "confluent-kafka==2.11.1", Sends(size=1000, codec="gzip")),
)


def story(play: Play) -> None:
    answer = play.call("ApiVersions", 0)
    low = next(one.min_version for one in answer.api_keys if one.api_key == 0)
    play.see("lowest Produce listed", low)
    play.see("librdkafka compresses with gzip", low <= 0)
