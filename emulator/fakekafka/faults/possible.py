"""Which faults an API can have at all: rules that could never act as they say are refused when they are added."""

from fakekafka.errors import ErrorCode, UsageError
from fakekafka.faults.match import Match, api_name
from fakekafka.handlers import SERVED
from fakekafka.handlers.refusal import error_field, lists_with_errors
from fakekafka.ids import ApiKey
from fakekafka.wire.apis import response_class
from fakekafka.wire.message import Struct

NAMES = {code.name: code for code in ErrorCode}


def error_named(given: str | int | ErrorCode) -> ErrorCode:
    """The error with this name or number. Raises `UsageError` if there is no such error."""
    from difflib import get_close_matches

    try:
        return ErrorCode(given) if isinstance(given, int) else NAMES[given.upper()]
    except (ValueError, KeyError):
        near = get_close_matches(str(given).upper(), NAMES, n=3)
        hint = f": did you mean {' or '.join(near)}?" if near else ""
        raise UsageError(f"there is no error {given!r}{hint}") from None


def carries_error(cls: type[Struct], version: int) -> bool:
    """Whether an answer of this version has room for an error anywhere."""
    return error_field(cls, version) is not None or bool(lists_with_errors(cls, version))


def carrying(key: ApiKey) -> tuple[int, ...]:
    """The versions of an API whose answers have room for an error."""
    cls = response_class(key)
    return tuple(version for version in range(cls.VERSIONS.low, cls.VERSIONS.high + 1) if carries_error(cls, version))


def check_can_carry(error: ErrorCode, match: Match) -> None:
    """Raises `UsageError` if an API that the rule names has no room for an error, or has it only in other versions."""
    if error is ErrorCode.NONE:
        raise UsageError("fail: NONE is not an error")
    for key in match.api or ():
        versions = carrying(key)
        if key not in SERVED:
            raise UsageError(f"{api_name(key)} is not served by any release here")
        if not versions:
            raise UsageError(f"{api_name(key)} has no room for an error: use lose_answer, drop or delay")
        low, high = match.version if isinstance(match.version, tuple) else (match.version, match.version)
        if low is not None and high is not None and not any(low <= version <= high for version in versions):
            raise UsageError(
                f"{api_name(key)} v{low} has no room for an error; versions {versions[0]} to {versions[-1]} have"
            )
