"""Coverage-guided fuzzing with atheris: `python -m tests.fuzz.guided --minutes 60 [TARGET …]`, or `tox -e fuzz-guided`.

Each target has its share of the time, in a separate process. It begins with the inputs in `corpus/TARGET` and keeps
what it learns in a separate directory. A finding is printed, saved under `--found`, and makes the exit status 1;
put it into the corpus with its fix, where `test_corpus.py` feeds it from then on.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

CORPUS: Final = Path(__file__).parent / "corpus"
FOUND: Final = Path("build/fuzz")
MOST_MIB: Final = 1024
LONGEST_S: Final = 20


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until the time is up; the exit status says whether anything was found."""
    from tests.fuzz.targets import TARGETS

    parser = argparse.ArgumentParser("guided", description=__doc__.split("\n", 1)[0])
    parser.add_argument("target", nargs="*", help=f"only these: {', '.join(TARGETS)}")
    parser.add_argument("--minutes", type=float, default=10, help="for all targets together")
    parser.add_argument("--found", type=Path, default=FOUND, help="where findings go (%(default)s)")
    options = parser.parse_args(arguments)
    names = options.target or list(TARGETS)
    seconds = max(1, int(60 * options.minutes / len(names)))
    options.found.mkdir(parents=True, exist_ok=True)
    return max([_fuzz(name, seconds, options.found) for name in names])


def _fuzz(name: str, seconds: int, found: Path) -> int:
    print(f"{name}: {seconds} s", flush=True)
    with tempfile.TemporaryDirectory() as learnt:
        command = [sys.executable, "-m", "tests.fuzz.guided_child", name, learnt, str(CORPUS / name)]
        command += [f"-max_total_time={seconds}", f"-artifact_prefix={found}/{name}-", "-print_final_stats=1"]
        command += [f"-rss_limit_mb={MOST_MIB}", f"-timeout={LONGEST_S}", "-verbosity=0"]
        return 1 if subprocess.run(command, check=False).returncode else 0


if __name__ == "__main__":
    sys.exit(main())
