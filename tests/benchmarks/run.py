"""All benchmarks, one after the other: `make bench`, or with `--quick` in about half a minute.

Every figure stands beside that of librdkafka's mock, measured in the same minute, as far as the mock has the thing at
all. Names of benchmarks select: `python tests/benchmarks/run.py bulk latency`. The exit status tells nothing: a
benchmark is no test.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[2])  # a script's folder is there, but imports begin at the root

from tests.benchmarks.bulk import bulk
from tests.benchmarks.first_record import first_record
from tests.benchmarks.importing import importing
from tests.benchmarks.measuring import Row, print_rows
from tests.benchmarks.start_and_stop import start_and_stop

BENCHMARKS: tuple[Callable[[bool], list[Row]], ...] = (importing, start_and_stop, first_record, bulk)


def main(arguments: Sequence[str] | None = None) -> int:
    names = [benchmark.__name__ for benchmark in BENCHMARKS]
    parser = argparse.ArgumentParser("bench", description=__doc__.split("\n", 1)[0])
    parser.add_argument("name", nargs="*", help=f"only these: {', '.join(names)}", choices=[[], *names], default=[])
    parser.add_argument("--quick", action="store_true", help="fewer rounds, fewer records")
    options = parser.parse_args(arguments)
    for benchmark in BENCHMARKS:
        if not options.name or benchmark.__name__ in options.name:
            print_rows(benchmark.__name__.replace("_", " "), benchmark(options.quick))
    return 0


if __name__ == "__main__":
    sys.exit(main())
