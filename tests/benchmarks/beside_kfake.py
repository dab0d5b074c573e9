"""Beside kfake, franz-go's fake cluster: both brokers in a process of their own, the same clients, taking turns.

`kfake/` is a Go program of a few lines around it, which is built into build/kfake when Go is there, and needs Go's
module proxy the first time; without Go these figures are left out. By hand:

    cd tests/benchmarks/kfake && go build -o ../../../build/kfake .
"""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from tests.benchmarks.bulk import TOPICS, consume, produce
from tests.benchmarks.measuring import Row, compared, in_turns, milliseconds
from tests.benchmarks.produce_to_poll import TOPIC, on_its_way, waiting
from tests.benchmarks.sides import OURS, Side, broker_cpu_seconds, broker_memory_mib, serving_apart

SOURCE: Final = Path(__file__).parent / "kfake"
PROGRAM: Final = Path(__file__).parents[2] / "build" / "kfake"
KFAKE: Final = "kfake"
MANY: Final = 200_000
Phases = tuple[float, float, float, float, float]


def built() -> Path | None:
    """The program, built now if need be; None if there is no Go or the build fails."""
    go = shutil.which("go")
    if PROGRAM.exists() or go is None:
        return PROGRAM if PROGRAM.exists() else None
    PROGRAM.parent.mkdir(exist_ok=True)
    done = subprocess.run([go, "build", "-o", str(PROGRAM), "."], cwd=SOURCE, capture_output=True, check=False)
    return PROGRAM if done.returncode == 0 else None


@contextmanager
def serving(name: str, topics: Sequence[str]) -> Iterator[Side]:
    """Start the side of that name in a process of its own."""
    if name == OURS:
        with serving_apart(OURS, topics) as side:
            yield side
        return
    pipe = subprocess.PIPE
    with subprocess.Popen([str(PROGRAM), *topics], stdin=pipe, stdout=pipe, text=True, encoding="utf-8") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Side(KFAKE, process.stdout.readline().strip(), process.pid)
        process.stdin.close()


def beside_kfake(quick: bool = False) -> list[Row]:
    """The rows beside kfake; none if there is no kfake."""
    if built() is None:
        return []
    rounds, count = (3, MANY // 4) if quick else (5, MANY)
    sides = in_turns(rounds, *(partial(_phases, name, count) for name in (OURS, KFAKE)))
    ours, kfake = ([list(column) for column in zip(*side, strict=True)] for side in sides)
    what = (
        ("produce 100 B", "k/s"),
        ("  CPU, broker", "s"),
        ("consume 100 B", "k/s"),
        ("  CPU, broker", "s"),
        ("  memory, broker", "MiB"),
    )
    rows = [compared(*each, ours[n], kfake[n]) for n, each in enumerate(what)]
    return [*rows, _produce_to_poll(10 if quick else 100), _start_and_stop(3 if quick else 10)]


def _phases(name: str, count: int) -> Phases:
    with serving(name, TOPICS) as side:
        before = broker_memory_mib(side)
        found = []
        for action in (produce, consume):
            cpu = broker_cpu_seconds(side)
            ms = milliseconds(partial(action, side, count))
            found += [count / ms, broker_cpu_seconds(side) - cpu]
        rate, cpu, read_rate, read_cpu = found
        return rate, cpu, read_rate, read_cpu, broker_memory_mib(side) - before


def _produce_to_poll(rounds: int) -> Row:
    with serving(OURS, [TOPIC]) as ours, serving(KFAKE, [TOPIC]) as kfake:
        clients = [(side.producer(linger_ms=0), waiting(side.consumer())) for side in (ours, kfake)]
        for pair in clients:
            on_its_way(*pair)
        times = in_turns(rounds, *(partial(milliseconds, partial(on_its_way, *pair)) for pair in clients))
        for _, consumer in clients:
            consumer.close()
    return compared("produce to poll", "ms", times[0], times[1])


def _start_and_stop(rounds: int) -> Row:
    def once(name: str) -> None:
        with serving(name, ["t"]):
            pass

    times = in_turns(rounds, *(partial(milliseconds, partial(once, name)) for name in (OURS, KFAKE)))
    return compared("start and stop, a process of its own", "ms", times[0], times[1])
