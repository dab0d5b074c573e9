"""The language of the tree: habits that make a reader stumble, found by their patterns (CONTRIBUTING.md, "English").

It reads docstrings, comments, messages of exceptions, help texts of commands, names of tests, and pages.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).parent.parent
FOLDERS: Final = ("compat", "demo", "docs", "emulator", "fixtures", "pipeline", "tests")
MARGIN: Final = 100
"""Lines of prose are shorter than this only where a paragraph ends."""
NOT_OURS: Final = {".tox", ".venv", "build", "node_modules"}

VERBS: Final = "Is|Are|Was|Were|Does|Do|Did|Has|Have|Had|Can|Could|May|Must|Should|Will|Would"
THINGS: Final = (
    "whole|event|fault|password|line|repetition|unit|batch|cache|rehearsal|behaviour|request|set|signed|unsecured|group"
    "|segment|difference|test|finding|error|object|plug-in|topic|client|zip|base64|text|HTTP|name of|number"
)
IN_PROSE: Final = {
    "a question instead of a statement": re.compile(rf"(?:^|[.;:] )(?:{VERBS}) [^.;:]*\?(?:$| [A-Z])"),
    "'the same' without its noun": re.compile(r"^The same\b(?! [a-z]+ (?:as|in)\b)"),
    "'who' without a noun": re.compile(r"(?:^Who (?!$)|\b(?:for|to|by|of|from|with) who\b(?! (?:is|are) ))"),
    "'none' for 'no such thing'": re.compile(r"\b(?:that|which) (?:is|are) none\b|\bwhat is no\b"),
    "a stock phrase": re.compile(r"\b[Tt]he (?:one )?fact to know\b"),
    "'anew' for 'again'": re.compile(r"\banew\b(?!\W? for)"),
    "'else' for 'otherwise'": re.compile(r"[;,] else (?!would\b)"),
    "'is no' for 'is not a'": re.compile(r"\b(?:which|that|what) (?:is|are) no (?!longer\b|more\b)[a-z]+"),
    "'tell of' for 'say about'": re.compile(r"\b(?:tells?|told) of\b"),
    "'so many' for 'this many'": re.compile(
        r"^So (?:many|much|large|long)\b|\b(?:of|with|to|for|by|gives) so (?:many|long)\b(?! (?:that|as))"
    ),
    "a phrase without its noun": re.compile(r"^(?:Of|Those of|That of) [^,:;]*\.?$"),
    "'looked into' for 'parsed'": re.compile(r"\blook(?:s|ed)? into\b"),
    "'is no' for 'is not a', of a thing": re.compile(rf"(?<![Tt]here )\b(?:is|are) no (?:{THINGS})\b"),
    "'say of' for 'say about'": re.compile(r"\b(?:says?|said|knows?|knew|known) of\b(?! which)"),
    "'is told' for 'is reported'": re.compile(r"\b(?:is|are) told (?:once|with the|in [a-z`])"),
    "'behind' for 'after'": re.compile(
        r"\bone behind the other\b|\b(?:bytes|begins|ends|lies?|stands|comes|records? at \S+) behind\b"
    ),
}
IN_TEST_NAMES: Final = {
    "continues another test": re.compile(r"^test_(?:so|and|or|but|then|also|nor|neither)_"),
    "has no subject of its own": re.compile(r"^test_(?:it|its|they|their|those|others|one_that|the_same|who)_"),
    "'none' for 'no such thing'": re.compile(r"_that_(?:is|are)_none"),
    "'is no' for 'is not a'": re.compile(r"(?<!there)_(?:is|are)_no_(?!more|longer|way|room|such)"),
    "'anew' for 'again'": re.compile(r"_anew(?:_|$)"),
    "'who' without a noun": re.compile(r"_(?:to|by|from|wakes|on|of)_who_|^test_who_"),
    "a thing that 'is told'": re.compile(r"_(?:is|are|was|were)_told_(?:at_once|in_one_line|with_|by_name)"),
    "'so many' for 'that many'": re.compile(r"_so_many(?:_|$)"),
}


COMMENT: Final = re.compile(r"(?:^|  )#:? (?!type:|noqa|fmt:|----)(.*)$")
SAID_BY: Final = {"help", "description", "epilog"}
"""Arguments whose texts a user reads."""


FEW_WORDS: Final = 3
"""A string of more words than this is a sentence, or a part of one."""


class Text(NamedTuple):
    """Words for a reader, on one line, and where they stand."""

    place: str
    words: str


def found(pattern: str) -> list[Path]:
    """The files of the tree whose names match a pattern."""
    inside = (path for folder in FOLDERS for path in (ROOT / folder).rglob(pattern))
    return sorted(path for path in inside if not NOT_OURS & set(path.relative_to(ROOT).parts))


def files() -> list[Path]:
    return found("*.py")


def faults_of(path: Path) -> Iterator[str]:
    """Everything that is wrong with the prose of a file."""
    name, source = path.relative_to(ROOT), path.read_text("utf-8")
    tree = ast.parse(source)
    for text in texts(name, source, tree):
        yield from faults(text)
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str()) as docstring):
                yield from (f"{name}:{n}: a short line within a paragraph" for n in ragged(docstring))


def texts(name: Path, source: str, tree: ast.Module) -> Iterator[Text]:
    """The docstrings, comments and messages of a file. A value within a message is "…"."""
    for number, line in enumerate(source.splitlines(), 1):
        if comment := COMMENT.search(line):
            yield Text(f"{name}:{number}", comment[1])
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and (words := words_of(node.value)):
            yield Text(f"{name}:{node.lineno}", words)
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            for argument in node.exc.args:
                yield Text(f"{name}:{node.lineno}", words_of(argument))
        elif isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg in SAID_BY:
                    yield Text(f"{name}:{node.lineno}", words_of(keyword.value))


def words_of(node: ast.expr) -> str:
    """The text of a string or f-string; empty for anything else."""
    match node:
        case ast.Constant(value=str(text)):
            return " ".join(text.split())
        case ast.JoinedStr(values=parts):
            return " ".join("".join(words_of(part) or "…" for part in parts).split())
        case _:
            return ""


def faults(text: Text) -> Iterator[str]:
    for what, pattern in IN_PROSE.items():
        if match := pattern.search(text.words):
            yield f"{text.place}: {what}: {match.group().strip()!r}"


def test_docstrings_comments_and_messages_are_plain_english() -> None:
    assert [fault for path in files() for fault in faults_of(path)] == []


def data_texts(path: Path) -> Iterator[Text]:
    """The comments and strings of a TOML file."""
    name, source = path.relative_to(ROOT), path.read_text("utf-8")
    for number, line in enumerate(source.splitlines(), 1):
        if line.startswith("#"):
            yield Text(f"{name}:{number}", line.lstrip("# "))
    yield from (Text(str(name), " ".join(words.split())) for words in strings(tomllib.loads(source)))


def strings(value: object) -> Iterator[str]:
    """All strings within a TOML value."""
    match value:
        case str():
            yield value
        case dict():
            yield from (found for each in value.values() for found in strings(each))
        case list():
            yield from (found for each in value for found in strings(each))


def test_reasons_in_data_files_are_plain_english() -> None:
    assert [fault for path in found("*.toml") for text in data_texts(path) for fault in faults(text)] == []


def stories(path: Path) -> Iterator[Text]:
    """All sentences in the strings of a bug's file: symptoms, causes, what its story tells."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and len((words := words_of(node)).split()) > FEW_WORDS:
            yield Text(f"{path.relative_to(ROOT)}:{node.lineno}", words)


def test_what_a_bug_says_is_plain_english() -> None:
    shelf = ROOT / "emulator" / "fakekafka" / "bugs" / "shelf"
    assert [fault for path in sorted(shelf.rglob("*.py")) for text in stories(path) for fault in faults(text)] == []


def ragged(docstring: ast.Constant) -> Iterator[int]:
    """The lines of prose, by number, that end long before the margin although their paragraph goes on."""
    lines = str(docstring.value).splitlines()
    for n, (line, following) in enumerate(pairwise(lines[1:]), docstring.lineno + 1):
        if all(_is_prose(each, docstring.col_offset) for each in (line, following)):
            goes_on = line.rstrip()[-1] not in ".:;?!`|}]" and following.strip()[0].isalpha()
            if goes_on and len(line) + 1 + len(following.split()[0]) <= MARGIN:
                yield n


def _is_prose(line: str, indent: int) -> bool:
    """Whether a line of a docstring belongs to a paragraph: not to an example or a table."""
    return bool(line.strip()) and len(line) - len(line.lstrip()) == indent and "  " not in line.strip()


def test_a_paragraph_with_a_short_line_is_found() -> None:
    docstring = ast.parse('"""Title.\n\nA line that\nends early, before\nthe margin.\n"""').body[0]
    assert isinstance(docstring, ast.Expr)
    assert isinstance(docstring.value, ast.Constant)
    assert list(ragged(docstring.value)) == [3, 4]


def test_names_of_tests_stand_alone() -> None:
    bad = []
    for path in files():
        for name in re.findall(r"^\s*(?:async )?def (test_\w+)", path.read_text("utf-8"), re.MULTILINE):
            bad += [f"{path.relative_to(ROOT)}: {what}: {name}" for what, p in IN_TEST_NAMES.items() if p.search(name)]
    assert bad == []


def test_pages_are_plain_english() -> None:
    """All pages but the one on style, whose chapter on English shows bad examples."""
    pages = sorted(ROOT.glob("*.md")) + found("*.md")
    lines = (
        Text(f"{page.relative_to(ROOT)}:{n}", line.strip(" -*|"))
        for page in pages
        for n, line in enumerate(page.read_text("utf-8").partition("\n## English\n")[0].splitlines(), 1)
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
        "The set is compressed anew.",
        "The newest, if there is one; else the oldest.",
        "Refuses a text that is no version.",
        "The checkpoint tells of all logs.",
        "So many records fit.",
        "Of the last unit.",
        "Record sets are not looked into.",
        "The file is no segment.",
        "What is known of producers.",
        "Each change is told once.",
        "The units, one behind the other.",
        "Three bytes behind the last record.",
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
        "Nothing else. Something else; nowhere else.",
        "What is no longer served.",
        "There is no segment; it is no part of the log.",
        "Of the two libraries, the faster one.",
        "`fakekafka check DIR?` is a pattern of the shell.",
    ],
)
def test_plain_sentences_pass(words: str) -> None:
    assert list(faults(Text("here", words))) == []
