"""KAFKA-4549: the LZ4 writer drops the last block when it is closed without a flush."""

from typing import Final

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import LZ4, NOW, compress, message, records, unit

BUG = Bug(
    id="KAFKA-4549",
    title="the LZ4 writer drops the last block when it is closed without a flush",
    part="compression",
    kind="fault",
    releases="0.8.2.0 - 0.10.1.1",
    clients=("kafka-clients 0.8.2 - 0.10.1",),
    symptom=(
        "the last messages of an lz4 batch are missing; EOF inside a message; decompressed message set ends early"
    ),
    cause=(
        "close() of KafkaLZ4BlockOutputStream wrote the end mark without the block that was still in its buffer."
        " Kafka's own callers flush first, so only programs that use the class themselves meet it. A broker takes such"
        " a set, and stores what is left of it."
    ),
    remedy="Upgrade clients and brokers to 0.10.2.",
    sources=("KAFKA-4549", "KafkaLZ4BlockOutputStream.java of 0.10.1 and 0.10.2"),
    shown="by what a reader computes",
    affected=Side("0.10.1.1", reader="closed without a flush"),
    cured=Side("0.10.1.1", reader="flushed first"),
    no_client=(
        "the Java clients flush before they close the writer; only programs that use its class themselves meet it"
    ),
    story_on="0.10.0.0 - 0.10.1.1",
    elsewhere="up to 0.9 the broker notices that records are missing",
    sees={"messages sent": (3, 3), "the produce": ("NONE", "NONE"), "messages stored": (2, 3)},
)

BLOCK: Final = 1 << 16
"""The size of a block in bytes. The first two messages fill one."""
FRAME_HEADER: Final = 7
END_MARK: Final = bytes(4)


def story(play: Play) -> None:
    play.topic()
    overhead = len(unit(1, records(2, value=b"")))
    rows = records(2, value=b"v" * ((BLOCK - overhead) // 2)) + records(1, first=2)
    frame = compress(LZ4, unit(1, rows))
    if play.side.reader == "closed without a flush":
        frame = frame[: FRAME_HEADER + 4 + _size_of_block(frame)] + END_MARK
    play.tell(f"a writer that is {play.side.reader} makes a frame of {len(frame)} bytes")
    play.see("messages sent", len(rows))
    play.see("the produce", play.produce(message(1, len(rows) - 1, NOW, LZ4, None, frame), 2).error)
    play.see("messages stored", sum(one.count for one in play.log()))


def _size_of_block(frame: bytes) -> int:
    """The bytes of the first block; the highest bit says that it is not compressed."""
    return int.from_bytes(frame[FRAME_HEADER : FRAME_HEADER + 4], "little") & 0x7FFFFFFF
