"""Appending to a log on disk, beside a bare loop of `os.write` with the same buffers.

The log alone is measured, with sets that already have their offsets. What a broker parses before that, record by
record, is in the second row, which has no goal here.
"""

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from fakekafka import FakeKafka
from fakekafka.ids import Buffer
from fakekafka.log.append_info import AppendInfo
from fakekafka.log.config import LogConfig
from fakekafka.log.files import DiskDirectory
from fakekafka.log.partition_log import PartitionLog
from fakekafka.records import v2
from fakekafka.records.record import Record
from fakekafka.records.scan import batches
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, TopicProduceData
from fakekafka.wire.frames import request_frame

from tests.benchmarks.measuring import Row, compared, in_turns

RELEASE: Final = "2.3"
IN_A_BATCH: Final = 150
"""The number of 100-byte records that make 16 KiB."""
NOW: Final = 1_600_000_000_000


def storage_append(quick: bool = False) -> list[Row]:
    count = (100_000 if quick else 1_000_000) // IN_A_BATCH
    sets = batches_in_order(count)
    bare, log, broker = in_turns(3 if quick else 5, *(partial(_rate, f, sets) for f in (_bare, _log, _broker)))
    records = f"{count * IN_A_BATCH:,} x 100 B in 16 KiB batches to disk"
    return [
        compared(f"{records}: the log", "MB/s", log, bare, at_least=0.5),
        compared("  the same as Produce requests, records looked into", "MB/s", broker, bare),
    ]


def batches_in_order(count: int) -> list[AppendInfo]:
    """This many batches with consecutive offsets, as a log takes them."""
    records = [Record(n, NOW + n, 0, None, bytes(100)) for n in range(IN_A_BATCH)]
    data = v2.build(records)
    made = []
    for n in range(count):
        first = n * IN_A_BATCH
        (batch,) = batches(first.to_bytes(8, "big") + data[8:])
        made.append(AppendInfo(first, batch.last_offset, batch.max_timestamp, batch.last_offset, [batch]))
    return made


def _rate(append_all: Callable[[Path, list[Buffer], list[AppendInfo]], float], sets: list[AppendInfo]) -> float:
    """MB per second."""
    buffers: list[Buffer] = [bytearray(info.batches[0].data) for info in sets]
    with TemporaryDirectory() as folder:
        seconds = append_all(Path(folder), buffers, sets)
    return sum(map(len, buffers)) / seconds / 1e6


def _bare(folder: Path, buffers: list[Buffer], _: list[AppendInfo]) -> float:
    descriptor = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    started = time.perf_counter()
    for data in buffers:
        os.write(descriptor, data)
    seconds = time.perf_counter() - started
    os.close(descriptor)
    return seconds


def _log(folder: Path, buffers: list[Buffer], sets: list[AppendInfo]) -> float:
    root = DiskDirectory(folder)
    log = PartitionLog.open(root.directory("t-0"), profile(Release.parse(RELEASE)).log, LogConfig(), NOW)
    started = time.perf_counter()
    for data, info in zip(buffers, sets):
        log.append(data, info, NOW)
    seconds = time.perf_counter() - started
    log.close(NOW)
    root.close()
    return seconds


def _broker(folder: Path, buffers: list[Buffer], _: list[AppendInfo]) -> float:
    kafka = FakeKafka(RELEASE, log_dir=folder, topics={"t": 1}).boot()
    client = kafka.connect()
    frames = [request_frame(_produce(data), 7, 1, "bench") for data in buffers]
    started = time.perf_counter()
    for frame in frames:
        client.send(frame)
    seconds = time.perf_counter() - started
    kafka.stop()
    return seconds


def _produce(records: Buffer) -> ProduceRequest:
    topic = TopicProduceData(name="t", partition_data=[PartitionProduceData(index=0, records=records)])
    return ProduceRequest(acks=1, timeout_ms=1000, topic_data=[topic])
