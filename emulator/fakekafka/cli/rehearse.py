"""`fakekafka rehearse`: an upgrade path played with the user's own clients, on a copy of the user's directory."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from fakekafka.cli.progress import of_steps

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands


def add(commands: "Commands") -> None:
    parser = commands.add_parser("rehearse", help="play an upgrade path with your clients, on a copy of your directory")
    parser.add_argument("plan", metavar="plan.toml", help="the path, the directory, and the clients' command lines")
    parser.add_argument("--state", metavar="DIR", help="where progress is kept (default: beside the plan)")
    parser.add_argument("--again", action="store_true", help="start over, whatever has been played")
    parser.add_argument("--json", action="store_true", help="the report as JSON")
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    from fakekafka.rehearsal.play import forget, rehearse  # imported only here, because other commands run no clients
    from fakekafka.rehearsal.report import as_data, as_text
    from fakekafka.rehearsal.script import read_script

    script = read_script(Path(options.plan))
    state = Path(options.state) if options.state else script.path.with_suffix(".rehearsal")
    if options.again:
        forget(state)
    try:
        with of_steps("rehearse") as report:
            progress = rehearse(script, state, report)
    except KeyboardInterrupt:
        print("stopped; the same command continues with the step that was interrupted", file=sys.stderr)
        return 2
    print(json.dumps(as_data(progress), indent=2) if options.json else as_text(progress))
    return progress.status
