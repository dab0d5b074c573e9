"""One cell of the demonstration: one client against one release with one codec, what it did, and what is wrong with it.

The judge does not take fakekafka's word for what a release is. Which API versions a release has comes from
kafka-python, whose authors recorded them from real brokers; its message format and its codecs stand here.
"""

import time
import warnings
from collections import defaultdict
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from fakekafka import NEWEST, FakeKafka
from fakekafka.client_configs import Client

from demo.clients import Acked, Got, PartitionOffset, Sent, driver

CLIENTS: Final[tuple[Client, ...]] = ("kafka-python", "confluent-kafka")
TOPIC: Final = "orders-of-the-demonstration"
"""A long name: librdkafka 2.3 and later cannot read a Metadata v0 answer with one short name in it."""
GROUP: Final = "readers"
PARTITIONS: Final = 3
APPLES: Final = b"an apple, " * 10
"""Worth compressing, so that a client with a codec uses it."""

APIS: Final = {"Produce": 0, "Fetch": 1, "OffsetCommit": 8}
"""The APIs whose versions are shown and checked, with their keys."""

CODECS: Final[dict[str, tuple[str, str]]] = {
    "0.9.0": ("gzip", "lz4"),
    "0.10.0": ("none", "snappy"),
    "0.10.2": ("lz4", "gzip"),
    "0.11.0": ("snappy", "none"),
    "1.1": ("gzip", "lz4"),
    "2.3": ("zstd", "snappy"),
    "2.8": ("lz4", "gzip"),
    "3.9": ("none", "zstd"),
    "4.0": ("snappy", "lz4"),
    NEWEST: ("zstd", "none"),
}
"""The releases of the demonstration, and a codec for each client."""
EVERY_CODEC: Final = ("none", "gzip", "snappy", "lz4", "zstd")

Versions: TypeAlias = Mapping[str, list[int]]


class Cell(NamedTuple):
    """A cell: what is to be done."""

    release: str
    client: Client
    codec: str


class Result(NamedTuple):
    """The result of a cell."""

    cell: Cell
    acked: int = 0
    read: int = 0
    versions: Versions = MappingProxyType({})
    """The versions that the client used, by the names of `APIS`."""
    magic: tuple[int, ...] = ()
    """The message formats in the log."""
    milliseconds: int = 0
    refusal: str | None = None
    """The client's own error, if the cell has a `limit`."""
    faults: tuple[str, ...] = ()
    """Everything that is wrong with the cell."""

    def as_dict(self) -> dict[str, object]:
        """The result as a flat mapping."""
        return self.cell._asdict() | {name: value for name, value in self._asdict().items() if name != "cell"}


# ---- what is true of a release


def line(release: str) -> tuple[int, ...]:
    """A release as a number: (0, 10, 2), (2, 3)."""
    return tuple(map(int, release.split(".")))[: 3 if release.startswith("0.") else 2]


def default_magic(release: str) -> int:
    """The message format of new topics: 1 from 0.10 on (KIP-31, KIP-32), 2 from 0.11 on (KIP-98)."""
    return 2 if line(release) >= (0, 11) else 1 if line(release) >= (0, 10) else 0


def limit(cell: Cell) -> str | None:
    """Why the cell is impossible, with a real broker as well; None if it is possible."""
    release, client, codec = cell
    if (codec == "zstd" and line(release) < (2, 1)) or (codec == "lz4" and line(release) < (0, 8, 2)):
        return "the release does not have the codec"  # KIP-110, KAFKA-1456
    if client == "confluent-kafka" and line(release) < (0, 9):
        return "there are no consumer groups before 0.9, and librdkafka commits in groups only"
    if client == "kafka-python" and line(release) < (0, 8, 1):
        return "there is no OffsetCommit before 0.8.1"
    if client == "kafka-python" and codec == "lz4" and default_magic(release) == 0:
        return "kafka-python needs the package xxhash for LZ4 in format 0"
    return None


def recorded_ranges(release: str) -> dict[int, tuple[int, int]]:
    """The versions of each API, by key, as kafka-python's authors recorded them from real brokers of the release."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from kafka.protocol.broker_version_data import BROKER_API_VERSIONS

    ranges: dict[int, tuple[int, int]] = BROKER_API_VERSIONS[max(v for v in BROKER_API_VERSIONS if v <= line(release))]
    return ranges


# ---- a cell


def run(cell: Cell, count: int) -> Result:
    """Send `count` records to a fresh broker, read them back, examine its log."""
    sent, client = records_for(cell, count), driver(cell.client)
    started = time.perf_counter()
    with FakeKafka(cell.release, topics={TOPIC: PARTITIONS}) as kafka:
        settings = kafka.client_config(cell.client)
        try:
            acked = client.produce(settings, TOPIC, cell.codec, sent)
            got = client.consume(settings, TOPIC, GROUP, count)
        except Exception as error:
            return _failed(cell, error)
        milliseconds = round((time.perf_counter() - started) * 1000)
        records = kafka.records(TOPIC)
        committed = {partition: at.offset for (_, partition), at in kafka.committed(GROUP).items()}
        result = Result(
            cell,
            sum(place is not None for place in acked),
            len(got),
            {api: kafka.versions_used.get(api, []) for api in APIS},
            tuple(sorted({record.magic for record in records})),
            milliseconds,
        )
        codecs = {record.codec for record in records}
        if codecs == {"none"} and limit(cell) is not None:
            return result._replace(refusal=f"sent without compression: {limit(cell)}")
        faults = [
            *records_faults(sent, acked, got),
            *log_faults(cell, result, codecs),
            *commit_faults(acked, committed),
            *map(repr, kafka.failures),
        ]
    return result._replace(faults=tuple(faults))


def records_for(cell: Cell, count: int) -> list[Sent]:
    """Records with keys, and with headers where the format has them (KIP-82)."""
    has_headers = default_magic(cell.release) >= 2
    return [
        Sent(b"customer-%d" % (n % 97), b"order %d: " % n + APPLES, (("number", b"%d" % n),) if has_headers else ())
        for n in range(count)
    ]


def _failed(cell: Cell, error: Exception) -> Result:
    text, reason = f"{type(error).__name__}: {error}", limit(cell)
    return Result(cell, faults=(text,)) if reason is None else Result(cell, refusal=f"{text} ({reason})")


# ---- what may be wrong


def records_faults(sent: list[Sent], acked: Acked, got: Got) -> Iterable[str]:
    """Whether every record was acknowledged and read once, in order, as it was sent."""
    lost = sum(place is None for place in acked)
    if lost:
        yield f"{lost} of {len(sent)} not acknowledged"
    expected = {place: record for place, record in zip(acked, sent) if place is not None}
    places = [place for place, _ in got]
    if len(set(places)) < len(places):
        yield f"{len(places) - len(set(places))} read twice"
    if missing := expected.keys() - set(places):
        yield f"{len(missing)} acknowledged but not read"
    changed = sum(expected.get(place) != record for place, record in got)
    if changed:
        yield f"{changed} read otherwise than sent"
    for partition, offsets in _by_partition(places).items():
        if offsets != sorted(offsets):
            yield f"partition {partition} read out of order"


def _by_partition(places: Iterable[PartitionOffset]) -> dict[int, list[int]]:
    offsets: dict[int, list[int]] = defaultdict(list)
    for partition, offset in places:
        offsets[partition].append(offset)
    return offsets


def log_faults(cell: Cell, result: Result, codecs: set[str]) -> Iterable[str]:
    """Whether the log is what the release writes, and the client used versions that the release has."""
    if result.magic != (default_magic(cell.release),):
        yield f"magic {result.magic} in the log, not {default_magic(cell.release)}"
    if cell.codec not in codecs or codecs - {cell.codec, "none"}:  # incompressible data stays uncompressed
        yield f"codec {', '.join(sorted(codecs))} in the log"
    ranges = recorded_ranges(cell.release)
    for api, versions in result.versions.items():
        low, high = ranges[APIS[api]]
        if not versions:
            yield f"no {api} request"
        if any(not low <= version <= high for version in versions):
            yield f"{api} {versions}: the release has {low} to {high}"


def commit_faults(acked: Acked, committed: Mapping[int, int]) -> Iterable[str]:
    """Whether the group has committed the end of every partition that has records."""
    ends = {p: max(o) + 1 for p, o in _by_partition(place for place in acked if place is not None).items()}
    if committed != ends:
        yield f"committed {dict(committed)}, not {ends}"
