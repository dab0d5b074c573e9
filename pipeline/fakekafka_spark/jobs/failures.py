"""What went wrong in a worker, in the words of fakekafka: one line instead of three tracebacks."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from fakekafka.errors import FakeKafkaError, UsageError

from fakekafka_spark.wanted import DamagedLog

_OURS: Final = re.compile(r"fakekafka[\w.]*\.(\w+): (.+)")
_TRACEBACK: Final = "Traceback (most recent call last):"
_PYTHONS: Final = re.compile(r"^[\w.]*(?:Error|Exception|Interrupt|Exit): .+$", re.MULTILINE)


class WorkerFailed(FakeKafkaError):
    """A task failed for a reason that is not fakekafka's."""


KINDS: Final[dict[str, type[FakeKafkaError]]] = {kind.__name__: kind for kind in (UsageError, DamagedLog)}


def failure_of(text: str) -> FakeKafkaError:
    """The error in a message of Spark: the last one of fakekafka's, or else of Python's, or the first line."""
    matches = _OURS.findall(text)
    if matches:
        kind, what = matches[-1]
        return KINDS.get(kind, WorkerFailed)(what.strip())
    _, traceback, behind = text.rpartition(_TRACEBACK)
    if traceback and (raised := _PYTHONS.search(behind)):
        return WorkerFailed(raised[0])
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return WorkerFailed(lines[0] if lines else "Spark failed without a word")


@contextmanager
def in_one_line() -> Iterator[None]:
    """Raises `FakeKafkaError` for what Spark raises: `UsageError`, `DamagedLog` or `WorkerFailed`."""
    from pyspark.errors import PySparkException

    try:
        yield
    except PySparkException as wrong:
        raise failure_of(str(wrong)) from None
    except OSError as wrong:
        raise WorkerFailed(str(wrong)) from None
