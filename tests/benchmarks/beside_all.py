"""Start-up, latency, throughput and memory of the brokers in `peers`, for the page docs/explanation/performance.md.

`make bench-plots` measures, and writes the figures and their plot; `make docs` makes the page.
"""

import json
import os
import platform
import re
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

from docs.generator.performance import SLOW_MACHINE
from tests.benchmarks import bulk
from tests.benchmarks.doubles import DOUBLES, IMAGE, Double, Serving, ready
from tests.benchmarks.measuring import milliseconds
from tests.benchmarks.produce_to_poll import TOPIC, on_its_way, waiting
from tests.benchmarks.sides import broker_memory_mib

ROOT: Final = Path(__file__).parents[2]
FIGURES: Final = ROOT / "docs" / "explanation" / "performance.json"
RECORDS = (500_000, 50_000)
"""How many records are produced and consumed: usually, and with `--quick`."""
STEP_S: Final = 5
LONGEST_WAIT_S: Final = 300
"""How long to wait for a quiet machine."""
PLOT: Final = ROOT / "docs" / "images" / "performance.svg"


def beside_all(quick: bool = False, peers: Sequence[Double] = DOUBLES) -> dict[str, Any]:
    """The figures, with the machine and the day."""
    load = load_average()
    return {
        "date": time.strftime("%Y-%m-%d"),
        "machine": machine(),
        "load": round(load, 2),
        "records": RECORDS[quick],
        "image": IMAGE,
        "peers": [of_peer(peer, quick) for peer in peers],
    }


def load_average() -> float:
    """How many programs wanted to run in the last minute; 0 if the system does not count them."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def of_peer(peer: Double, quick: bool) -> dict[str, Any]:
    """The figures of one peer, or the reason why there are none."""
    reason = peer.why_not()
    if reason is not None:
        return {"name": peer.name, "why_not": reason}
    peer.start_ms()  # the first start imports, unpacks and caches
    found: dict[str, Any] = {"name": peer.name}
    found["start_ms"] = median(peer.start_ms() for _ in range(3 if quick else 7))
    if peer.serving is not None:
        rounds = [_round(peer.serving, RECORDS[quick], 20 if quick else 200) for _ in range(1 if quick else 3)]
        found |= {figure: median(each[figure] for each in rounds) for figure in rounds[0]}
    return {name: value if isinstance(value, str) else float(f"{value:.3g}") for name, value in found.items()}


def _round(serving: Serving, records: int, sent: int) -> dict[str, float]:
    """A broker of its own: memory when it is idle, latency, throughput, memory when it holds the records."""
    with serving([*bulk.TOPICS, TOPIC]) as side:
        ready(side)
        idle = broker_memory_mib(side)
        producer, consumer = side.producer(linger_ms=0), waiting(side.consumer())
        for _ in range(3):
            on_its_way(producer, consumer)
        latency = median(milliseconds(partial(on_its_way, producer, consumer)) for _ in range(sent))
        consumer.close()
        produce_ms = milliseconds(partial(bulk.produce, side, records))
        consume_ms = milliseconds(partial(bulk.consume, side, records))
        return {
            "latency_ms": latency,
            "produce_thousand_per_s": records / produce_ms,
            "consume_thousand_per_s": records / consume_ms,
            "idle_memory_mib": idle,
            "memory_mib": broker_memory_mib(side),
        }


def machine() -> str:
    """The number of processors and their name, the system and Python."""
    info = Path("/proc/cpuinfo")
    named = re.search(r"model name\s*: (.+)", info.read_text("utf-8")) if info.exists() else None
    processor = named[1].strip() if named else platform.machine()
    return f"{os.cpu_count()} × {processor}, {platform.system()}, Python {platform.python_version()}"


def until_quiet(load: Callable[[], float], sleep: Callable[[float], None], most_s: int = LONGEST_WAIT_S) -> None:
    """Wait until earlier installing and building no longer counts in the machine's load, but not for ever."""
    for _ in range(0, most_s, STEP_S):
        if load() < SLOW_MACHINE:
            return
        sleep(STEP_S)


def write(quick: bool) -> None:
    """Measure on a machine that is as quiet as it gets, and write the figures and their plot."""
    from tests.benchmarks.beside_all_plot import plot

    for peer in DOUBLES:
        peer.why_not()  # builds what has to be built
    if not quick:
        until_quiet(load_average, time.sleep)
    found = beside_all(quick)
    FIGURES.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", "utf-8")
    plot(PLOT, found)
    print(f"{FIGURES.relative_to(ROOT)}, {PLOT.relative_to(ROOT)}: `make docs` shows them")
