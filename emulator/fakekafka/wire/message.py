"""Messages as classes: the class body is the schema.

    class FetchPartition(Struct):
        partition: int32 = field("0+")
        current_leader_epoch: int32 = field("9+", default=-1)     # in versions 9 and later

A field's annotation says how it is encoded (`int32`, `string | None`, `list[FetchPartition]`); `field()` says in which
versions of the whole message it exists. The order of the fields is their order on the wire. `codec.py` says what the
annotations mean in bytes; the README beside this file, how to add a version.

Instances are plain objects: keyword arguments set fields, the others read as their default. A field that a version
does not have is left out when encoding, whatever its value, and reads as its default after decoding.

Defaults are shared by all instances and cannot be changed: the default of a list is an empty tuple, and the default
of a struct refuses assignments. To fill such a field, assign a value of your own.
"""

from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    Self,
    TypeAlias,
    dataclass_transform,
    get_args,
    get_origin,
)

# How a value is encoded. To a type checker these are int, str, bytes …; the second part is for the codec.
int8: TypeAlias = Annotated[int, "int8"]
int16: TypeAlias = Annotated[int, "int16"]
int32: TypeAlias = Annotated[int, "int32"]
int64: TypeAlias = Annotated[int, "int64"]
uint16: TypeAlias = Annotated[int, "uint16"]
uint32: TypeAlias = Annotated[int, "uint32"]
float64: TypeAlias = Annotated[float, "float64"]
boolean: TypeAlias = Annotated[bool, "boolean"]
string: TypeAlias = Annotated[str, "string"]
binary: TypeAlias = Annotated[bytes, "binary"]
uuid: TypeAlias = Annotated[bytes, "uuid"]
Records: TypeAlias = bytes | bytearray | memoryview | list[Any]
"""Record batches, which are not parsed: one buffer, or a list of `Piece`s that follow each other on the wire."""
record_set: TypeAlias = Annotated[Records, "records"]

FixedKind: TypeAlias = Literal[
    "int8", "int16", "int32", "int64", "uint16", "uint32", "float64", "boolean", "uuid",
]  # fmt: skip
"""The kinds of fixed width."""
Kind: TypeAlias = FixedKind | Literal["string", "binary", "records", "struct"]
"""How a single value is encoded: as one of the annotations above says, or field by field."""

ZERO: dict[Kind, Any] = {
    "int8": 0, "int16": 0, "int32": 0, "int64": 0, "uint16": 0, "uint32": 0, "float64": 0.0, "boolean": False,
    "string": "", "binary": b"", "uuid": bytes(16), "records": None,
}  # fmt: skip


class Versions(NamedTuple):
    """A range of versions, both ends included. Empty when `low` > `high`."""

    low: int
    high: int

    def __contains__(self, version: object) -> bool:
        return isinstance(version, int) and self.low <= version <= self.high

    @classmethod
    def parse(cls, text: str) -> "Versions":
        """ "3", "0-4", "2+" (no upper end) or "none"."""
        if text == "none":
            return NEVER
        if text.endswith("+"):
            return cls(int(text[:-1]), ANY_HIGHER)
        low, _, high = text.partition("-")
        return cls(int(low), int(high or low))


ANY_HIGHER = 32767
NEVER = Versions(0, -1)


class FieldSpec(NamedTuple):
    """One field as its class declares it."""

    versions: Versions
    nullable: Versions
    """Where null is legal; everywhere the field exists, when the annotation says `| None` and `nullable` is not given.
    """
    tag: int | None
    tagged: Versions
    """Versions in which the field is in the tagged section instead of in its place."""
    default: Any
    fixed_length: Versions
    """Versions in which the field keeps a two-byte length although the message is flexible."""
    kind: Kind = "struct"
    """Encoding of a single value."""
    is_array: bool = False
    struct: "type[Struct] | None" = None

    def in_place(self, version: int) -> bool:
        """Whether `version` writes this field between its neighbours."""
        return version in self.versions and version not in self.tagged


class _Unset:
    pass


_UNSET = _Unset()


def field(
    versions: str,
    *,
    default: Any = _UNSET,
    nullable: str = "",
    tag: int | None = None,
    tagged: str = "",
    fixed_length: str = "none",
) -> Any:
    """A field that exists in `versions`.

    `default`: value when absent; the kind's zero if not given (null for structs that may be null). `nullable`:
    versions in which null is legal, if not all. `tag`, `tagged`: number, and versions in which it is a tagged field
    (all, if not given). `fixed_length`: flexible versions that keep the non-compact length.
    """
    return FieldSpec(
        versions=Versions.parse(versions),
        nullable=Versions.parse(nullable or "none"),
        tag=tag,
        tagged=NEVER if tag is None else Versions.parse(tagged or versions),
        default=default,
        fixed_length=Versions.parse(fixed_length),
    )


@dataclass_transform(kw_only_default=True)  # without `field` as a specifier, every argument has a default
class Struct:
    """A group of fields inside a message. Its field ranges are versions of the message."""

    FIELDS: ClassVar[dict[str, FieldSpec]] = {}

    def __init_subclass__(cls, shared_default: bool = False) -> None:
        if shared_default:  # the fields are those of the parent class
            return
        specs = [(name, spec) for name, spec in vars(cls).items() if isinstance(spec, FieldSpec)]
        # only then: from Python 3.14 on, reading its annotations for the first time adds to the class
        cls.FIELDS = fields = {name: _complete(cls, name, spec) for name, spec in specs}
        for name, spec in fields.items():
            setattr(cls, name, spec.default)

    def __init__(self, **values: Any) -> None:
        fields = self.FIELDS
        for name in values:
            if name not in fields:
                raise TypeError(f"{type(self).__name__} has no field {name}")
        self.__dict__ = values

    @classmethod
    def fast(cls, values: dict[str, Any]) -> Self:
        """A struct with these values by field, which it keeps and does not check: for answers with many similar
        parts.
        """
        made = object.__new__(cls)
        made.__dict__ = values
        return made

    def is_set(self, name: str) -> bool:
        """Whether a value was given to the field, even if it equals the default."""
        return name in self.__dict__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Struct) or self.FIELDS is not other.FIELDS:
            return NotImplemented
        return all(_equal(getattr(self, name), getattr(other, name)) for name in self.FIELDS)

    def __hash__(self) -> int:
        raise TypeError("messages can change: they have no hash")

    def __repr__(self) -> str:
        shown = (f"{name}={getattr(self, name)!r}" for name in self.FIELDS if self.is_set(name))
        return f"{type(self).__name__}({', '.join(shown)})"


class Message(Struct):
    """A struct with its own versions: the content of a frame, a coordinator record or a file."""

    VERSIONS: ClassVar[Versions] = NEVER
    FLEXIBLE: ClassVar[Versions] = NEVER
    """Versions with compact lengths and tagged fields (KIP-482)."""

    def __init_subclass__(cls, versions: str = "none", flexible: str = "none") -> None:
        super().__init_subclass__()
        cls.VERSIONS = Versions.parse(versions)
        cls.FLEXIBLE = Versions.parse(flexible)


class Request(Message):
    """A request: `KEY` is its API key."""

    KEY: ClassVar[int] = -1

    def __init_subclass__(cls, key: int = -1, versions: str = "none", flexible: str = "none") -> None:
        super().__init_subclass__(versions, flexible)
        cls.KEY = key


class Response(Message):
    """The answer to the request with the same `KEY`."""

    KEY: ClassVar[int] = -1

    def __init_subclass__(cls, key: int = -1, versions: str = "none", flexible: str = "none") -> None:
        super().__init_subclass__(versions, flexible)
        cls.KEY = key


def _equal(a: Any, b: Any) -> bool:
    """Whether two values are equal, where a missing array (an empty tuple) equals an empty list, and buffers are
    compared by their bytes.
    """
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(_equal, a, b))
    return bool(a == b)


def _complete(cls: type[Struct], name: str, spec: FieldSpec) -> FieldSpec:
    """`spec`, completed from the annotation."""
    annotation, optional = _without_none(cls.__annotations__[name])
    is_array = get_origin(annotation) is list
    if is_array:
        annotation = get_args(annotation)[0]
    struct = annotation if isinstance(annotation, type) else None
    kind: Kind = "struct" if struct else annotation.__metadata__[0]
    nullable = spec.versions if optional and spec.nullable == NEVER else spec.nullable
    default = spec.default
    if isinstance(default, _Unset):
        default = () if is_array else ZERO[kind] if not struct else None if optional else _shared_default(struct)
    return spec._replace(kind=kind, is_array=is_array, struct=struct, nullable=nullable, default=default)


def _shared_default(cls: type[Struct]) -> Struct:
    """What a field of type `cls` reads as in every message that leaves it out. It cannot be changed; copies can."""

    def refuse(*_: object) -> None:
        raise AttributeError(f"this {cls.__name__} is a shared default: assign a new {cls.__name__} instead")

    body = {"__module__": cls.__module__, "__setattr__": refuse, "__new__": lambda _, **values: cls(**values)}
    default: Struct = object.__new__(type(cls.__name__, (cls,), body, shared_default=True))
    return default


def _without_none(annotation: Any) -> tuple[Any, bool]:
    """(the annotation without `| None`, whether it had one)."""
    if get_origin(annotation) is Annotated or get_origin(annotation) is list or isinstance(annotation, type):
        return annotation, False
    (kept,) = (x for x in get_args(annotation) if x is not type(None))
    return kept, True
