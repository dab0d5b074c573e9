"""KAFKA-14633: a compressed batch whose records run past its end is stored."""

from typing import Final

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import GZIP, batch, compress, records, sealed

BUG = Bug(
    id="KAFKA-14633",
    title="a compressed batch whose records run past its end is stored",
    part="produce",
    kind="bug",
    releases="3.6.0 -",
    clients=("any self-made producer",),
    symptom="consumer cannot read one offset; record length beyond the stream; batch was accepted by the broker",
    cause=(
        "Lengths of records in a compressed batch that stays as it is are no longer checked; consumers fail at"
        " the batch."
    ),
    remedy="Repair the producer; skip the batch by seeking past it.",
    sources=("KAFKA-14633", "apache/kafka commit fe6a827e20d", "behaviour append.compressed_reader"),
    affected=Side("3.6.2"),
    cured=Side("3.5.2"),
    sees={"a record that is longer than its batch": ("NONE", "INVALID_RECORD")},
)


def story(play: Play) -> None:
    play.topic()
    play.see("a record that is longer than its batch", play.produce(_overlong(), 9).error)


def _overlong() -> bytes:
    """A batch compressed with gzip whose last record says that it has 10 bytes more than there are."""
    one = records(1)
    plain = bytearray(batch(one)[HEADER:])
    plain[0] += 2 * 10  # a zigzag number
    body = compress(GZIP, bytes(plain))
    header = batch(one, GZIP)[:HEADER]
    return sealed(header[:8] + (HEADER - 12 + len(body)).to_bytes(4, "big") + header[12:] + body)


HEADER: Final = 61
