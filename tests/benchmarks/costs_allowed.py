"""What a request of 64 KiB may cost: `python -m tests.benchmarks.costs_allowed [RELEASE …]`, `tox -e largest-requests`.

Each API with each of its arrays grown to that size may take 64 ms of CPU time and 16 MiB, as on a quiet machine: CPU
time is divided by how much slower than usual Python's own loop runs just before. What may cost more is in `EXCEPTIONS`,
each with its reason and its own bound. The exit status is 1 if a request costs more.
"""

import sys
import time
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Final, NamedTuple

from tests.benchmarks.largest_requests import AT_MOST_MIB, AT_MOST_MS, RELEASES, Cost, costs_of

LOOPS: Final = 200_000
USUAL_MS: Final = 6.0
"""How long the loops take on a quiet machine."""


class Allowance(NamedTuple):
    """A higher limit than usual, and the reason for it."""

    cpu_ms: int
    mib: int
    why: str


ANSWERS: Final = "each of 32,000 elements gets an answer of its own, as from a real broker"
APPENDS: Final = "each partition that is named gets a batch, or a refusal, of its own"
CHECKS: Final = "each element is checked by the controller, and has an error and its words in the answer"
EXCEPTIONS: Final = {
    "FIND_COORDINATOR": Allowance(200, 40, ANSWERS),
    "DESCRIBE_GROUPS": Allowance(200, 40, ANSWERS),
    "CONSUMER_GROUP_DESCRIBE": Allowance(200, 40, ANSWERS),
    "SHARE_GROUP_DESCRIBE": Allowance(200, 40, ANSWERS),
    "STREAMS_GROUP_DESCRIBE": Allowance(250, 40, ANSWERS),
    "DESCRIBE_SHARE_GROUP_OFFSETS": Allowance(120, 16, ANSWERS),
    "READ_SHARE_GROUP_STATE": Allowance(120, 16, ANSWERS),
    "READ_SHARE_GROUP_STATE_SUMMARY": Allowance(120, 16, ANSWERS),
    "DELETE_SHARE_GROUP_STATE": Allowance(150, 16, ANSWERS),
    "DELETE_SHARE_GROUP_OFFSETS": Allowance(100, 16, ANSWERS),
    "DESCRIBE_TRANSACTIONS": Allowance(200, 40, ANSWERS),
    "DESCRIBE_PRODUCERS": Allowance(150, 20, ANSWERS),
    "DESCRIBE_QUORUM": Allowance(150, 20, ANSWERS),
    "DELETE_GROUPS": Allowance(150, 20, ANSWERS),
    "DESCRIBE_USER_SCRAM_CREDENTIALS": Allowance(100, 20, ANSWERS),
    "DESCRIBE_TOPIC_PARTITIONS": Allowance(100, 16, ANSWERS),
    "ADD_PARTITIONS_TO_TXN": Allowance(100, 16, ANSWERS),
    "DELETE_TOPICS": Allowance(200, 20, ANSWERS),
    "UPDATE_FEATURES": Allowance(250, 30, CHECKS),
    "WRITE_TXN_MARKERS": Allowance(300, 16, APPENDS),
    "PRODUCE": Allowance(200, 20, APPENDS),
    "DELETE_RECORDS": Allowance(100, 16, APPENDS),
    "CREATE_TOPICS": Allowance(150, 16, CHECKS),
    "CREATE_PARTITIONS": Allowance(150, 16, CHECKS),
    "ALTER_CONFIGS": Allowance(250, 16, CHECKS),
    "INCREMENTAL_ALTER_CONFIGS": Allowance(250, 20, CHECKS),
    "DESCRIBE_CONFIGS": Allowance(150, 16, CHECKS),
    "ALTER_PARTITION_REASSIGNMENTS": Allowance(150, 16, CHECKS),
    "ELECT_LEADERS": Allowance(150, 16, CHECKS),
    "ALTER_REPLICA_LOG_DIRS": Allowance(100, 16, CHECKS),
    "ALTER_USER_SCRAM_CREDENTIALS": Allowance(150, 16, CHECKS),
    "ALTER_CLIENT_QUOTAS": Allowance(100, 16, CHECKS),
    "CREATE_DELEGATION_TOKEN": Allowance(100, 16, CHECKS),
}


def slowness() -> float:
    """How much slower the machine is than usual, at the moment: at least 1."""
    times = []
    for _ in range(5):
        began, total = time.process_time(), 0
        for n in range(LOOPS):
            total += n & 7
        times.append((time.process_time() - began) * 1000)
    return max(1.0, median(times) / USUAL_MS)


def allowed(cost: Cost) -> tuple[int, int]:
    """The milliseconds and MiB that a request may cost."""
    found = EXCEPTIONS.get(cost.what.split()[0])
    return (AT_MOST_MS, AT_MOST_MIB) if found is None else (found.cpu_ms, found.mib)


def too_dear(release: str, costs: Iterable[Cost]) -> list[str]:
    """The requests that cost more than is allowed."""
    found = []
    for cost in costs:
        cpu_ms, (most_ms, most_mib) = cost.cpu_ms / slowness(), allowed(cost)
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
