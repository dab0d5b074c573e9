"""KAFKA-5236: what the broker compresses with snappy has blocks of 1 KiB, and is larger than what was sent."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import SNAPPY, records, unit

BUG = Bug(
    id="KAFKA-5236",
    title="what the broker compresses with snappy has blocks of 1 KiB, and is larger than what was sent",
    part="compression",
    kind="bug",
    releases="0.10.2.0 - 0.10.2.2",
    clients=("any producer with snappy",),
    symptom=(
        "disk usage and replication traffic jump after the upgrade to 0.10.2; log segments larger with snappy;"
        " compression ratio dropped"
    ),
    cause=(
        "A broker of 0.10.2 that rebuilds a compressed set (other format, other codec, offsets of format 0)"
        " cuts snappy into blocks of 1 KiB instead of 32 KiB."
    ),
    remedy=(
        "Let producers write the topic's own format with the topic's own codec, so that nothing is rebuilt;"
        " upgrade to 0.11."
    ),
    sources=("KAFKA-5236", "recorded from 0.8.2.2 to 0.11.0.3: produce_formats"),
    affected=Side("0.10.2.2"),
    cured=Side("0.11.0.3"),
    sees={"snappy blocks of 9 KB": (9, 1)},
)


def story(play: Play) -> None:
    play.topic()
    play.tell("a client of 0.9 sends a snappy set of format 0, which the broker rebuilds in its own format")
    play.produce(unit(0, records(3, value=b"v" * 3000), SNAPPY), 1)
    stream = _stream(play)
    play.see("snappy blocks of 9 KB", _blocks(stream))


def _stream(play: Play) -> bytes:
    """The compressed value of the only message, after the header, the null key and the value's length."""
    data = play.fetch(0, 2).records
    return data[data.index(b"\x82SNAPPY\x00") :]


def _blocks(stream: bytes) -> int:
    """The blocks of a stream: 16 bytes of header, then each block with its size."""
    at, count = 16, 0
    while at < len(stream):
        at += 4 + int.from_bytes(stream[at : at + 4], "big")
        count += 1
    return count
