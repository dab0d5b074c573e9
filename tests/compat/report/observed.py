"""Made-up observations: cells of every outcome and handling, as many as a test wants."""

from collections.abc import Iterator
from itertools import islice, product
from typing import Any, Final

from fakekafka_spark.observations import Cell, Observation, Stage

RELEASES: Final = ["0.9.0", "0.10.2", "0.11.0", "1.1", "2.3", "2.8", "3.9", "4.0", "4.3"]
CLIENTS: Final = [
    "kp147",
    "kp202",
    "kp233",
    "kp3012",
    "ck161",
    "ck192",
    "ck230",
    "ck2161",
    "aio081",
    "aio0120",
    "aio0140",
]
SCENARIOS: Final = ["roundtrip", "group", "transactional", "seek", "compacted", "oversize"]
FORMATS: Final = ["", "0.9.0", "0.10.0"]
CODECS: Final = ["none", "gzip", "snappy"]
PHASE: Final = "0.10.2 -> 2.3: new code, old format"
RAN: Final = Observation("cell", value="ran", amount=1)


def record(stage: Stage, uid: int, **more: Any) -> Observation:
    """A row for a record in partition 0, whose offset is its number."""
    row = Observation(stage, uid, topic="t", partition=0, offset=uid, key_hash=uid, value_hash=uid, headers_hash=0)
    own: dict[str, dict[str, Any]] = {
        "produced": {"want": "once"},
        "stored": {"magic": 2, "timestamp_type": 0},
        "consumed": {"reader": 0},
    }
    return row._replace(**{"timestamp": 1, **own[stage], **more})


def fact(name: str, value: str, expected: str | None = None, **more: Any) -> Observation:
    return Observation("fact", name=name, value=value, expected=expected, **more)


def requests(*lines: str) -> Observation:
    """The last requests, in the form in which `FakeKafka.summary` ends."""
    text = "\n  ".join([f"topics: none\nlast {len(lines)} requests of 64 remembered:", *lines])
    return fact("last requests", "", text=text)


def zero_copy(count: int = 3) -> list[Observation]:
    """A cell without any difference."""
    stages: list[Stage] = ["produced", "stored", "consumed"]
    records = [record(stage, uid) for stage in stages for uid in range(count)]
    facts = [
        fact("version Produce", "7", "7"),
        fact("version Fetch", "11", "11"),
        fact("version Metadata", "8"),
        fact("version of the client", "1.0", "1.0"),
        fact("conversions", "", ""),
        fact("zero copy", "Fetch", amount=108, text="Fetch 11: 108 bytes"),
        requests("Produce v7  tester  ok", *["Fetch v11   tester  ok"] * 4),
    ]
    return [RAN, *records, *facts]


def converted() -> list[Observation]:
    rows = [row for row in zero_copy() if row.name not in ("conversions", "zero copy")]
    told = "Fetch 2: 3 batches, 234 bytes to 108, 0.10 ms of CPU"
    return [
        *rows,
        fact("conversions", "Fetch 2 to 0", "Fetch 2 to 0"),
        fact("conversion", "v2 to v0", amount=3, text=told),
    ]


def refused() -> list[Observation]:
    sent = record("produced", 9, want="never", offset=None)
    return [*zero_copy(), sent, fact("refused", "record 9", text="MESSAGE_TOO_LARGE")]


def differing() -> list[Observation]:
    """Record 1 is never read, and Fetch is in another version."""
    rows = [row for row in zero_copy() if not (row.stage == "consumed" and row.uid == 1)]
    return [*rows, fact("version ListOffsets", "1", "5"), requests("<b>ListOffsets</b> v1 tester ok")]


def skipped() -> list[Observation]:
    return [Observation("cell", value="skipped", amount=0, text="there is no Python 3.7 & nothing like it")]


def many(count: int) -> Iterator[tuple[Cell, list[Observation]]]:
    """The first cells of a large matrix; every 97th differs, every 11th is skipped."""
    phases = ["", PHASE]
    axes = product(SCENARIOS, FORMATS, CODECS, phases, RELEASES, CLIENTS)
    for n, (scenario, format, codec, phase, release, client) in enumerate(islice(axes, count)):
        rows = converted() if format else refused() if scenario == "oversize" else zero_copy()
        if n % 97 == 96:
            rows = differing()
        elif n % 11 == 10:
            rows = skipped()
        told = requests(*(f"Fetch v{n % 12} {client}-{k} ok" for k in range(12)))
        rows = [told if row.name == told.name else row for row in rows]
        yield Cell.of(client, release, format, phase, codec, scenario), rows
