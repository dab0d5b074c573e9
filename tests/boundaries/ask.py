"""Asks real brokers where a behaviour changed between two releases that are not neighbours, and narrows the table.

    python -m tests.boundaries.ask LAUNCHER [--most N] [CHANGE ...]

LAUNCHER is a folder with `record.py`, which records a scenario of the tree's recordings on any release:
`record.py SCENARIO RELEASE CONFIG` leaves a folder below `recordings/RELEASE`. For each wide change, the scenario that
shows it on one side is recorded on the release in the middle, at most N recordings in all. The survey then examines
them, and what it finds halves the width of the change in `held_between.txt`. What is shown by a cluster, a story or a
refused start (`witnesses.py`) is asked by the commands that made those.
"""

import argparse
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from fakekafka.releases.release import Release

from tests.boundaries.changes import Change, all_changes
from tests.boundaries.reach import OLDEST
from tests.boundaries.survey import Search, originals, survey
from tests.boundaries.table import Held, read


class Question(NamedTuple):
    """A scenario to be recorded on a release."""

    scenario: str
    release: Release
    config: str

    @property
    def name(self) -> str:
        """The recording's name without its release: "fetch_formats--ibp2.8"."""
        return f"{self.scenario}--{self.config}" if self.config else self.scenario


def questions(changes: Iterable[Change], table: dict[str, Held]) -> Iterator[tuple[Change, Question]]:
    """What to ask next for each wide change."""
    for change in changes:
        held = table.get(change.name, Held(None, None))
        askable = [release for release in held.between if release >= OLDEST]
        if not askable or held.with_it is None or held.with_it.scenario is None:
            continue
        config = held.with_it.recording.partition("--")[2]
        yield change, Question(held.with_it.scenario, askable[len(askable) // 2], config)


def ask(launcher: Path, question: Question, target: Path) -> bool:
    """Record the scenario as an archive below `target`. False if the launcher cannot."""
    command = [sys.executable, "record.py", question.scenario, str(question.release), question.config]
    done = subprocess.run(command, cwd=launcher, check=False)
    folder = launcher / "recordings" / str(question.release) / question.name
    if done.returncode or not folder.exists():
        return False
    (target / str(question.release)).mkdir(parents=True, exist_ok=True)
    with tarfile.open(target / str(question.release) / f"{question.name}.tar.gz", "w:gz") as archive:
        for path in folder.iterdir():
            archive.add(path, path.name)
    return True


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("launcher", type=Path)
    parser.add_argument("changes", nargs="*", metavar="CHANGE")
    parser.add_argument("--most", type=int, default=20)
    options = parser.parse_args()
    chosen = [c for c in all_changes() if not options.changes or any(map(c.name.startswith, options.changes))]
    asked = list(questions(chosen, read()))
    with TemporaryDirectory() as folder:
        for question in list(dict.fromkeys(question for _, question in asked))[: options.most]:
            print(question.name, question.release, "recorded" if ask(options.launcher, question, Path(folder)) else "-")
        survey([change for change, _ in asked], list(originals(Path(folder))), Search(options.most, anywhere=True))


if __name__ == "__main__":
    main()
