"""The brokers beside us, each in a separate process: kfake where Go is, a real Kafka 3.9.1 where a JDK and Maven are.

`kfake/` is a Go program of a few lines around franz-go's fake cluster, which is built as build/kfake if Go is there,
and needs Go's module proxy the first time. By hand:

    cd tests/benchmarks/kfake && go build -o ../../../build/kfake .

The real one needs Maven's registry, and so is left out unless FAKEKAFKA_REAL_KAFKA is set.
"""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.benchmarks.kafka_on_a_jvm import REAL, kafka_on_a_jvm
from tests.benchmarks.sides import OURS, Side, serving_apart
from tests.real_kafka.jars import why_not

SOURCE: Final = Path(__file__).parent / "kfake"
PROGRAM: Final = Path(__file__).parents[2] / "build" / "kfake"
KFAKE: Final = "kfake"


def there() -> list[str]:
    """The peers that this machine can run."""
    return [*([KFAKE] if built() is not None else []), *([REAL] if why_not() is None else [])]


def built() -> Path | None:
    """The program around kfake, built now unless it is newer than its source; None if Go is missing or fails."""
    go = shutil.which("go")
    changed = max(file.stat().st_mtime for file in SOURCE.iterdir())
    if PROGRAM.exists() and (go is None or PROGRAM.stat().st_mtime > changed):
        return PROGRAM
    if go is None:
        return None
    PROGRAM.parent.mkdir(exist_ok=True)
    done = subprocess.run([go, "build", "-o", str(PROGRAM), "."], cwd=SOURCE, capture_output=True, check=False)
    return PROGRAM if done.returncode == 0 else None


@contextmanager
def serving(name: str, topics: Sequence[str], pem: Path | None = None) -> Iterator[Side]:
    """Start the side of that name in a separate process; with TLS if it gets a file with a key and a certificate."""
    with {OURS: _ours, KFAKE: _kfake, REAL: kafka_on_a_jvm}[name](topics, pem) as side:
        yield side


@contextmanager
def _ours(topics: Sequence[str], pem: Path | None) -> Iterator[Side]:
    with serving_apart(OURS, topics, pem) as side:
        yield side


@contextmanager
def _kfake(topics: Sequence[str], pem: Path | None) -> Iterator[Side]:
    pipe = subprocess.PIPE
    secured = [] if pem is None else ["-pem", str(pem)]
    with subprocess.Popen(
        [str(PROGRAM), *secured, *topics], stdin=pipe, stdout=pipe, text=True, encoding="utf-8"
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Side(KFAKE, process.stdout.readline().strip(), process.pid)
        process.stdin.close()
