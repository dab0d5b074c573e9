"""A whole request answered with one error, in the form that its response has (AbstractRequest.getErrorResponse), and
which exceptions of a handler lead to that.

Responses with an error code at the top carry it there. The others repeat the request's list (topics, groups,
resources …) with the error on each innermost element, identified as the request did.
"""

from typing import Any, Final, NamedTuple, TypeVar

from fakekafka.errors import ErrorCode
from fakekafka.handlers import Handler
from fakekafka.handlers.call import Call, Outcome, Result
from fakekafka.ids import ApiKey
from fakekafka.releases.history import INTER_BROKER
from fakekafka.wire.apis import response_class
from fakekafka.wire.message import Request, Response, Struct

# Fields that request and response name differently.
_OTHER_NAMES: Final = {
    "topic": ("name", "topic_name"),
    "name": ("topic",),
    "partition_index": ("partition",),
    "partition": ("partition_index", "index"),
    "index": ("partition_index",),
}


ERRORS: Final = ("error_code", "partition_error_code")
MESSAGES: Final = ("error_message",)
OF_A_FETCH: Final = "high_watermark"
"""A field of a Fetch request and one of its answer have this name (KIP-1166), so it does not identify a partition."""
INVALID_HIGH_WATERMARK: Final = -1


def guarded(handle: Handler, body: Request, call: Call) -> Result:
    """`handle(body, call)`. A disk error refuses the whole request (KafkaApis.handleError); any other exception is
    recorded for the test, and closes the connection.
    """
    try:
        return handle(body, call)
    except Exception as e:
        if isinstance(e, OSError) and e.errno is not None:  # without a number: not the system's error
            return refusal(body, call.version, call.broker.logs.on_disk_error(e, reading=True))
        call.broker.cluster.failures.append(e)
        return Outcome.CLOSE


class Refused(NamedTuple):
    """The content of a refusal. `inner`: put the error on the innermost elements, even if the answer as a whole could
    carry it.
    """

    error: ErrorCode
    message: str | None = None
    inner: bool = False


def refusal(
    request: Request, version: int, error: ErrorCode, message: str | None = None, *, inner: bool = False
) -> Response:
    """The answer to `request` that says only `error`. `message`: its message, if the answer has room for it. `inner`:
    see `Refused`.
    """
    return mirrored(response_class(ApiKey(request.KEY)), request, version, Refused(error, message, inner))


def unserved(request: Request, version: int) -> Response | Outcome:
    """The answer to a request that the release serves and this package does not.

    A client gets error 35. For requests between brokers the connection closes, as KRaft brokers do.
    """
    if request.KEY in INTER_BROKER:
        return Outcome.CLOSE
    return refusal(request, version, ErrorCode.UNSUPPORTED_VERSION)


T = TypeVar("T", bound=Struct)


def mirrored(cls: type[T], asked: object, version: int, refused: Refused) -> T:
    """A `cls` with the error or, if it has no room for it, with lists that repeat those of `asked`."""
    values = identity(cls, asked, version)
    lists = lists_with_errors(cls, version)
    if error_field(cls, version) is not None and not (refused.inner and lists and _first_list(asked, version)):
        values |= error_values(cls, version, refused)
    else:
        for name, element in lists:
            values[name] = [mirrored(element, x, version, refused) for x in _first_list(asked, version)]
    return cls(**values, **_no_records(cls, version))


def _no_records(cls: type[Struct], version: int) -> dict[str, bytes]:
    """Fields for records that may not be null in a version."""
    fields = cls.FIELDS.items()
    return {n: b"" for n, s in fields if s.kind == "records" and version in s.versions and version not in s.nullable}


def error_values(cls: type[Struct], version: int, refused: Refused) -> dict[str, Any]:
    """The fields of a `cls` that say what was refused."""
    values: dict[str, Any] = {}
    if (name := error_field(cls, version)) is not None:
        values[name] = int(refused.error)
    for name in MESSAGES:
        if refused.message is not None and name in cls.FIELDS and version in cls.FIELDS[name].versions:
            values[name] = refused.message
    if OF_A_FETCH in cls.FIELDS:
        values[OF_A_FETCH] = INVALID_HIGH_WATERMARK
    return values


def identity(cls: type[Struct], asked: object, version: int) -> dict[str, Any]:
    """The fields that say which element of the request this is."""
    values: dict[str, Any] = {}
    for name, spec in cls.FIELDS.items():
        if (
            version not in spec.versions
            or spec.is_array
            or spec.kind == "struct"
            or name in (*ERRORS, *MESSAGES, OF_A_FETCH)
        ):
            continue
        if not isinstance(asked, Struct):
            if spec.kind == _kind(asked):
                values[name] = asked
                break
            continue
        for candidate in (name, *_OTHER_NAMES.get(name, ())):
            if candidate in asked.FIELDS and asked.FIELDS[candidate].kind == spec.kind:
                values[name] = getattr(asked, candidate)
                break
    return values


def _kind(value: object) -> str:
    return {str: "string", int: "int32", bytes: "uuid"}.get(type(value), "")


def _first_list(asked: object, version: int) -> list[object]:
    """The elements that the request is about: its first list that is not empty."""
    if not isinstance(asked, Struct):
        return []
    lists = (getattr(asked, n) for n, s in asked.FIELDS.items() if s.is_array and version in s.versions)
    return next((x for x in lists if x), [])


def error_field(cls: type[Struct], version: int) -> str | None:
    """The field of a `cls` that holds its error, or None."""
    return next((name for name in ERRORS if name in cls.FIELDS and version in cls.FIELDS[name].versions), None)


def lists_with_errors(cls: type[Struct], version: int) -> list[tuple[str, type[Struct]]]:
    """The lists whose elements carry errors, directly or deeper."""
    return [
        (name, spec.struct)
        for name, spec in cls.FIELDS.items()
        if spec.is_array
        and spec.struct is not None
        and version in spec.versions
        and (error_field(spec.struct, version) is not None or lists_with_errors(spec.struct, version))
    ]
