"""An operation: an HTTP method and path that lead to a method of `FakeKafka`, or to a function of this room.

Everything else is read off the function: its parameters with types and defaults, its result, and its docstring. So
an operation is added in one place (`table.py`), and the API, its description, `RemoteKafka` and `fakekafka ctl` have
it.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar, Final, NamedTuple, TypeGuard

from fakekafka.control.named_types import hints_of
from fakekafka.control.values import Json, read, read_text
from fakekafka.errors import UsageError

IN_QUERY: Final = frozenset({"GET", "DELETE"})
"""Methods whose arguments are in the query, since they have no body."""
PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")


class File(bytes):
    """A body that is a file instead of JSON."""

    CONTENT_TYPE: ClassVar[str]


class Archive(File):
    """A zip file."""

    CONTENT_TYPE = "application/zip"


class Capture(File):
    """A packet capture."""

    CONTENT_TYPE = "application/vnd.tcpdump.pcap"


class JsonLines(File):
    """A JSON value in each line."""

    CONTENT_TYPE = "application/jsonl"


def is_file(hint: Any) -> TypeGuard[type[File]]:
    """Whether values of a type are files."""
    return isinstance(hint, type) and issubclass(hint, File)


class Parameter(NamedTuple):
    """One argument of an operation."""

    name: str
    hint: Any
    default: Any
    """`inspect.Parameter.empty`: the argument must be given."""

    @property
    def is_required(self) -> bool:
        return self.default is inspect.Parameter.empty


class Operation(NamedTuple):
    """One operation."""

    method: str
    path: str
    """The path, with the names of arguments in braces: "/topics/{name}"."""
    function: Callable[..., Any]
    subject: str
    """What the operation is about: a heading of the description."""
    waits: bool = False
    """Whether the operation may take as long as its argument `timeout` says."""
    body: str = ""
    """The argument that is the whole body; "": each is a field of it."""

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def described(self) -> "Described":
        return described(self.function)

    @property
    def needs_desk(self) -> bool:
        """Whether the function takes the desk, and not the `FakeKafka` itself."""
        return self.described.needs_desk

    @property
    def in_path(self) -> list[str]:
        """The arguments in the path."""
        return PLACEHOLDER.findall(self.path)

    @property
    def others(self) -> list[Parameter]:
        """The arguments in the query, or in the body."""
        return [each for each in self.described.parameters.values() if each.name not in self.in_path]

    @property
    def sends_archive(self) -> bool:
        return bool(self.body) and self.described.parameters[self.body].hint is Archive

    def matched(self, path: str) -> "dict[str, str] | None":
        """The arguments in a path, or None if the path is another operation's. They are still encoded."""
        match = _pattern(self.path).fullmatch(path)
        return None if match is None else match.groupdict()

    def arguments(self, words: Mapping[str, str], fields: Json) -> dict[str, Any]:
        """The arguments as the function takes them, from words of path and query, and a body that was decoded.

        Raises `UsageError` that names what is wrong.
        """
        if self.body:
            fields = {self.body: fields}
        if not isinstance(fields, dict):
            raise UsageError("the body has to be a JSON object")
        parameters = self.described.parameters
        if unknown := [name for name in (*words, *fields) if name not in parameters]:
            raise UsageError(
                f"{self.name} takes no {', '.join(unknown)}: it takes {', '.join(parameters) or 'nothing'}"
            )
        values = {name: read_text(parameters[name].hint, text, name) for name, text in words.items()}
        for name, value in fields.items():
            values[name] = value if parameters[name].hint is Archive else read(parameters[name].hint, value, name)
        if missing := [each.name for each in parameters.values() if each.is_required and each.name not in values]:
            raise UsageError(f"{self.name} needs {', '.join(missing)}")
        return values


class Described(NamedTuple):
    """What is read off a function."""

    parameters: dict[str, Parameter]
    result: Any
    needs_desk: bool
    text: str


@cache
def described(function: Callable[..., Any]) -> Described:
    """The parameters, the result and the docstring of a function."""
    hints = hints_of(function)
    first, *others = inspect.signature(function).parameters.values()
    parameters = {each.name: Parameter(each.name, hints[each.name], each.default) for each in others}
    return Described(parameters, hints["return"], first.name in hints, inspect.getdoc(function) or "")


@cache
def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(PLACEHOLDER.sub(r"(?P<\1>[^/]+)", path))
