"""KAFKA-3160: the header checksum of LZ4 frames must cover too many bytes, and correct frames are refused."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import LZ4, compress, message, records, unit
from fakekafka.records.lz4_frames import HeaderChecksum

BUG = Bug(
    id="KAFKA-3160",
    title="the header checksum of LZ4 frames must cover too many bytes, and correct frames are refused",
    part="compression",
    kind="era",
    releases="0.8.2.0 - 0.9.0.1",
    clients=("sarama", "kafka-python <1.0.0", "aiokafka >=0.9.0", "librdkafka <0.9.1"),
    symptom=(
        "got 1a; expected 82; lz4 header checksum error; invalid header checksum; producing with lz4 fails with"
        " UNKNOWN -1 on 0.8.2 and 0.9; messages compressed with lz4 cannot be read"
    ),
    cause=(
        "The LZ4 writer of 0.8.2 and 0.9 computes the checksum byte of the frame header over the magic number as"
        " well. A reader that follows the standard refuses such frames, and a 0.9 broker refuses correct ones with"
        " -1. From 0.10.0 on the byte is right in format 1, and still wrong, on purpose, in what brokers write in"
        " format 0."
    ),
    remedy=(
        "Use snappy or gzip while any client or broker is of 0.8.2 or 0.9, or a topic keeps format 0; raise the"
        " message format to 0.10 or later."
    ),
    sources=("KAFKA-3160", "KAFKA-1493", "IBM/sarama#1205", "recorded from 0.8.2.2 to 0.10.0.1: produce_formats"),
    affected=Side("0.9.0.1"),
    cured=Side("0.10.0.1"),
    sees={"a frame with the standard checksum": ("UNKNOWN_SERVER_ERROR", "NONE")},
)


def story(play: Play) -> None:
    play.topic()
    play.tell("a client sends an LZ4 wrapper of format 0 whose header checksum follows the standard")
    stream = compress(LZ4, unit(0, records()), lz4_checksum=HeaderChecksum.RIGHT)
    play.see("a frame with the standard checksum", play.produce(message(0, 2, -1, LZ4, None, stream), 1).error)
