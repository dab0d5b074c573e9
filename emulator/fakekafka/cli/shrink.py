"""`fakekafka shrink`: the smallest plan of faults under which a command still fails.

The command is run again and again, with the path of a plan in place of `{plan}` and in the environment variable
FAKE_KAFKA_FAULTS, which the pytest plug-in reads.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from fakekafka.errors import UsageError

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands
    from fakekafka.faults.rule import Rule

VARIABLE: Final = "FAKE_KAFKA_FAULTS"


def add(commands: "Commands") -> None:
    shrink = commands.add_parser("shrink", help="find the smallest plan of faults under which a command still fails")
    shrink.add_argument("plan", metavar="plan.toml", help="a plan under which the command fails")
    shrink.add_argument("--into", metavar="FILE", help="write the smaller plan there (default: standard output)")
    shrink.add_argument(
        "run", nargs="+", metavar="COMMAND", help="such as `-- pytest tests/test_orders.py`; {plan} is the plan's path"
    )
    shrink.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    from fakekafka.faults.plan import read_plan, write_plan
    from fakekafka.faults.shrinking import smallest

    if not Path(options.plan).is_file():
        raise UsageError(f"{options.plan}: no such file")
    rules = read_plan(Path(options.plan))
    with TemporaryDirectory() as folder:
        runs = Runs(options.run, Path(folder) / "plan.toml")
        remaining = smallest(rules, runs.fails)
    print(f"{len(remaining)} of {len(rules)} rules are left, after {runs.count} runs", file=sys.stderr)
    if options.into is None:
        print(write_plan(remaining), end="")
    else:
        Path(options.into).write_text(write_plan(remaining), "utf-8")
    return 0


class Runs:
    """Runs the command, each time with another plan."""

    def __init__(self, command: Sequence[str], plan: Path) -> None:
        self._command = [word.replace("{plan}", str(plan)) for word in command]
        self._plan = plan
        self.count = 0

    def fails(self, rules: "Sequence[Rule]") -> bool:
        """Whether the command fails under these rules. Raises `UsageError` if it cannot be run."""
        from fakekafka.faults.plan import write_plan

        self._plan.write_text(write_plan(rules) or "\n", "utf-8")
        self.count += 1
        try:
            done = subprocess.run(
                self._command, capture_output=True, check=False, env={**os.environ, VARIABLE: str(self._plan)}
            )
        except OSError as e:
            raise UsageError(f"{self._command[0]}: {e.strerror}") from None
        return done.returncode != 0
