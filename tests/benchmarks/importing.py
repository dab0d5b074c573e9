"""What importing costs a new process, beyond the interpreter: wall time, and CPU time, which other work disturbs less.

Bytecode files are there, as after an installation; the last row is without them. confluent-kafka stands beside, for
a feeling.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from tempfile import TemporaryDirectory
from typing import Final

from tests.benchmarks.measuring import Row, alone, children_cpu_ms, in_turns, milliseconds

NOTHING: Final = "pass"
PACKAGE: Final = "import fakekafka"
OURS: Final = "from fakekafka import FakeKafka"
STARTED: Final = "from fakekafka import FakeKafka; FakeKafka().start().stop()"
CONFLUENT: Final = "import confluent_kafka"


def importing(quick: bool = False) -> list[Row]:
    rounds = 5 if quick else 25
    with TemporaryDirectory() as bytecode:
        cached = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        cached["PYTHONPYCACHEPREFIX"] = bytecode
        subprocess.run([sys.executable, "-c", STARTED], env=cached, check=True)
        wall, cpu = (
            {code: _beyond(code, cached, rounds, of) for code in (PACKAGE, OURS, STARTED, CONFLUENT)}
            for of in (milliseconds, _cpu)
        )
        uncached = cached | {"PYTHONPYCACHEPREFIX": bytecode + "/none", "PYTHONDONTWRITEBYTECODE": "1"}
        compiled = _beyond(OURS, uncached, rounds, milliseconds)
    return [
        alone("import fakekafka", "ms", wall[PACKAGE]),
        alone("from fakekafka import FakeKafka", "ms", wall[OURS], at_most=150),
        alone("  CPU", "ms", cpu[OURS]),
        alone("  … and FakeKafka().start().stop()", "ms", wall[STARTED]),
        alone("  CPU", "ms", cpu[STARTED]),
        alone("  without bytecode files", "ms", compiled),
        alone("import confluent_kafka, beside", "ms", wall[CONFLUENT]),
        alone("  CPU", "ms", cpu[CONFLUENT]),
    ]


def _beyond(
    code: str, environment: Mapping[str, str], rounds: int, measure: Callable[[Callable[[], object]], float]
) -> list[float]:
    """What a process that runs `code` costs more than one that does nothing."""

    def new_process(code: str) -> float:
        return measure(lambda: subprocess.run([sys.executable, "-c", code], env=environment, check=True))

    found, bare = in_turns(rounds, lambda: new_process(code), lambda: new_process(NOTHING))
    return [f - b for f, b in zip(found, bare)]


def _cpu(action: Callable[[], object]) -> float:
    """CPU milliseconds of the processes that `action` starts."""
    before = children_cpu_ms()
    action()
    return children_cpu_ms() - before
