"""Types that a module imports for type checkers only, since their modules are loaded when first needed."""

import ast
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from sys import modules
from typing import Any, get_type_hints


def hints_of(annotated: Any) -> dict[str, Any]:
    """The type hints of a function or a class, including those that only type checkers can resolve."""
    return get_type_hints(annotated, localns=dict(_named_for_checkers(annotated.__module__)))


@cache
def _named_for_checkers(module: str) -> Mapping[str, Any]:
    """What a module imports `if TYPE_CHECKING`."""
    package, _, name = module.rpartition(".")
    source = Path(modules[package].__path__[0], f"{name}.py")  # a compiled module has its source beside it
    tree = ast.parse(source.read_text("utf-8"))
    branches = [node for node in tree.body if isinstance(node, ast.If) and _is_for_checkers(node.test)]
    imports = [node for branch in branches for node in branch.body if isinstance(node, ast.ImportFrom)]
    return {
        alias.asname or alias.name: getattr(import_module(each.module or ""), alias.name)
        for each in imports
        for alias in each.names
    }


def _is_for_checkers(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"
