"""How many bytes each format adds to keys and values, on the workloads of KIP-98's first draft: the table of its page.

    python -m tests.benchmarks.set_sizes

The document reckons with batches of 1 to 100 messages of 1 KiB with keys of 100 bytes; says that null keys and null
values leave out fields, and that single messages become dearer; and that the producer's fields would cost 14 bytes in
each message of format 1.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from fakekafka.records import v0, v1, v2
from fakekafka.records.drafts.kip98 import DraftMessage, DraftSet, encode
from fakekafka.records.record import Record

COUNTS: Final = (1, 3, 10, 50, 100)
NOW: Final = 1_600_000_000_000
PRODUCER_FIELDS: Final = 8 + 2 + 4
"""Id, epoch and sequence, in bytes."""


class Payload(NamedTuple):
    """What each message of a workload holds."""

    key: bytes | None
    value: bytes | None

    @property
    def size(self) -> int:
        return len(self.key or b"") + len(self.value or b"")


class Sizes(NamedTuple):
    """Bytes of one set."""

    draft: int
    format_2: int
    format_1: int
    format_0: int


WORKLOADS: Final[Mapping[str, Payload]] = {
    "1 KiB, keys of 100 bytes": Payload(b"k" * 100, b"v" * 924),
    "1 KiB, no keys": Payload(None, b"v" * 1024),
    "keys of 100 bytes, no values": Payload(b"k" * 100, None),
    "neither keys nor values": Payload(None, None),
    "10 bytes, keys of 2 bytes": Payload(b"kk", b"v" * 8),
}


def rows(payload: Payload, count: int) -> list[Record]:
    return [Record(n, NOW, 0, payload.key, payload.value) for n in range(count)]


def sizes(records: list[Record], codec: int = 0) -> Sizes:
    """The sizes of a set of these records."""
    messages = tuple(DraftMessage(r.offset, r.timestamp, r.key, r.value) for r in records)
    built = (build(records, codec=codec) for build in (v2.build, v1.build, v0.build))
    return Sizes(len(encode(DraftSet(messages, codec))), *map(len, built))


def added(payload: Payload, count: int) -> Sizes:
    """How much longer a set is than its keys and values."""
    return Sizes(*(size - count * payload.size for size in sizes(rows(payload, count))))


def table() -> Iterator[str]:
    """The lines of the page's table."""
    fields = f"format 1 with {PRODUCER_FIELDS} bytes a message"
    yield f"| messages | batch size | draft | format 2 as shipped | format 1 | format 0 | {fields} |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for name, payload in WORKLOADS.items():
        for count in COUNTS:
            found = added(payload, count)
            cells = *found, found.format_1 + count * PRODUCER_FIELDS
            yield f"| {name} | {count} | {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    print("\n".join(table()))
