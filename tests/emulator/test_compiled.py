"""The compiled core: all of it or none of it. The lane `compiled` of tox runs the tests on it."""

import ast
import os
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import fakekafka
import pytest
from fakekafka.compiled import is_compiled

HOOK: Final = Path(__file__).parents[2] / "compiled_core.py"
SOURCES: Final = Path(fakekafka.__file__).parent


def listed() -> dict[str, str]:
    """The modules that the build hook compiles, with the reasons. The source is read: the hook runs only in a build."""
    for node in ast.parse(HOOK.read_text("utf-8")).body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "COMPILED" and node.value is not None:
            modules: dict[str, str] = ast.literal_eval(node.value)
            return modules
    raise AssertionError("the hook has no list")


def test_the_core_is_compiled_where_that_is_asked_for() -> None:
    assert is_compiled() == (os.environ.get("FAKEKAFKA_COMPILE") == "1")


@pytest.mark.parametrize("name", listed())
def test_the_core_is_compiled_whole_or_not_at_all(name: str) -> None:
    spec = find_spec("fakekafka." + name.removesuffix(".py").replace("/", "."))
    assert spec is not None
    assert (spec.origin or "").endswith(tuple(EXTENSION_SUFFIXES) if is_compiled() else ".py")


def test_every_module_of_the_core_has_a_reason() -> None:
    assert all(listed().values())


@pytest.mark.parametrize("name", listed())
def test_no_class_of_the_core_extends_a_named_tuple(name: str) -> None:
    """NamedTuple as a base is a definition. A class that extends what was so defined cannot be compiled."""
    classes = [
        node for node in ast.walk(ast.parse((SOURCES / name).read_text("utf-8"))) if isinstance(node, ast.ClassDef)
    ]
    tuples = {one.name for one in classes if "NamedTuple" in map(ast.unparse, one.bases)}
    assert [one.name for one in classes if tuples & set(map(ast.unparse, one.bases))] == []
