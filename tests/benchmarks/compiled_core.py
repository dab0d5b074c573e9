"""The compiled core beside the interpreted one: `python -m tests.benchmarks.compiled_core INTERPRETED COMPILED`.

The arguments are the Pythons of two environments, each with fakekafka installed in one form. They take turns, each turn
in a separate process. The CPU time of each side's best turn counts, so that a busy machine disturbs little. Prints
the rows of the table in docs/explanation/compiled-core.md.
"""

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from fakekafka import FakeKafka
from fakekafka.compiled import is_compiled
from fakekafka.ids import Magic
from fakekafka.pieces import joined
from fakekafka.records import v2
from fakekafka.records.down_convert import Rules, lazily
from fakekafka.records.record import Record
from fakekafka.wire.codec import decode, encode
from fakekafka.wire.frames import request_frame

from tests.benchmarks.handling import FETCH, PRODUCE, TOPIC, fetch, produce
from tests.benchmarks.wire_codec import samples

TURNS: Final = 3
ROUNDS: Final = 15
RECORDS: Final = 20_000
BATCH: Final = 1000
NOW: Final = 1_600_000_000_000
CODEC_SAMPLES: Final = ("Produce v9 request", "Fetch v12 request, 1", "Fetch v12 response, 100")


class Measure(NamedTuple):
    """Something that is measured."""

    what: str
    action: Callable[[], object]
    calls: int = 100
    """How often the action is called in a round."""
    units: int = 1
    """How many records one call stands for."""


def main() -> None:
    if sys.argv[1:] == ["measure"]:
        print(json.dumps([is_compiled(), {measure.what: _us(measure) for measure in measures()}]))
        return
    best: list[dict[str, float]] = [{}, {}]
    for _ in range(TURNS):
        for side, python in enumerate(sys.argv[1:]):
            for what, us in _measured(python, compiled=bool(side)).items():
                best[side][what] = min(us, best[side].get(what, us))
    for what, us in best[0].items():
        print(f"| {what} | {us:.3g} | {best[1][what]:.3g} | {us / best[1][what]:.2f} |")


def _measured(python: str, compiled: bool) -> dict[str, float]:
    """What one turn measures, microseconds by name."""
    command = [python, "-m", "tests.benchmarks.compiled_core", "measure"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    form, us = json.loads(done.stdout)
    assert form is compiled, f"the fakekafka of {python} has the other form"
    found: dict[str, float] = us
    return found


def measures() -> Iterator[Measure]:
    """What is measured in this process."""
    yield from _of_records()
    yield from _of_messages()
    yield from _of_requests()


def _of_records() -> Iterator[Measure]:
    value = random.Random(0).randbytes
    rows = [Record(n, NOW + n, 0, None, value(60 + n * 7919 % 81)) for n in range(RECORDS)]
    units = [v2.build(rows[first : first + BATCH]) for first in range(0, RECORDS, BATCH)]

    def convert(target: Magic) -> None:
        for unit in units:
            lazily([unit], Rules(target, 0), nothing_if_no_unit=True)

    yield Measure("a record from format 2 to 1", partial(convert, 1), 1, RECORDS)
    yield Measure("a record from format 2 to 0", partial(convert, 0), 1, RECORDS)
    yield Measure("a record checked", lambda: [v2.RecordBatch(unit).check() for unit in units], 1, RECORDS)
    yield Measure("a record read", lambda: [list(v2.RecordBatch(unit).records()) for unit in units], 1, RECORDS)


def _of_messages() -> Iterator[Measure]:
    for name, (message, version) in samples().items():
        if name in CODEC_SAMPLES:
            buffer = bytearray(joined(encode(message, version)))
            yield Measure(f"{name}: decoded", partial(decode, type(message), version, buffer))
            yield Measure(f"{name}: encoded", partial(encode, message, version))


def _of_requests() -> Iterator[Measure]:
    kafka = FakeKafka("3.9", topics={TOPIC: 1}).boot()
    producer, consumer, now = kafka.connect(), kafka.connect(), kafka.clock.now_ms
    one = request_frame(produce(1, now), PRODUCE, 1, "bench")

    def on_its_way() -> None:
        waiting = fetch(len_of_log())
        waiting.max_wait_ms = 60_000
        consumer.send(request_frame(waiting, FETCH, 1, "bench"))
        producer.send(one)
        assert consumer.receive()

    def len_of_log() -> int:
        return producer.core.cluster.brokers[0].partitions[TOPIC, 0].log.log_end_offset

    yield Measure("a record from a Produce to the Fetch that waits for it", on_its_way)
    for count in (1, 100, 1000):
        frame = request_frame(produce(count, now), PRODUCE, 1, "bench")
        yield Measure(f"a Produce of {count}", partial(producer.send, frame))
    end = request_frame(fetch(len_of_log()), FETCH, 1, "bench")
    yield Measure("a Fetch that finds nothing", partial(consumer.send, end))
    kafka.stop()


def _us(measure: Measure) -> float:
    """CPU microseconds of the best round."""
    found = []
    for _ in range(ROUNDS):
        started = time.thread_time()
        for _ in range(measure.calls):
            measure.action()
        found.append(time.thread_time() - started)
    return min(found) / measure.calls / measure.units * 1e6


if __name__ == "__main__":
    main()
