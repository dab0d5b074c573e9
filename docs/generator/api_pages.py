"""The Python API: public names by their docstrings, which mkdocstrings reads, and by examples from `docs/examples`."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Final

import fakekafka
from fakekafka import FakeKafka
from fakekafka.faults.faults import Faults
from fakekafka.faults.interception import Held
from fakekafka.faults.rule import Rule
from fakekafka.remote import RemoteKafka
from fakekafka.settings.options import Options

from docs.generator.examples import examples, shown
from docs.generator.tables import table

MEMBERS: Final = {
    "Clock": "clock", "ManualClock": "clock", "SystemClock": "clock", "Requests": "requests", "Step": "steps",
}  # fmt: skip
"""Public classes, apart from `FakeKafka`, whose members have an example each, with the module of the examples."""
BY_HAND: Final = {Rule: "rule", Held: "held"}
"""Classes of what `kafka.faults` returns: only those of their members that have an example are for tests."""


def homes() -> dict[str, str]:
    """The public names, and where each is defined."""
    return {name: f"fakekafka.{home}.{name}" for name, home in sorted(fakekafka._HOME.items())}


def pages() -> dict[str, str]:
    return {
        "reference/fakekafka.md": _page(
            "FakeKafka",
            "The handle: starts, shows, steers and stops. In the examples, `kafka` is a started broker with the topic"
            ' "orders" of two partitions, `cluster` has three brokers and one partition, `folder` is an empty'
            " directory."
            "\n\nWhatever inspects a cluster raises `UsageError` while it is not running.",
            _handle(),
        ),
        "reference/options.md": _page(
            "Arguments of FakeKafka",
            "For `FakeKafka(...)`, for the marker `@pytest.mark.fake_kafka(...)` and for the fixture"
            " `fake_kafka_factory`. All but the release are given by name; impossible ones are a `UsageError`.",
            (_member(Options, name, "options") for name in Options._fields),
        ),
        "reference/faults.md": _page("kafka.faults", "Rules that make Kafka fail.", _faults()),
        "reference/names.md": _page(
            "Other public names",
            "`from fakekafka import ...`; nothing else is public.",
            (_public(name, home) for name, home in homes().items() if name != "FakeKafka"),
        ),
        "reference/remote.md": _remote(),
    }


def members_of(cls: type) -> list[str]:
    """The public members that a class, or a base class of ours, defines; and what its constructor documents."""
    ours = [each for each in cls.__mro__ if each.__module__.startswith("fakekafka")]
    names = {name for each in ours for name in (*vars(each), *_set_by_constructor(each))}
    return sorted(name for name in names if not name.startswith("_"))


def _set_by_constructor(cls: type) -> Iterator[str]:
    """The attributes that the constructor sets and documents."""
    if "__init__" not in vars(cls):
        return
    [function] = ast.parse(textwrap.dedent(inspect.getsource(cls.__init__))).body  # type: ignore[misc]
    assert isinstance(function, ast.FunctionDef)
    for statement, after in zip(function.body, function.body[1:]):
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            yield from (target.attr for target in targets if isinstance(target, ast.Attribute))


def example_name(name: str) -> str:
    """The name of the example of a public name: `stored_record` for `StoredRecord`."""
    return name.lower() if name.isupper() else re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def section_module(section: type) -> str:
    """The module with the examples of a section of the handle."""
    return "life" if section is FakeKafka else section.__module__.rpartition(".")[2]


def _handle() -> Iterator[str]:
    yield _class(FakeKafka) + shown("names", "fake_kafka")
    for section in (FakeKafka, *FakeKafka.__bases__):
        title = "Its life, and what it is" if section is FakeKafka else inspect.getdoc(section).partition(".")[0]  # type: ignore[union-attr]
        yield f"## {title}\n"
        for name in members_of(section) if section is not FakeKafka else _own_members(FakeKafka):
            yield _member(section, name, section_module(section))


def _own_members(cls: type) -> list[str]:
    return sorted(name for name in vars(cls) if not name.startswith("_"))


def _faults() -> Iterator[str]:
    yield _class(Faults)
    for name in members_of(Faults):
        if name != "book":
            yield _member(Faults, name, "faults")
    for cls, module in BY_HAND.items():
        yield _class(cls)
        yield from (_member(cls, name, module) for name in examples(module))


def _public(name: str, home: str) -> str:
    example = shown("names", example_name(name))
    if name not in MEMBERS:
        return f"::: {home}\n\n{example}"
    cls = getattr(fakekafka, name)
    members = (_member(cls, member, MEMBERS[name]) for member in members_of(cls))
    return "\n".join((_class(cls) + example, *members))


def _class(cls: type) -> str:
    return f"::: {_path(cls)}\n    options:\n      members: false\n      inherited_members: false\n\n"


def _member(cls: type, name: str, module: str) -> str:
    return f"::: {_path(cls)}.{name}\n    options:\n      heading_level: 3\n\n{shown(module, name)}"


def _path(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _remote() -> str:
    """The section on `RemoteKafka`: what it shares with `FakeKafka`, and what it lacks."""
    here, there = set(members_of(FakeKafka)), set(members_of(RemoteKafka))
    rows = [
        (f"[`{name}`](fakekafka.md#{_path(_definer(name))}.{name})", _first_sentence(name)) for name in sorted(there)
    ]
    missing = ", ".join(f"`{name}`" for name in sorted(here - there))
    return f"""# RemoteKafka

`from fakekafka.remote import RemoteKafka`: a cluster behind the [control API](../control.md), commanded like one
in this process, with the same arguments, units and errors. `kafka.faults` and `kafka.clock` are those of the other
process.

```python
from fakekafka import FakeKafka
from fakekafka.control.http_server import ControlServer
from fakekafka.remote import RemoteKafka

with FakeKafka("3.9", topics={{"orders": 1}}) as served, ControlServer(served) as control:
    kafka = RemoteKafka(control.url)
    kafka.send("orders", b"two apples")
    assert kafka.wait_for_records("orders", 1)[0].value == b"two apples"
```

{table(("name", "meaning"), rows)}
It does not have {missing}: what belongs to one process stays there.
"""


def _definer(name: str) -> type:
    return next(each for each in FakeKafka.__mro__ if name in vars(each))


def _first_sentence(name: str) -> str:
    text = " ".join((inspect.getdoc(getattr(FakeKafka, name)) or "").split())
    return re.split(r"(?<=[.:]) ", text)[0]


def _page(title: str, lead: str, parts: Iterator[str]) -> str:
    return "\n".join((f"# {title}", "", lead, "", *parts))
