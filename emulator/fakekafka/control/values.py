"""Python values as JSON and back, by the type hints of a function: one set of rules for server, client and schemas.

    bytes            a string if they are UTF-8, otherwise {"base64": "..."}; as input, also {"json": any value}
    named tuples     objects with their fields; so are dataclasses
    enums            the name of the member
    (topic, 3)       as a key: "topic-3", as Kafka writes a partition
    paths            strings

`schema` describes these forms as JSON Schema, so that the OpenAPI document says what is read and written.
"""

import binascii
import json
import sys
from base64 import b64decode, b64encode
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeAlias, Union, get_args, get_origin

from fakekafka.control.named_types import hints_of
from fakekafka.errors import UsageError
from fakekafka.releases.release import Release

Json: TypeAlias = Any
"""What `json.loads` gives."""
Schema: TypeAlias = dict[str, Any]

LARGEST: Final = sys.float_info.max
PLAIN: Final[Mapping[type, Schema]] = {
    bool: {"type": "boolean"},
    int: {"type": "integer", "minimum": -(1 << 63), "maximum": (1 << 63) - 1},
    float: {"type": "number"},
    str: {"type": "string"},
}
BYTES: Final = "Bytes"
SHAPES: Final[Mapping[str, Schema]] = {
    BYTES: {
        "description": "Bytes: a string stands for its UTF-8, an object for what is not text.",
        "oneOf": [
            {"type": "string"},
            {"type": "object", "properties": {"base64": {"type": "string"}}, "required": ["base64"]},
            {"type": "object", "properties": {"json": {}}, "required": ["json"]},
        ],
    }
}
"""Schemas that have names, besides those of named tuples."""
AS_TEXT: Final = (Path, Release)
"""Types that are written as their `str`."""
LISTS: Final = (list, Sequence, Collection, tuple, set, frozenset)


# ---- writing


def written(value: object) -> Json:
    """A value as JSON. Raises `TypeError` for a value that has no form in JSON."""
    if isinstance(value, Enum):
        return value.name
    if value is None or isinstance(value, (bool, str, float)):
        return value
    if isinstance(value, AS_TEXT):
        return str(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _written_bytes(bytes(value))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: written(getattr(value, name)) for name in value._fields}
    if is_dataclass(value):
        return {each.name: written(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {_written_key(key): written(each) for key, each in value.items()}
    if isinstance(value, Collection):
        return [written(each) for each in value]
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _written_bytes(data: bytes) -> Json:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": b64encode(data).decode("ascii")}


def _written_key(key: object) -> str:
    return "-".join(map(str, key)) if isinstance(key, tuple) else str(key)


# ---- reading


def read(hint: Any, value: Json, name: str) -> Any:
    """The value of a type that JSON stands for. `name`: what it is called in a `UsageError`."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any or hint is object:
        return value
    if origin in (Union, UnionType):
        return _read_union(arguments, value, name)
    if origin is Literal:
        return _expected(value in arguments, value, name, " or ".join(map(repr, arguments)))
    if hint is NoneType:
        return _expected(value is None, value, name, "null")
    if hint is bytes:
        return _read_bytes(value, name)
    if hint in (int, float) and isinstance(value, (int, float)) and not isinstance(value, bool):
        return _read_number(hint, value, name)
    if hint in PLAIN:
        right = isinstance(value, hint) and (hint is bool or not isinstance(value, bool))
        return _expected(right, value, name, f"a JSON {PLAIN[hint]['type']}")
    return _read_compound(hint, origin, arguments, value, name)


def _read_number(hint: type, value: float, name: str) -> float:
    if hint is int:
        right = isinstance(value, int) and -(1 << 63) <= value < 1 << 63
        return int(_expected(right, value, name, "a JSON integer of 64 bits"))
    return float(_expected(abs(value) <= LARGEST, value, name, "a finite number"))


def _read_compound(hint: Any, origin: Any, arguments: tuple[Any, ...], value: Json, name: str) -> Any:
    kind = origin or hint
    if isinstance(kind, type) and issubclass(kind, Enum):
        _expected(isinstance(value, str) and value in kind.__members__, value, name, ", ".join(kind.__members__))
        return kind[value]
    if kind in AS_TEXT:
        text = read(str, value, name)
        return Path(text) if kind is Path else Release.parse(text)
    if is_record(kind):
        _expected(isinstance(value, dict), value, name, "a JSON object")
        return _read_record(kind, value, name)
    if isinstance(kind, type) and issubclass(kind, Mapping):
        _expected(isinstance(value, dict), value, name, "a JSON object")
        key, each = arguments or (str, Any)
        return {_read_key(key, k, name): read(each, v, f"{name}[{k!r}]") for k, v in value.items()}
    if kind in LISTS:
        _expected(isinstance(value, list), value, name, "a JSON array")
        return _read_list(kind, arguments, value, name)
    raise TypeError(f"{name}: {hint} has no form in JSON")


def _read_list(kind: Any, arguments: tuple[Any, ...], value: list[Json], name: str) -> Any:
    if kind is tuple and arguments and arguments[-1] is not Ellipsis:
        _expected(len(value) == len(arguments), value, name, f"{len(arguments)} elements")
        return tuple(read(hint, each, f"{name}[{n}]") for n, (hint, each) in enumerate(zip(arguments, value)))
    items = [read(arguments[0] if arguments else Any, each, f"{name}[{n}]") for n, each in enumerate(value)]
    return items if kind not in (tuple, set, frozenset) else kind(items)


def _read_union(hints: tuple[Any, ...], value: Json, name: str) -> Any:
    if value is None and NoneType in hints:
        return None
    problems = []
    for hint in hints:
        if hint is not NoneType:
            try:
                return read(hint, value, name)
            except UsageError as e:
                problems.append(str(e))
    raise UsageError(problems[0])


def _read_record(kind: Any, value: dict[str, Json], name: str) -> Any:
    hints = hints_of(kind)
    if unknown := value.keys() - hints.keys():
        raise UsageError(f"{name}: no field {', '.join(sorted(unknown))}; there are {', '.join(hints)}")
    try:
        return kind(**{key: read(hints[key], each, f"{name}.{key}") for key, each in value.items()})
    except TypeError as e:
        raise UsageError(f"{name}: {e}") from None


def _read_bytes(value: Json, name: str) -> bytes:
    if isinstance(value, str):
        return value.encode("utf-8")
    if isinstance(value, dict) and value.keys() == {"json"}:
        return json.dumps(value["json"], ensure_ascii=False).encode("utf-8")
    wanted = 'a string, {"base64": "..."} or {"json": ...}'
    _expected(isinstance(value, dict) and value.keys() == {"base64"}, value, name, wanted)
    try:
        return b64decode(value["base64"], validate=True)
    except (TypeError, ValueError, binascii.Error):
        raise UsageError(f"{name}: {value['base64']!r} is not base64") from None


def _read_key(hint: Any, key: str, name: str) -> Any:
    if get_origin(hint) is tuple:
        topic, _, partition = key.rpartition("-")
        return topic, _number(partition, f"{name}[{key!r}]")
    return _number(key, name) if hint is int else key


def _number(text: str, name: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UsageError(f"{name}: {text!r} is not a number") from None


def read_text(hint: Any, text: str, name: str) -> Any:
    """The value of a type that a word stands for, in a path, a query or a command line: text if the type is text,
    otherwise JSON. An object for bytes is JSON, too.
    """
    options = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    if any(each in (str, *AS_TEXT) for each in options) or (bytes in options and not text.startswith("{")):
        return read(hint, text, name)
    try:
        return read(hint, json.loads(text), name)
    except (ValueError, RecursionError) as e:  # a UsageError is a ValueError
        if any(_is_of_words(each) for each in options):
            return read(hint, text, name)
        raise e if isinstance(e, UsageError) else UsageError(f"{name}: {text!r} is not JSON") from None


def word(value: object) -> str:
    """A value as a word that `read_text` reads."""
    plain = written(value)
    return plain if isinstance(plain, str) else json.dumps(plain)


def _is_of_words(hint: Any) -> bool:
    return get_origin(hint) is Literal or (isinstance(hint, type) and issubclass(hint, Enum))


def _expected(right: bool, value: Any, name: str, wanted: str) -> Any:
    if not right:
        shown = json.dumps(value, default=str)
        raise UsageError(f"{name}: {wanted} is wanted, not {shown if len(shown) < 100 else shown[:100] + '...'}")
    return value


# ---- describing


def is_record(kind: Any) -> bool:
    """Whether values of a type are objects with named fields."""
    return isinstance(kind, type) and (hasattr(kind, "_fields") or is_dataclass(kind))


class Schemas:
    """JSON schemas of types; records are kept once, under their names."""

    def __init__(self) -> None:
        self.named: dict[str, Schema] = {}

    def of(self, hint: Any) -> Schema:
        """The schema of a type."""
        origin, arguments = get_origin(hint), get_args(hint)
        if hint is Any or hint is object:
            return {}
        if origin in (Union, UnionType):
            schemas = [self.of(each) for each in arguments if each is not NoneType]
            return {"anyOf": [*schemas, {"type": "null"}]} if NoneType in arguments else {"anyOf": schemas}
        if origin is Literal:
            return {"enum": list(arguments)}
        if hint is NoneType:
            return {"type": "null"}
        if hint in PLAIN:
            return dict(PLAIN[hint])
        if hint is bytes:
            return self._named(BYTES, SHAPES[BYTES])
        return self._of_compound(origin or hint, arguments)

    def _of_compound(self, kind: Any, arguments: tuple[Any, ...]) -> Schema:
        if kind in AS_TEXT:
            return {"type": "string"}
        if isinstance(kind, type) and issubclass(kind, Enum):
            return {"type": "string", "enum": list(kind.__members__)}
        if is_record(kind):
            return self._of_record(kind)
        if isinstance(kind, type) and issubclass(kind, Mapping):
            return {"type": "object", "additionalProperties": self.of(arguments[1]) if arguments else {}}
        if kind in LISTS:
            return {"type": "array", "items": self._of_elements(kind, arguments)}
        raise TypeError(f"{kind} has no form in JSON")

    def _of_elements(self, kind: Any, arguments: tuple[Any, ...]) -> Schema:
        if kind is tuple and arguments and arguments[-1] is not Ellipsis:
            return {"anyOf": [self.of(each) for each in arguments]}
        return self.of(arguments[0]) if arguments else {}

    def _of_record(self, kind: Any) -> Schema:
        if kind.__name__ not in self.named:
            self._named(kind.__name__, {})  # a record may contain its own type
            hints = hints_of(kind)
            properties = {name: self.of(hint) for name, hint in hints.items()}
            optional = getattr(kind, "_field_defaults", {})
            schema: Schema = {"type": "object", "properties": properties}
            schema["required"] = [name for name in hints if name not in optional]
            schema["description"] = (kind.__doc__ or kind.__name__).split("\n\n")[0].strip()
            self.named[kind.__name__] = schema
        return self._reference(kind.__name__)

    def _named(self, name: str, schema: Schema) -> Schema:
        self.named[name] = schema
        return self._reference(name)

    @staticmethod
    def _reference(name: str) -> Schema:
        return {"$ref": f"#/components/schemas/{name}"}
