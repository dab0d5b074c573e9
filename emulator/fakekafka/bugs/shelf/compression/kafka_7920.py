"""KAFKA-7920: zstd is accepted although brokers of the cluster cannot read it yet."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import ZSTD, batch

BUG = Bug(
    id="KAFKA-7920",
    title="zstd is accepted although brokers of the cluster cannot read it yet",
    part="compression",
    kind="bug",
    releases="2.1.0 - 2.1.1",
    clients=("librdkafka >=1.0.0", "kafka-clients >=2.1.0"),
    symptom=(
        "followers stop replicating during a rolling upgrade to 2.1; Unknown compression type id: 4 on the old"
        " brokers; under-replicated partitions"
    ),
    cause=(
        "A broker of 2.1 accepts zstd with Produce 7 even while inter.broker.protocol.version is older. Followers"
        " of 2.0 then fetch batches of a codec that they do not know."
    ),
    remedy=(
        "No producer may use zstd before every broker runs 2.1; from 2.2 on it is refused with 76 until the"
        " protocol is raised."
    ),
    sources=("KAFKA-7920", "KIP-110"),
    affected=Side("2.1.1", config={"inter.broker.protocol.version": "2.0"}),
    cured=Side("2.2.2", config={"inter.broker.protocol.version": "2.0"}),
    sees={"a zstd batch": ("NONE", "UNSUPPORTED_COMPRESSION_TYPE")},
)


def story(play: Play) -> None:
    play.topic()
    play.see("a zstd batch", play.produce(batch(codec=ZSTD), 7).error)
