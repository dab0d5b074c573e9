"""The long lane: damaged frames for as long as you like, different ones in every round.

    python -m tests.fuzz.connection --minutes 10 [--release 2.3] [--seed 7]

A conversation that disturbs the broker is printed in its smallest form, as the frames that lead to it; the exit status
is then 1. A round has the seed that it prints.
"""

import argparse
import itertools
import sys
import time
from collections.abc import Sequence

from hypothesis import HealthCheck, given, seed, settings

from tests.fuzz.shots import shots
from tests.fuzz.under_fire import RELEASES, fire

ROUND = 200
"""Conversations with one release before the next has its turn."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until the time is up or something is found, and return the exit status."""
    parser = argparse.ArgumentParser("connection", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--release", action="append", help="only this one; may be repeated")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000, help="of the first round")
    options = parser.parse_args(arguments)
    ends = time.monotonic() + 60 * options.minutes
    for number, release in zip(itertools.count(options.seed), itertools.cycle(options.release or RELEASES)):
        if time.monotonic() > ends:
            return 0
        print(f"{release}: {ROUND} conversations, seed {number}", flush=True)
        hold(release, number)
    return 0


def hold(release: str, number: int) -> None:
    """One round of conversations with a release. Raises whatever error they cause."""

    @seed(number)
    @settings(max_examples=ROUND, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(shots(release))
    def converse(frames: list[bytes]) -> None:
        fire(release, frames)

    converse()


if __name__ == "__main__":
    sys.exit(main())
