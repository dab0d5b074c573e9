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
        near = get_close_matches(str(given).upper(), NAMES.keys() - {"NONE"}, n=3)
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
    """Raises `UsageError` if an API that the rule names is not served, or has no room for an error."""
    if error is ErrorCode.NONE:
        raise UsageError("fail: NONE is not an error")
    for key in match.api or ():
        if key not in SERVED:
            raise UsageError(f"{api_name(key)} is not served by any release here")
        versions = carrying(key)
        if not any(map(match.fits_version, versions)):
            where = f" in this version; versions with room: {', '.join(map(str, versions))}" if versions else ""
            raise UsageError(f"{api_name(key)} has no room for an error{where}: use lose_answer, drop or delay")
