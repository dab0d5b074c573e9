"""The examples of `docs/examples`, for the reference to show and for the tests to run."""

import ast
import importlib
import inspect
import textwrap
from collections.abc import Callable
from functools import cache
from types import ModuleType


@cache
def examples(module: str) -> dict[str, Callable[..., None]]:
    """The examples of a module, by what they show."""
    loaded = _module(module)
    return {name: each for name, each in vars(loaded).items() if inspect.isfunction(each) and _is_of(each, loaded)}


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"docs.examples.{name}")


def _is_of(function: Callable[..., None], module: ModuleType) -> bool:
    return function.__module__ == module.__name__


def shown(module: str, name: str) -> str:
    """An example as Markdown: the imports that it needs, and what it does. Empty if there is no such example."""
    example = examples(module).get(name)
    if example is None:
        return ""
    text = inspect.getsource(example)
    _, _, body = text.partition("\n")
    body = textwrap.dedent(body).strip()
    imports = _imports(module, body)
    return "```python\n" + (f"{imports}\n\n" if imports else "") + body + "\n```\n"


def _imports(module: str, body: str) -> str:
    """The imports at the top of the module that `body` needs."""
    names = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    lines = []
    for node in ast.parse(inspect.getsource(_module(module))).body:
        if isinstance(node, ast.ImportFrom):
            used = [alias.name for alias in node.names if alias.name in names]
            if used:
                lines.append(f"from {node.module} import {', '.join(used)}")
        elif isinstance(node, ast.Import):
            lines += [f"import {alias.name}" for alias in node.names if alias.name in names]
    return "\n".join(lines)
