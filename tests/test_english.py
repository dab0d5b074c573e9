"""The language of the tree: habits that make a reader stumble, found by their patterns (CONTRIBUTING.md, "English")."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).parent.parent
READ: Final = (
    "compat",
    "demo",
    "fixtures",
    "emulator/fakekafka/admin",
    "emulator/fakekafka/cli",
    "emulator/fakekafka/cluster",
    "emulator/fakekafka/coordinators",
    "emulator/fakekafka/handle",
    "emulator/fakekafka/handlers",
    "emulator/fakekafka/inspection",
    "emulator/fakekafka/releases",
    "emulator/fakekafka/runtime",
    "emulator/fakekafka/settings",
    "emulator/fakekafka/state",
    "emulator/fakekafka/texts",
    "emulator/fakekafka/upgrade",
    "emulator/fakekafka/wire",
    "tests/acceptance",
    "tests/compat",
    "tests/demo",
    "tests/emulator/cli",
    "tests/emulator/coordinators",
    "tests/emulator/handle",
    "tests/emulator/inspection",
    "tests/emulator/releases",
    "tests/emulator/runtime",
    "tests/emulator/settings",
    "tests/emulator/texts",
    "tests/emulator/upgrade",
    "tests/emulator/wire",
    "tests/fixtures",
    "tests/fuzz",
    "tests/golden",
    "tests/java",
    "tests/real_kafka",
    "tests/statements",
)
"""The folders whose English has been read; their pages are Markdown files in them."""
MODULES: Final = ("binary", "client_configs", "clock", "emulator", "errors", "ids", "pieces")
"""Modules at the top of the emulator that have been read."""
PAGES: Final = ("ARCHITECTURE.md", "CHANGELOG.md", "README.md", "RELEASING.md")

VERBS: Final = "Is|Are|Was|Were|Does|Do|Did|Has|Have|Had|Can|Could|May|Must|Should|Will|Would"
IN_PROSE: Final = {
    "a question instead of a statement": re.compile(rf"(?:^|[.;:] )(?:{VERBS}) [^.;:]*\?(?:$| [A-Z])"),
    "'the same' without its noun": re.compile(r"^The same\b(?! [a-z]+ (?:as|in)\b)"),
    "'who' without a noun": re.compile(r"(?:^Who (?!$)|\b(?:for|to|by|of|from|with) who\b(?! (?:is|are) ))"),
    "'none' for 'no such thing'": re.compile(r"\b(?:that|which) (?:is|are) none\b|\bwhat is no\b"),
    "a stock phrase": re.compile(r"\b[Tt]he (?:one )?fact to know\b"),
}
IN_TEST_NAMES: Final = {
    "continues another test": re.compile(r"^test_(?:so|and|or|but|then|also|nor|neither)_"),
    "has no subject of its own": re.compile(r"^test_(?:it|its|they|their|those|others|one_that|the_same|who)_"),
    "'none' for 'no such thing'": re.compile(r"_that_(?:is|are)_none"),
}


class Text(NamedTuple):
    """A docstring, or the string below a field: where it stands, and its words on one line."""

    place: str
    words: str


def files() -> list[Path]:
    modules = [ROOT / "emulator" / "fakekafka" / f"{name}.py" for name in MODULES]
    return modules + sorted(path for folder in READ for path in (ROOT / folder).rglob("*.py"))


def texts(path: Path) -> Iterator[Text]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield Text(f"{path.relative_to(ROOT)}:{node.lineno}", " ".join(node.value.value.split()))


def faults(text: Text) -> Iterator[str]:
    for what, pattern in IN_PROSE.items():
        if found := pattern.search(text.words):
            yield f"{text.place}: {what}: {found.group().strip()!r}"


def test_docstrings_are_plain_english() -> None:
    assert [fault for path in files() for text in texts(path) for fault in faults(text)] == []


def test_names_of_tests_stand_alone() -> None:
    found = []
    for path in files():
        for name in re.findall(r"^\s*(?:async )?def (test_\w+)", path.read_text("utf-8"), re.MULTILINE):
            found += [
                f"{path.relative_to(ROOT)}: {what}: {name}" for what, p in IN_TEST_NAMES.items() if p.search(name)
            ]
    assert found == []


def test_pages_are_plain_english() -> None:
    pages = [ROOT / name for name in PAGES] + [
        page for folder in READ for page in sorted((ROOT / folder).rglob("*.md"))
    ]
    lines = (
        Text(f"{page.relative_to(ROOT)}:{n}", line.strip(" -*|"))
        for page in pages
        for n, line in enumerate(page.read_text("utf-8").splitlines(), 1)
    )
    assert [fault for line in lines for fault in faults(line)] == []


@pytest.mark.parametrize(
    "words",
    [
        "Is the request one? Raises 42.",
        "The cleaner. Does it run? Else not.",
        "The same with a snapshot.",
        "Who is called so.",
        "They are served to who asks for them.",
        "Raises `UsageError` for a way that is none.",
        "The fact to know: it is late.",
    ],
)
def test_each_habit_is_found(words: str) -> None:
    assert list(faults(Text("here", words)))


@pytest.mark.parametrize(
    "words",
    [
        "Whether the request is valid.",
        "The same release in both modes.",
        "The member who leads.",
        "What to do if there is none.",
        "`fakekafka check DIR?` is a pattern of the shell.",
    ],
)
def test_plain_sentences_pass(words: str) -> None:
    assert list(faults(Text("here", words))) == []
