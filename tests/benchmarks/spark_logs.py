"""Big segments, made fast: one batch repeated, each time with another base offset, which no checksum covers."""

from pathlib import Path

from fakekafka.log import names
from fakekafka.records import v2
from fakekafka.records.record import Record

EACH = 140
"""Records in a batch of about 16 KiB."""
VALUE = bytes(range(100))


def batch() -> bytearray:
    return bytearray(v2.build([Record(n, 1_600_000_000_000 + n, 0, b"key-%08d" % n, VALUE) for n in range(EACH)]))


def write(folder: Path, size: int) -> int:
    """Write a segment of about `size` bytes with its index, and return the number of its records."""
    folder.mkdir(parents=True)
    unit, index, offset = batch(), bytearray(), 0
    with (folder / names.of_offset(0, names.LOG)).open("wb") as log:
        for position in range(0, size - len(unit), len(unit)):
            v2.set_base_offset(unit, offset)
            log.write(unit)
            offset += EACH
            if position:
                index += (offset - 1).to_bytes(4, "big") + position.to_bytes(4, "big")
    (folder / names.of_offset(0, names.OFFSET_INDEX)).write_bytes(index)
    return offset
