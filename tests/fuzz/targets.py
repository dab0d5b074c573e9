"""What coverage-guided fuzzing feeds with bytes, one function for each kind of input.

A function returns, or raises the error that its kind of bad input deserves. Anything else is a finding, and so is an
input that costs more than `tests.fuzz.cost` allows.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Final, NamedTuple

from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import MalformedBytes, UsageError
from fakekafka.faults.plan import read_plan
from fakekafka.inspection import small_files
from fakekafka.jvm.re2 import BadPattern, PatternTooLarge, compiled
from fakekafka.log.check_indexes import without_padding
from fakekafka.records.scan import batches
from fakekafka.server.connection import State
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, TopicProduceData
from fakekafka.wire.frames import SIZE, request_frame

RELEASES: Final = ("0.8.2", "0.10.2", "2.3", "3.9", "4.3")
USERS: Final = {"alice": "wonderland"}
MECHANISMS: Final = ("PLAIN", "SCRAM-SHA-256", "OAUTHBEARER")
INPUTS_PER_BROKER: Final = 500


class Playground:
    """A broker in memory for each release, replaced after a while."""

    def __init__(self, make: Callable[[str], FakeKafka]) -> None:
        self._make = make
        self._running: dict[str, FakeKafka] = {}
        self._count = 0

    def connected(self, choice: int) -> tuple[FakeKafka, MemoryClient]:
        """A broker, and a new client of it."""
        release = RELEASES[choice % len(RELEASES)]
        self._count += 1
        if self._count % INPUTS_PER_BROKER == 0:
            self.end()
        if release not in self._running:
            self._running[release] = self._make(release).boot()
        kafka = self._running[release]
        return kafka, kafka.connect()

    def end(self) -> None:
        """Stop all brokers."""
        while self._running:
            self._running.popitem()[1].stop()


def _open(release: str) -> FakeKafka:
    return FakeKafka(release, clock=ManualClock(), topics={"t": 1})


def _guarded(release: str) -> FakeKafka:
    mechanisms = MECHANISMS[:1] if release == "0.8.2" else MECHANISMS[:2] if release == "0.10.2" else MECHANISMS
    if release == "0.8.2":
        return _open(release)  # without SASL
    return FakeKafka(release, clock=ManualClock(), topics={"t": 1}, users=USERS, sasl=list(mechanisms))


@cache
def playground(make: Callable[[str], FakeKafka]) -> Playground:
    return Playground(make)


def expire(client: MemoryClient) -> None:
    """Let time pass for a request that waits."""
    if client.connection.state is State.BUSY:
        client.expire()


def converse(make: Callable[[str], FakeKafka], data: bytes) -> None:
    """The first byte chooses the release; then come frames, some of them a byte longer or shorter than they claim."""
    kafka, client = playground(make).connected(data[0] if data else 0)
    try:
        rest = data[1:]
        while rest and not client.closed and client.connection.state is State.OPEN:
            size = int.from_bytes(rest[:2], "big")
            client.send(SIZE.pack(size) + rest[2 : 2 + size].ljust(size, b"\0"))
            expire(client)
            rest = rest[2 + size :]
        client.disconnect()
        for failure in kafka.failures:
            raise failure
    except BaseException:
        playground(make).end()
        raise


def frames(data: bytes) -> None:
    """Frames of requests."""
    converse(_open, data)


def logins(data: bytes) -> None:
    """Frames and tokens sent before a login."""
    converse(_guarded, data)


def record_sets(data: bytes) -> None:
    """Records as a log holds them, read; then produced to a broker."""
    with suppress(MalformedBytes):
        for batch in batches(data[1:]):
            with suppress(MalformedBytes):
                list(batch.records())
    kafka, client = playground(_open).connected(data[0] if data else 0)
    version = {"0.8.2": 0, "0.10.2": 2}.get(RELEASES[data[0] % len(RELEASES)] if data else RELEASES[0], 3)
    part = PartitionProduceData(index=0, records=data[1:])
    request = ProduceRequest(acks=1, timeout_ms=1000, topic_data=[TopicProduceData(name="t", partition_data=[part])])
    client.send(request_frame(request, version, 1, "fuzz"))
    client.disconnect()
    for failure in kafka.failures:
        playground(_open).end()
        raise failure


def snapshots(data: bytes) -> None:
    """A producer snapshot."""
    list(small_files.snapshot_rows(data))


def indexes(data: bytes) -> None:
    """An index; the first byte says which."""
    kind, data = data[:1], data[1:]
    without_padding(data, 8)
    if kind < b"\x55":
        list(small_files.offset_index_rows(data, 0))
    elif kind < b"\xaa":
        list(small_files.time_index_rows(data, 0))
    else:
        list(small_files.txn_index_rows(data))


def checkpoints(data: bytes) -> None:
    """A checkpoint of offsets or epochs, and a file of properties."""
    list(small_files.property_rows(data))
    list(small_files.checkpoint_file_rows(data))


def patterns(data: bytes) -> None:
    """A pattern, a NUL, and a text to match."""
    pattern, _, text = data.decode("utf-8", "surrogateescape").partition("\0")
    compiled(pattern).fullmatch(text)


def plans(data: bytes) -> None:
    """A plan of faults."""
    read_plan(data.decode("utf-8", "replace") + "\n")


class Target(NamedTuple):
    """The function to feed, and the errors it may raise."""

    feed: Callable[[bytes], None]
    refuses: tuple[type[Exception], ...] = ()
    most_bytes: int = 4096
    grows: bool = False
    """Whether an input may cost what its records decompress to: the memory limit is then not checked."""


TARGETS: Final = {
    "frames": Target(frames, grows=True),
    "logins": Target(logins),
    "record-sets": Target(record_sets, grows=True),
    "snapshots": Target(snapshots, (MalformedBytes,)),
    "indexes": Target(indexes, (MalformedBytes,)),
    "checkpoints": Target(checkpoints, (MalformedBytes,)),
    "patterns": Target(patterns, (BadPattern, PatternTooLarge), 512),
    "plans": Target(plans, (UsageError,), 2048),
}


def feed(name: str, data: bytes) -> None:
    """Give one input to a target. Raises whatever is a finding."""
    target = TARGETS[name]
    with suppress(*target.refuses):
        target.feed(data)
