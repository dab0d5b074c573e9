"""What old clients and the checks of an append cost: records per CPU second, beside goals, in one process.

Records of 100 bytes, either random or all zeros: runs of records that differ only in offset and time are checked
faster. The best of some rounds counts.
"""

import random
import time
import tracemalloc
from collections.abc import Callable
from tempfile import TemporaryDirectory
from typing import Final

from fakekafka import FakeKafka
from fakekafka.ids import Magic
from fakekafka.pieces import size_of
from fakekafka.records import v2
from fakekafka.records.down_convert import Rules, lazily
from fakekafka.records.record import Record
from fakekafka.server.connection import MAX_SENT
from fakekafka.wire.frames import request_frame

from tests.benchmarks.handling import FETCH, TOPIC, fetch
from tests.benchmarks.measuring import Row
from tests.emulator.log.batches import with_info

NOW: Final = 1_600_000_000_000
BATCH: Final = 1000
CONVERTED, CHECKED = 0.4, 0.8
"""Goals, in millions of records per CPU second."""
BESIDES_MB: Final = 64
"""Goal: memory that an answer of 1 GB takes."""
READ_S: Final = 0.1
"""Goal: CPU seconds to send a million records as they are stored."""


def converting(quick: bool = False) -> list[Row]:
    count, rounds = (20_000, 5) if quick else (100_000, 15)
    varied, alike = _units(count, random.Random(0).randbytes), _units(count, bytes)
    gzipped = _units(count, random.Random(0).randbytes, codec=1)
    rows = [
        _rate("format 2 to 1, varied records", CONVERTED, rounds, count, lambda: _convert(varied, 1)),
        _rate("format 2 to 0, varied records", CONVERTED, rounds, count, lambda: _convert(varied, 0)),
        _rate("check of format 2, varied records", CHECKED, rounds, count, lambda: _check(varied)),
        _rate("check of format 2, records alike", CHECKED, rounds, count, lambda: _check(alike)),
        _rate("check of format 2, gzip", None, rounds, count, lambda: _check(gzipped)),
    ]
    size = (1 << 27) if quick else 1_000_000_000
    large = [_large(release, version, size) for release, version in (("1.1", 3), ("2.3", 3), ("3.9", 3), ("3.9", 11))]
    return [*rows, _zero_copy(1_000_000, 2 if quick else 5), *large]


def _units(count: int, value: Callable[[int], bytes], codec: int = 0) -> list[bytes]:
    return [
        v2.build([Record(n, NOW + n, 0, None, value(100)) for n in range(first, first + BATCH)], codec=codec)
        for first in range(0, count, BATCH)
    ]


def _convert(units: list[bytes], target: Magic) -> None:
    for unit in units:
        lazily([unit], Rules(target, 0), nothing_if_no_unit=True)


def _check(units: list[bytes]) -> None:
    for unit in units:
        v2.RecordBatch(unit).check()


def _rate(what: str, goal: float | None, rounds: int, count: int, action: Callable[[], None]) -> Row:
    """Millions of records per CPU second."""
    rate = count / min(_cpu_s(action) for _ in range(rounds)) / 1e6
    if goal is None:
        return Row(what, "M/CPU s", rate)
    return Row(what, "M/CPU s", rate, goal=f"at least {goal:g}", reached=rate >= goal)


def _zero_copy(count: int, rounds: int) -> Row:
    """A consumer that reads a topic in its stored format: the broker does nothing for each record."""
    kafka = FakeKafka("3.9", topics={TOPIC: 1}).boot()
    client = kafka.connect()
    partition = client.core.cluster.brokers[0].partitions[TOPIC, 0]
    for first in range(0, count, BATCH):
        records = [Record(first + n, NOW, 0, None, bytes(100)) for n in range(BATCH)]
        partition.log.append(*with_info(v2.build(records, leader_epoch=0)), NOW)
    frames = [request_frame(fetch(offset), FETCH, 1, "bench") for offset in range(0, count, 9 * BATCH)]

    def read() -> None:
        for frame in frames:
            client.send(frame)

    spent = min(_cpu_s(read) for _ in range(rounds))
    kafka.stop()
    what = f"{count:,} records sent as stored, {len(frames)} fetches"
    return Row(what, "CPU s", spent, goal=f"at most {READ_S:g} CPU s", reached=spent <= READ_S)


def _large(release: str, version: int, size: int) -> Row:
    """One fetch for all of a partition on disk: the peak memory, beyond what was in use before."""
    with TemporaryDirectory() as directory:
        config = {} if release < "2.5" else {"fetch.max.bytes": 2**31 - 1}
        kafka = FakeKafka(release, topics={TOPIC: 1}, log_dir=directory, config=config).boot()
        client = kafka.connect()
        log = client.core.cluster.brokers[0].partitions[TOPIC, 0].log
        value = random.Random(0).randbytes(10_000)
        while log.size < size:
            first = log.log_end_offset
            records = [Record(first + n, NOW + n, 0, None, value) for n in range(BATCH // 10)]
            log.append(*with_info(v2.build(records, leader_epoch=0)), NOW)
        asked = fetch(0)
        asked.max_bytes = asked.topics[0].partitions[0].partition_max_bytes = 2**31 - 1
        tracemalloc.start()
        before, sent = tracemalloc.get_traced_memory()[0], 0
        frame = request_frame(asked, version, 1, "bench")
        client.connection.receive(frame)
        while client.connection.has_request:  # up to 1.1, a conversion is prepared in several turns
            client.core.step(client.connection)
        while ready := client.connection.data_to_send(MAX_SENT):
            client.connection.sent(size_of(ready))
            sent += size_of(ready)
        used = (tracemalloc.get_traced_memory()[1] - before) / 1e6
        tracemalloc.stop()
        kafka.stop()
    what = f"one Fetch v{version} of {release}, {sent / 1e6:.0f} MB"
    return Row(what, "MB besides", used, goal=f"at most {BESIDES_MB:g}", reached=used <= BESIDES_MB)


def _cpu_s(action: Callable[[], None]) -> float:
    started = time.thread_time()
    action()
    return time.thread_time() - started
