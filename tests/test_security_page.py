"""What docs/security.md shows works."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "security.md"
EXAMPLES = re.findall(r"^## (.*?)\n.*?^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("example", [code for _, code in EXAMPLES], ids=[title for title, _ in EXAMPLES])
def test_an_example_runs(example: str) -> None:
    assert re.search(r"^ *assert ", example, re.MULTILINE)
    exec(compile(example, PAGE, "exec"), {})


def test_there_are_examples() -> None:
    assert [title for title, _ in EXAMPLES] == [
        "Users", "Signed tokens", "TLS", "Rights", "Why a client was turned away", "Limits",
    ]  # fmt: skip
