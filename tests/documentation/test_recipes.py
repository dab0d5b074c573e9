"""Recipes are run as their readers run them: a copy of the folder, and the commands of its README.

Those that need more than the tests do are skipped where it is missing; `tox -e recipes` has everything.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from docs.generator.site import DOCS, RECIPES, python_blocks, recipe_files

NAMES = sorted(readme.parent.name for readme in RECIPES.glob("*/README.md"))
REQUIRED = "FAKEKAFKA_RECIPES" in os.environ
"""Whether everything has to be there: in the lane."""


@pytest.mark.parametrize("name", NAMES)
def test_a_recipe_passes_in_its_readers_hands(name: str, tmp_path: Path) -> None:
    _skip_without_requirements(RECIPES / name)
    folder = tmp_path / name
    shutil.copytree(RECIPES / name, folder, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
    for command in _commands(folder):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        assert re.search(r"[1-9]\d* passed|Ran [1-9]\d* tests?", done.stdout + done.stderr), "nothing was run"


def _commands(folder: Path) -> list[list[str]]:
    """The commands that the README shows, but installing."""
    shown = re.findall(r"^    (python -m .*)$", (folder / "README.md").read_text("utf-8"), re.MULTILINE)
    commands = [[sys.executable, *shlex.split(line)[1:]] for line in shown if " pip " not in line]
    assert commands, "the README shows no command"
    return commands


def _skip_without_requirements(folder: Path) -> None:
    path = folder / "requirements.txt"
    wanted = path.read_text("utf-8").split() if path.exists() else []
    missing = [name for name in wanted if find_spec(name.replace("-", "_")) is None]
    if missing and not REQUIRED:
        pytest.skip(f"needs {', '.join(missing)}: tox -e recipes")
    assert not missing


@pytest.mark.parametrize("name", NAMES)
def test_the_code_in_a_readme_is_in_the_files_that_are_run(name: str) -> None:
    files = [path.read_text("utf-8") for path in recipe_files(RECIPES / name)]
    for block in python_blocks((RECIPES / name / "README.md").read_text("utf-8")):
        assert any(block in text for text in files), block


@pytest.mark.parametrize("name", NAMES)
def test_a_recipe_is_listed(name: str) -> None:
    assert f"({name}/README.md)" in (RECIPES / "README.md").read_text("utf-8")
    assert f"recipes/{name}/README.md" in (DOCS.parent / "mkdocs.yml").read_text("utf-8")
