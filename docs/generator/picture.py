"""The README's picture: a terminal in which its first test runs and an upgrade is planned, made from what they print.

python -m docs.generator.picture
"""

import io
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from docs.generator.site import DOCS, python_blocks

PICTURE: Final = DOCS / "images" / "readme.svg"
WIDTH: Final = 118
FONTS: Final = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Fonts that every viewer of the picture would fetch from elsewhere."""


def main() -> None:
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(drawn(shown()), "utf-8")


def shown() -> list[str]:
    """The lines of the terminal."""
    return ["$ pytest -v test_orders.py", *_tests(), "", "$ fakekafka plan 0.10.2 2.3", *_plan()]


def drawn(lines: list[str]) -> str:
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    for line in lines:
        text = Text(line, style="bold" if line.startswith("$ ") else "")
        text.highlight_regex(r"PASSED|\d+ passed", "green")
        text.highlight_regex(r"converted|down(?= /)|up(?= /)", "yellow")
        text.highlight_regex(r"in place|zero-copy", "green")
        console.print(text, no_wrap=True, crop=True)
    return FONTS.sub("", console.export_svg(title="fakekafka", unique_id="fakekafka"))


def _tests() -> list[str]:
    """What pytest prints for the README's first test, without what differs from run to run."""
    [example, *_] = python_blocks((DOCS.parent / "README.md").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_orders.py").write_text(example, "utf-8")
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-v",
            "-p",
            "no:randomly",
            "-p",
            "no:cacheprovider",
            "test_orders.py",
        ]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=120)
    tests = re.findall(r"^(test_orders\S+ PASSED)", done.stdout, re.MULTILINE)
    [count] = re.findall(r"(\d+ passed).* in ", done.stdout)
    return [*tests, count]


def _plan() -> list[str]:
    """The table of the plan, as wide as the picture."""
    command = [sys.executable, "-m", "fakekafka", "plan", "0.10.2", "2.3"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120, check=True)
    return [line[:WIDTH].rstrip() for line in done.stdout.splitlines()[:7]]


if __name__ == "__main__":
    main()
