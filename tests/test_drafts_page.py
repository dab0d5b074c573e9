"""What docs/drafts.md shows works, and each draft has its place there."""

import re
from pathlib import Path

import pytest
from fakekafka.drafts.known import DRAFTS

from tests.benchmarks.set_sizes import table

PAGE = Path(__file__).parents[1] / "docs" / "drafts.md"
TEXT = PAGE.read_text("utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"example {n}" for n in range(len(EXAMPLES))])
def test_an_example_runs(example: str) -> None:
    assert re.search(r"^ *assert ", example, re.MULTILINE)
    exec(compile(example, PAGE, "exec"), {})


@pytest.mark.parametrize("name", [draft.name for draft in DRAFTS])
def test_every_draft_has_a_section_and_a_row(name: str) -> None:
    assert re.search(rf"^## {name}: ", TEXT, re.MULTILINE)
    assert re.search(rf"^\| \[`{name}`\]\(#", TEXT, re.MULTILINE)


def test_the_table_of_sizes_is_the_one_that_is_computed() -> None:
    assert "\n".join(table()) in TEXT


def test_every_image_of_the_page_exists() -> None:
    images = re.findall(r"^!\[[^\]]+\]\(([^)]+)\)$", TEXT, re.MULTILINE)
    assert len(images) == 2
    assert [name for name in images if not (PAGE.parent / name).is_file()] == []


def test_links_within_the_page_lead_somewhere() -> None:
    titles = {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in re.findall(r"^## (.*)$", TEXT, re.M)}
    assert set(re.findall(r"\]\(#([^)]*)\)", TEXT)) == titles
