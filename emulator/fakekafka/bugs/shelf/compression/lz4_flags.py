"""LZ4-FLAGS: brokers read only LZ4 frames of independent blocks."""

from lz4.frame import compress as lz4_frame

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients, Sends
from fakekafka.bugs.sets import LZ4, NOW, message, records, unit

BUG = Bug(
    id="LZ4-FLAGS",
    title="brokers read only LZ4 frames of independent blocks",
    part="compression",
    kind="era",
    releases="0.8.2.0 -",
    clients=("kafka-python <1.4.3", "any producer with linked blocks"),
    symptom=(
        "UNKNOWN -1 for every lz4 produce request; Dependent block stream is unsupported in server.log; works with gzip"
    ),
    cause=(
        "An LZ4 library that links blocks by default makes frames that the broker's reader does not support, in"
        " any release. A frame of one block, 64 KiB or less, has nothing to link."
    ),
    remedy="Switch block linking off in the client's LZ4 library; kafka-python does so from 1.4.3 on.",
    sources=("dpkp/kafka-python#1476", "recorded from 0.8.2.2 to 4.3.1: produce_refusals"),
    shown="by what a reader computes",
    affected=Side("2.3.1", reader="linked blocks"),
    cured=Side("2.3.1", reader="independent blocks"),
    story_on="0.8.2.0 - 3.9.2",
    elsewhere="4.0 has no requests with old formats",
    sees={"the produce": ("UNKNOWN_SERVER_ERROR", "NONE")},
    real_clients=RealClients(
        "kafka-python==1.4.2",
        "kafka-python==1.4.3",
        Sends(size=100_000, codec="lz4"),
        python="3.6",
        packages=("lz4", "xxhash"),
    ),
)


def story(play: Play) -> None:
    play.topic()
    play.tell(f"a producer compresses with {play.side.reader}")
    stream = lz4_frame(
        unit(1, records(3, value=b"v" * 40_000)), block_linked=play.side.reader == "linked blocks", store_size=False
    )
    play.see("the produce", play.produce(message(1, 2, NOW + 2, LZ4, None, stream), 2).error)
