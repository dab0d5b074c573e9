"""Words that decide what a broker does are matched exhaustively, so that mypy finds a forgotten word."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

import pytest

EMULATOR: Final = Path(__file__).parent.parent / "emulator" / "fakekafka"
MEMBER: Final = re.compile(r"[A-Z][a-z]\w*\.[A-Z][A-Z\d_]*")
"""A member of an enum, as it is written."""
FEW: Final = 2
"""A choice between this many words may be an `if`."""

BEHAVIOURS: Final = "releases/behaviours/"

Vocabularies: TypeAlias = dict[str, set[frozenset[str]]]
Areas: TypeAlias = dict[str, dict[str, frozenset[str]]]
"""Words by area and field."""
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def trees() -> dict[str, ast.Module]:
    return {
        path.relative_to(EMULATOR).as_posix(): ast.parse(path.read_text("utf-8")) for path in EMULATOR.rglob("*.py")
    }


def words_of(node: ast.AST | None) -> set[str]:
    """The words of a `Literal[...]`, wherever it stands in an annotation."""
    return {
        word
        for part in (ast.walk(node) if node else ())
        if isinstance(part, ast.Subscript) and ast.unparse(part.value) == "Literal"
        for word in words_in(part.slice)
    }


def words_in(node: ast.AST) -> Iterator[str]:
    """The strings in an expression, and the members of enums, as they are written."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value
        elif isinstance(part, ast.Attribute) and MEMBER.fullmatch(ast.unparse(part)):
            yield ast.unparse(part)


def vocabularies(modules: dict[str, ast.Module]) -> Vocabularies:
    """The words that a field or parameter may have, if there are many, by its name. Aliases of types are followed.

    Fields of one name in several classes each have a vocabulary.
    """
    named = aliases(modules)
    found: Vocabularies = defaultdict(set)
    for tree in modules.values():
        for node in ast.walk(tree):
            if isinstance(node, (ast.AnnAssign, ast.arg)) and node.annotation is not None:
                name = node.arg if isinstance(node, ast.arg) else ast.unparse(node.target)
                words = words_of(node.annotation) | named.get(ast.unparse(node.annotation), set())
                if len(words) > FEW:
                    found[name.removeprefix("self.").lstrip("_")].add(frozenset(words))
    return found


def name_of(node: ast.expr) -> str:
    """The name of a field or variable; that of a private attribute without its underscore, as its parameter is
    named.
    """
    return (node.attr if isinstance(node, ast.Attribute) else ast.unparse(node)).lstrip("_")


def within(part: Function | ast.match_case) -> Iterator[ast.AST]:
    """The nodes of a function or of one case, without those of inner cases, which are alternatives."""
    nodes: list[ast.AST] = [part]
    while nodes:
        node = nodes.pop()
        yield node
        nodes += (child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.match_case))


def assignments(function: Function) -> Iterator[tuple[str, ast.expr]]:
    """The names that a function assigns, one or several at a time, and what it assigns to them."""
    for node in ast.walk(function):
        if isinstance(node, ast.NamedExpr):
            yield node.target.id, node.value
        elif isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                yield from zip(map(ast.unparse, target.elts), value.elts, strict=False)
            else:
                yield ast.unparse(target), value


def compared(
    function: Function, part: Function | ast.match_case, *, through_cases: bool = False
) -> Iterator[tuple[ast.expr, frozenset[str]]]:
    """What a part of a function compares with words, and which words. Names stand for what was assigned to them.

    `through_cases`: also in the cases inside that part.
    """
    assigned = {name: value for name, value in assignments(function) if isinstance(value, ast.Attribute)}
    for node in ast.walk(part) if through_cases else within(part):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and (words := frozenset(words_in(node.comparators[0]))):
            yield assigned.get(ast.unparse(node.left), node.left), words


def chains(tree: ast.Module, known: Vocabularies) -> Iterator[str]:
    """Functions that compare one value with several of its words, one after the other."""
    for function in ast.walk(tree):
        if not isinstance(function, Function):
            continue
        for part in (function, *(node for node in ast.walk(function) if isinstance(node, ast.match_case))):
            asked: dict[str, set[frozenset[str]]] = defaultdict(set)
            names: dict[str, str] = {}
            for value, words in compared(function, part):
                asked[ast.unparse(value)].add(words)
                names[ast.unparse(value)] = name_of(value)
            for text, sets in asked.items():
                together = frozenset().union(*sets)
                if len(sets) > 1 and any(together <= words for words in known.get(names[text], ())):
                    yield f"{function.name} ({function.lineno}): {text}"


def areas_of_behaviours(modules: dict[str, ast.Module]) -> Areas:
    """The fields of each area of dated behaviours that have many words, with their words."""
    named = aliases(modules)
    found: Areas = defaultdict(dict)
    for path, tree in modules.items():
        for node in ast.walk(tree) if path.startswith(BEHAVIOURS) else ():
            if isinstance(node, ast.AnnAssign):
                words = words_of(node.annotation) | named.get(ast.unparse(node.annotation), set())
                if len(words) > FEW:
                    found[Path(path).stem][ast.unparse(node.target)] = frozenset(words)
    return found


def meant(value: ast.expr, areas: Areas) -> Iterator[frozenset[str]]:
    """The words of the fields that an expression may mean: `profile.log.strays` is in `log`, `rules.strays` in any."""
    named = name_of(value.value) if isinstance(value, ast.Attribute) else ""
    for area in [named] if named in areas else areas:
        if name_of(value) in areas[area]:
            yield areas[area][name_of(value)]


def single_questions(tree: ast.Module, areas: Areas) -> set[str]:
    """Comparisons of a behaviour with some of its words: a new word would silently count as one of the others."""
    return {
        f"{function.name} ({value.lineno}): {ast.unparse(value)} and {sorted(words)}"
        for function in ast.walk(tree)
        if isinstance(function, Function)
        for value, words in compared(function, function, through_cases=True)
        if any(words <= all_words for all_words in meant(value, areas))
    }


def open_matches(tree: ast.Module) -> Iterator[int]:
    """Lines of `match` statements that a new word would pass through unnoticed."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Match) and any(words_matched(case.pattern) for case in node.cases):
            last = node.cases[-1]
            name = last.pattern.name if isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None else None
            closes = "assert_never(" in ast.unparse(last.body[0])
            looks_up = name is not None and f"FORMATS[{name}]" in ast.unparse(last)
            if not closes and not looks_up:
                yield node.lineno


def words_matched(pattern: ast.pattern) -> bool:
    """Whether the pattern has words; single characters do not count."""
    values = (part.value for part in ast.walk(pattern) if isinstance(part, ast.MatchValue))
    return any(isinstance(v, ast.Constant) and isinstance(v.value, str) and len(v.value) > 1 for v in values)


def aliases(modules: dict[str, ast.Module]) -> dict[str, set[str]]:
    """The words of each named type."""
    return {
        ast.unparse(node.target): words_of(node.value)
        for tree in modules.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias"
    }


def behaviour_words(modules: dict[str, ast.Module]) -> Iterator[tuple[str, set[str]]]:
    """The fields of behaviours that are words, each with all of its possible words."""
    named = aliases(modules)
    for path, tree in modules.items():
        if path.startswith(BEHAVIOURS):
            for node in ast.walk(tree):
                if isinstance(node, ast.AnnAssign) and not ast.unparse(node.target).isupper():
                    words = words_of(node.annotation) | named.get(ast.unparse(node.annotation), set())
                    if words:
                        yield f"{path}: {ast.unparse(node.target)}", words


def words_closed(modules: dict[str, ast.Module]) -> set[frozenset[str]]:
    """The words of each match that ends with `assert_never`."""
    return {
        frozenset(
            word
            for case in node.cases
            for part in ast.walk(case.pattern)
            if isinstance(part, ast.MatchValue)
            for word in words_in(part.value)
        )
        for tree in modules.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Match) and "assert_never(" in ast.unparse(node.cases[-1].body[0])
    }


def matched_nowhere(modules: dict[str, ast.Module]) -> list[str]:
    """Behaviours of several words that no match knows entirely: a new word would pass through the code unnoticed."""
    closed = words_closed(modules)
    every = behaviour_words(modules)
    return [field for field, words in every if len(words) > FEW and not any(words <= known for known in closed)]


def words_told_apart(modules: dict[str, ast.Module]) -> set[str]:
    """Words that code compares with, matches, looks up, or passes on. In the behaviours only `match` counts, by which
    their properties tell words apart: calls and tables are histories.
    """
    asked: list[ast.expr | None] = []
    for path, tree in modules.items():
        for node in ast.walk(tree):
            if path.startswith(BEHAVIOURS) and not isinstance(node, ast.MatchValue):
                continue
            if isinstance(node, ast.Compare):
                asked += node.comparators
            elif isinstance(node, ast.Call):
                asked += node.args
            elif isinstance(node, ast.Dict):
                asked += node.keys
            elif isinstance(node, ast.MatchValue):
                asked.append(node.value)
    return {word for each in asked if each is not None for word in words_in(each)}


def test_code_distinguishes_every_word_of_a_behaviour() -> None:
    """One word may be missing, as it stands for the rest. A new word that no code knows is found here."""
    modules = trees()
    known = words_told_apart(modules)
    found = {field: unknown for field, words in behaviour_words(modules) if len(unknown := words - known) > 1}
    assert found == {}


def test_mypy_finds_a_new_word_of_every_behaviour_of_several_words() -> None:
    """Somewhere its words are matched, up to `assert_never`."""
    assert matched_nowhere(trees()) == []


def test_a_behaviour_that_is_only_compared_is_found() -> None:
    rules = ast.parse("How: TypeAlias = Literal['a', 'b', 'c']\nclass Rules:\n    how: How")
    compares = ast.parse("def f(rules):\n    return rules.how == 'a'")
    matches = ast.parse("match how:\n    case 'a' | 'b': pass\n    case 'c': pass\n    case rest: assert_never(rest)")
    modules = {"releases/behaviours/rules.py": rules}
    assert matched_nowhere(modules | {"use.py": compares}) == ["releases/behaviours/rules.py: how"]
    assert matched_nowhere(modules | {"use.py": matches}) == []


def test_a_choice_between_several_words_is_a_match() -> None:
    modules = trees()
    known = vocabularies(modules)
    assert {path: found for path, tree in modules.items() if (found := list(chains(tree, known)))} == {}


def test_no_question_is_about_one_word_of_a_behaviour_that_has_many() -> None:
    """Code asks a property of the behaviour that says the fact, or matches. Either is exhaustive."""
    modules = trees()
    areas = areas_of_behaviours(modules)
    assert {path: found for path, tree in modules.items() if (found := single_questions(tree, areas))} == {}


def test_each_match_over_words_is_exhaustive() -> None:
    """A match ends with `assert_never`, or looks the rest up in a table whose type has exactly these keys."""
    found = {path: lines for path, tree in trees().items() if (lines := list(open_matches(tree)))}
    assert found == {}


SOURCE = """
How: TypeAlias = Literal["a", "b", "c"]
class Rules:
    how: How
    which: Literal["x", "y", "z"]
    small: Literal["on", "off"]
"""


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ("if rules.how == 'a': return 1\n    return 2 if rules.how == 'b' else 3", True),
        ("how = rules.which\n    return 1 if how == 'x' else 2 if how != 'y' else 3", True),
        ("return rules.how in ('a', 'b') and rules.how != 'a'", True),
        ("return rules.how == 'a' or rules.which == 'x'", False),
        ("return self._which == 'x' or self._which == 'y'", True),
        ("return rules.small == 'on' or rules.small != 'off'", False),
        ("return name == 'x' or name == 'y'", False),
    ],
)
def test_chains_are_found(body: str, is_found: bool) -> None:
    known = vocabularies({"rules.py": ast.parse(SOURCE)})
    assert bool(list(chains(ast.parse(f"def decide(rules, name):\n    {body}"), known))) is is_found


@pytest.mark.parametrize(
    ("last", "is_open"),
    [("case _: assert_never(how)", False), ("case 'cc': pass", True), ("case _: pass", True)],
)
def test_open_matches_are_found(last: str, is_open: bool) -> None:
    assert bool(list(open_matches(ast.parse(f"match how:\n    case 'aa': pass\n    {last}")))) is is_open


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ("return rules.how == 'a'", True),
        ("return 1 if profile.one.how in ('a', 'b') else 2", True),
        ("how = profile.one.how\n    return how != 'a'", True),
        ("match rules.small:\n        case 'on': return rules.how == 'a'", True),
        ("it, how = 1, self._rules.how\n    return how != 'a'", True),
        ("return how == 'a'", True),
        ("return rules.kind is Kind.FIRST", True),
        ("return rules.how == 'z'", False),
        ("return rules.small == 'on'", False),
        ("return profile.other.how == 'a'", False),
        ("return rules.code is ErrorCode.NONE", False),
    ],
)
def test_single_questions_are_found(body: str, is_found: bool) -> None:
    more = "    kind: Literal[Kind.FIRST, Kind.SECOND, Kind.THIRD]\n    code: ErrorCode\n"
    other = 'class Other:\n    how: Literal["a", "b"]\n    odd: Literal["c", "d", "e"]\n'
    sources = {f"{BEHAVIOURS}one.py": SOURCE + more, f"{BEHAVIOURS}other.py": other}
    areas = areas_of_behaviours({path: ast.parse(text) for path, text in sources.items()})
    assert bool(single_questions(ast.parse(f"def decide(rules, how):\n    {body}"), areas)) is is_found
