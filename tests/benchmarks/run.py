"""All benchmarks, one after the other: `make bench`, or with `--quick` in about half a minute.

Every figure stands beside that of librdkafka's mock, measured in the same minute, if the mock can do the same. Names
select benchmarks: `python tests/benchmarks/run.py bulk latency`. `--check` compares the ratios with the last release's,
and only then the exit status means anything: it is 1 if a ratio is worse by more than a tenth.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[2])  # not the script's folder: imports begin at the root

from tests.benchmarks.beside_all import write
from tests.benchmarks.beside_peers import beside_peers
from tests.benchmarks.bulk import bulk
from tests.benchmarks.converting import converting
from tests.benchmarks.fault_rules import fault_rules
from tests.benchmarks.first_record import first_record
from tests.benchmarks.group_first_record import group_first_record
from tests.benchmarks.growth import growth
from tests.benchmarks.handling import handling
from tests.benchmarks.idle import idle
from tests.benchmarks.importing import importing
from tests.benchmarks.largest_requests import largest_requests
from tests.benchmarks.last_release import FILE, ratios, save, saved, worse
from tests.benchmarks.measuring import Row, print_rows
from tests.benchmarks.offsets_memory import offsets_memory
from tests.benchmarks.others_latency import others_latency
from tests.benchmarks.over_tls import over_tls
from tests.benchmarks.produce_to_poll import produce_to_poll
from tests.benchmarks.resetting import resetting
from tests.benchmarks.second_member import second_member
from tests.benchmarks.start_and_stop import start_and_stop
from tests.benchmarks.storage_append import storage_append
from tests.benchmarks.storage_check import storage_check
from tests.benchmarks.storage_memory import storage_memory
from tests.benchmarks.storage_open import storage_open
from tests.benchmarks.switch_interval import switch_interval
from tests.benchmarks.wire_codec import run as wire_codec

BENCHMARKS: Final[dict[str, Callable[[bool], list[Row]]]] = {
    "importing": importing,
    "start_and_stop": start_and_stop,
    "resetting": resetting,
    "first_record": first_record,
    "group_first_record": group_first_record,
    "second_member": second_member,
    "produce_to_poll": produce_to_poll,
    "bulk": bulk,
    "beside_peers": beside_peers,
    "over_tls": over_tls,
    "others_latency": others_latency,
    "largest_requests": largest_requests,
    "idle": idle,
    "switch_interval": switch_interval,
    "handling": handling,
    "fault_rules": fault_rules,
    "storage_append": storage_append,
    "storage_check": storage_check,
    "storage_open": storage_open,
    "storage_memory": storage_memory,
    "converting": converting,
    "offsets_memory": offsets_memory,
    "growth": growth,
    "codec": lambda quick: codec(quick),
}


def codec(quick: bool) -> list[Row]:
    """Reading and writing messages, beside a plain codec made from the same definitions."""
    return [
        Row(row.name, "us", row.ours_us, row.peer_us, row.ours_us / row.peer_us, "the peer is a plain codec")
        for row in wire_codec(30 if quick else 300)
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("bench", description=__doc__.split("\n", 1)[0])
    parser.add_argument("name", nargs="*", help=f"only these: {', '.join(BENCHMARKS)}")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, fewer records")
    parser.add_argument("--check", action="store_true", help="compare the ratios with those of the last release")
    parser.add_argument("--save", action="store_true", help="keep the ratios as those of the last release")
    parser.add_argument(
        "--plots", action="store_true", help="only what docs/explanation/performance.md shows, beside all peers"
    )
    options = parser.parse_args(arguments)
    if options.plots:
        write(options.quick)
        return 0
    if options.check and not FILE.exists():
        parser.error("there has been no release: --save keeps the ratios of one")
    if unknown := set(options.name) - BENCHMARKS.keys():
        parser.error(f"no benchmark called {', '.join(sorted(unknown))}")
    found: dict[str, float] = {}
    for name, benchmark in BENCHMARKS.items():
        if not options.name or name in options.name:
            rows = benchmark(options.quick)
            print_rows(name.replace("_", " "), rows)
            found |= ratios(name, rows)
    if options.save:
        save(found)
    problems = list(worse(saved(), found)) if options.check else []
    print(*problems, sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
