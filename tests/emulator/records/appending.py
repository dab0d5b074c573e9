"""Sets on their way into a log, for tests of how they are prepared."""

from fakekafka.binary import crc32c
from fakekafka.ids import Buffer, Offset, TimestampMs
from fakekafka.records import scan
from fakekafka.records.append import preparing
from fakekafka.records.append.prepared import AppendTarget, CpuClock, Prepared, SetRefused
from fakekafka.records.record import Record
from fakekafka.releases.behaviours.append import AppendBehaviour
from fakekafka.releases.behaviours.behaviour import resolve
from fakekafka.releases.release import Release

NOW = 1_600_000_000_000
START = 100
"""The end of the log that tests append to."""

MESSAGE_BROKERS = ["0.8.0", "0.8.2.2", "0.9.0.1", "0.10.0.1", "0.10.1.1", "0.10.2.2"]
BATCH_BROKERS = ["0.11.0.3", "1.1.1", "2.3.1", "2.4.1", "2.8.2", "3.5.2", "3.9.1", "4.3.1"]


def rules(release: str) -> AppendBehaviour:
    """The rules of this release."""
    named = Release.parse(release)
    return resolve(AppendBehaviour, named, named.default_mode)


def rows(*timestamps: TimestampMs, key: bytes | None = b"k", value: bytes | None = b"v") -> list[Record]:
    """Records as a client numbers them: from 0 on."""
    return [Record(n, timestamp, 0, key, value) for n, timestamp in enumerate(timestamps)]


def prepare(
    data: bytearray,
    target: AppendTarget,
    release: str,
    start: Offset = START,
    now: TimestampMs = NOW,
    from_client: bool = True,
    cpu_ns: CpuClock = int,
) -> Prepared | None:
    """What `data` becomes; None if there is no whole unit in it."""
    named = rules(release)
    return preparing(named.era)(data, target, named, start, now, from_client, cpu_ns)


def prepared(
    data: Buffer,
    target: AppendTarget,
    release: str,
    start: Offset = START,
    now: TimestampMs = NOW,
    from_client: bool = True,
) -> Prepared:
    """What `data`, which has at least one whole unit, becomes."""
    made = prepare(bytearray(data), target, release, start, now, from_client)
    assert made is not None
    return made


def refused(data: Buffer, target: AppendTarget, release: str, from_client: bool = True) -> SetRefused:
    """Why `data` is not appended."""
    try:
        made = prepare(bytearray(data), target, release, from_client=from_client)
    except SetRefused as refusal:
        return refusal
    raise AssertionError(f"stored: {made}")


def stored_records(made: Prepared) -> list[Record]:
    """The records of what is stored, read back from its bytes."""
    return [record for unit in scan.batches(bytes(made.data)) for record in unit.records()]


def sealed(data: bytes, at: int = 0, new: bytes = b"") -> bytes:
    """A batch of format 2 with bytes replaced, and its size and checksum corrected."""
    out = bytearray(data)
    out[at : at + len(new)] = new
    out[8:12] = (len(out) - 12).to_bytes(4, "big")
    out[17:21] = crc32c(out[21:]).to_bytes(4, "big")
    return bytes(out)
