"""The museum's index: a bug is loaded when it is asked for, from the file of `shelf` with its name."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

from fakekafka.bugs import shelf
from fakekafka.bugs.bug import Bug
from fakekafka.errors import UsageError


def bug(name: str) -> Bug:
    """The bug with that id, such as "KAFKA-6739". Raises `UsageError` with ids that are similar."""
    module = _modules().get(_module_name(name))
    if module is None:
        raise UsageError(f"no bug {name!r} is known here{_alike(name)}")
    return _loaded(module)


def all_bugs() -> Iterator[Bug]:
    """Every bug, ordered by part of the broker and then by id."""
    bugs = [_loaded(module) for module in _modules().values()]
    return iter(sorted(bugs, key=lambda one: (_PARTS.index(one.part), one.id)))


_PARTS = (
    "compression", "produce", "fetch", "compaction", "segments", "timestamps", "transactions", "groups", "negotiation",
)  # fmt: skip


@cache
def _modules() -> dict[str, str]:
    """The modules of `shelf` by the last part of their names."""
    (root,) = shelf.__path__
    paths = sorted(path.relative_to(root) for path in Path(root).rglob("*.py") if path.name != "__init__.py")
    return {path.stem: ".".join((shelf.__name__, *path.parent.parts, path.stem)) for path in paths}


@cache
def _loaded(module: str) -> Bug:
    module_of = import_module(module)
    known: Bug = module_of.BUG
    return replace(known, story=getattr(module_of, "story", None))


def _module_name(name: str) -> str:
    return name.lower().replace("-", "_").replace(".", "_")


def _alike(name: str) -> str:
    from difflib import get_close_matches  # imported only here: it costs more than the rest of this module

    near = get_close_matches(_module_name(name), _modules(), n=4, cutoff=0.6)
    if near:
        return f": did you mean {', '.join(_loaded(_modules()[one]).id for one in near)}?"
    return ": 'fakekafka bugs' lists them"
