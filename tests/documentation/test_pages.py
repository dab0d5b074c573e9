"""What the pages show runs. Recipes, the tutorial, and what `ELSEWHERE` names have tests of their own."""

import subprocess
import sys
from pathlib import Path

import pytest

from docs.generator.site import DOCS, RECIPES, python_blocks

pytest_plugins = ["pytester"]

ELSEWHERE = {"tutorial.md", "drafts.md", "control.md", "security.md", "rehearsal.md", "faults-and-clients.md"}
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if page.parent.parent != RECIPES and page.name not in ELSEWHERE]
EXAMPLES = [(page, text) for page in PAGES for text in python_blocks(page.read_text("utf-8"))]


@pytest.mark.parametrize(("page", "example"), EXAMPLES, ids=[f"{p.stem}-{n}" for n, (p, _) in enumerate(EXAMPLES)])
def test_an_example_runs(page: Path, example: str, pytester: pytest.Pytester) -> None:
    if "def test_" not in example:
        subprocess.run([sys.executable, "-c", example], check=True, timeout=60)  # what is left open ends with it
        return
    pytester.makepyfile(example)
    outcome = pytester.runpytest_subprocess("-p", "no:randomly").parseoutcomes()
    assert outcome.get("passed")
    assert not {"failed", "error", "errors"} & outcome.keys()


def test_pages_of_every_kind_are_checked() -> None:
    assert {"recipes", "reference", "explanation"} <= {page.parent.name for page in PAGES}
    assert len(EXAMPLES) > 6
