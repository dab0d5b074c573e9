"""What importing costs a new process, beyond the interpreter: wall time, and CPU time, which other work disturbs less.

Bytecode files are there, as after an installation, except in one row. confluent-kafka is shown for comparison.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Final

from tests.benchmarks.measuring import Row, alone, children_cpu_ms, in_turns, milliseconds, new_process

NOTHING: Final = "pass"
PACKAGE: Final = "import fakekafka"
OURS: Final = "from fakekafka import FakeKafka"
STARTED: Final = "from fakekafka import FakeKafka; FakeKafka().start().stop()"
CONFLUENT: Final = "import confluent_kafka"


def importing(quick: bool = False) -> list[Row]:
    rounds = 5 if quick else 25
    new_process(STARTED)  # writes the bytecode files
    return [
        alone("import fakekafka", "ms", _beyond(PACKAGE, rounds, milliseconds)),
        alone("from fakekafka import FakeKafka", "ms", _beyond(OURS, rounds, milliseconds), at_most=150),
        alone("  CPU", "ms", _beyond(OURS, rounds, _cpu_ms)),
        alone("  … and FakeKafka().start().stop()", "ms", _beyond(STARTED, rounds, milliseconds)),
        alone("  without bytecode files, CPU", "ms", _beyond(OURS, rounds, _cpu_ms, _without_bytecode)),
        alone("import confluent_kafka, beside, CPU", "ms", _beyond(CONFLUENT, rounds, _cpu_ms)),
    ]


def _beyond(
    code: str,
    rounds: int,
    measure: Callable[[Callable[[], object]], float],
    run: Callable[[str], object] = new_process,
) -> list[float]:
    """How much more a process that runs `code` costs than one that does nothing."""
    found, bare = in_turns(rounds, lambda: measure(lambda: run(code)), lambda: measure(lambda: run(NOTHING)))
    return [f - b for f, b in zip(found, bare)]


def _cpu_ms(action: Callable[[], object]) -> float:
    """CPU time of the processes that `action` starts."""
    before = children_cpu_ms()
    action()
    return children_cpu_ms() - before


def _without_bytecode(code: str) -> object:
    nowhere = {"PYTHONPYCACHEPREFIX": os.devnull, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, "-c", code], env=os.environ | nowhere, check=True)
