"""What a request of 64 KiB may cost: `python -m tests.benchmarks.costs_allowed [RELEASE …]`, `tox -e largest-requests`.

Each API with each of its arrays grown to that size may take 64 ms of CPU time and 16 MiB, as on a quiet machine: CPU
time is divided by how much slower than usual a plain loop ran just before. What may cost more is in
`allowances.EXCEPTIONS`, each with its reason and its own bound. The exit status is 1 if a request costs more.
"""

import sys
import time
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Final

from tests.benchmarks.allowances import allowed
from tests.benchmarks.largest_requests import RELEASES, Cost, costs_of

LOOPS: Final = 200_000
USUAL_MS: Final = 6.0
"""How long the loops take on a quiet machine."""


def slowness() -> float:
    """How much slower the machine is than usual, at the moment: at least 1."""
    times = []
    for _ in range(5):
        began, total = time.process_time(), 0
        for n in range(LOOPS):
            total += n & 7
        times.append((time.process_time() - began) * 1000)
    return max(1.0, median(times) / USUAL_MS)


def too_dear(release: str, costs: Iterable[Cost]) -> list[str]:
    """The requests that cost more than allowed."""
    found = []
    for cost in costs:
        cpu_ms, (most_ms, most_mib) = cost.cpu_ms / slowness(), allowed(cost.what)
        if cpu_ms > most_ms or cost.memory_mib > most_mib:
            found.append(
                f"{release}: {cost.what}: {cpu_ms:.0f} ms of {most_ms}, {cost.memory_mib:.0f} MiB of {most_mib}"
            )
    return found


def main(releases: Sequence[str]) -> int:
    """The exit status."""
    problems = [problem for release in releases or RELEASES for problem in too_dear(release, costs_of(release))]
    print(*problems, sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
