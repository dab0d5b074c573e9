"""Record sets as stories send them. All have keys "k0", "k1", … and timestamps one millisecond apart."""

from collections.abc import Sequence

from fakekafka.binary import crc32, crc32c
from fakekafka.ids import NO_TIMESTAMP, CodecId, Magic, Offset, TimestampMs
from fakekafka.records import v0, v1, v2
from fakekafka.records.compression import GZIP, LZ4, NONE, SNAPPY, ZSTD, compress
from fakekafka.records.hot import message
from fakekafka.records.record import Record
from fakekafka.releases.message_formats import written_format
from fakekafka.releases.release import Release

__all__ = [
    "GZIP",
    "LZ4",
    "NONE",
    "NOW",
    "SNAPPY",
    "ZSTD",
    "batch",
    "compress",
    "in_newest_format",
    "message",
    "records",
    "sealed",
    "unit",
]  # fmt: skip
NOW: TimestampMs = 1_600_000_000_000


def records(
    count: int = 3,
    *,
    first: Offset = 0,
    time: TimestampMs = NOW,
    value: bytes | None = b"value",
    keys: Sequence[bytes | None] | None = None,
    header: bool = False,
) -> list[Record]:
    """Records at offsets from `first` on."""
    headers: tuple[tuple[str, bytes | None], ...] = (("trace", b"1"),) if header else ()
    names = [b"k%d" % n for n in range(count)] if keys is None else keys
    return [Record(first + n, time + n if time >= 0 else time, 0, key, value, headers) for n, key in enumerate(names)]


def unit(magic: Magic, rows: Sequence[Record], codec: CodecId = NONE) -> bytes:
    """A set in one of the formats: messages, a wrapper, or a batch."""
    return (v0.build, v1.build, v2.build)[magic](rows, codec=codec)


def in_newest_format(release: Release, rows: Sequence[Record], codec: CodecId = NONE) -> bytes:
    """A set in the newest format of a release; format 0 has no timestamps."""
    magic = written_format("configured", "", release.line)
    return unit(magic, rows if magic else [row._replace(timestamp=NO_TIMESTAMP) for row in rows], codec)


def batch(
    rows: Sequence[Record] | None = None,
    codec: CodecId = NONE,
    producer: int = -1,
    sequence: int = 0,
    epoch: int = 0,
    transactional: bool = False,
) -> bytes:
    """A batch of format 2, optionally from a producer that numbers its records."""
    known = producer >= 0
    return v2.build(
        records() if rows is None else rows,
        codec=codec,
        producer_id=producer,
        producer_epoch=epoch if known else -1,
        base_sequence=sequence if known else -1,
        transactional=transactional,
    )


def sealed(data: bytes | bytearray) -> bytes:
    """A single unit, changed by hand, with its checksum corrected."""
    out = bytearray(data)
    at, body = (17, 21) if out[16] == 2 else (12, 16)
    out[at : at + 4] = (crc32c(bytes(out[body:])) if at == 17 else crc32(bytes(out[body:]))).to_bytes(4, "big")
    return bytes(out)
