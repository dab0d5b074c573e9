"""Options of sources: texts whose names are not case-sensitive, as everywhere in Spark."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from fakekafka.errors import UsageError

READ_UNCOMMITTED, READ_COMMITTED = ISOLATIONS = ("read_uncommitted", "read_committed")

STORAGE_PREFIX = "storage."
"""The prefix of options for file systems; see `storage`."""


PROVIDER = "provider"
"""The property by which a table of Spark's catalog is known."""
OPTION_PREFIX = "option."
"""The prefix of a table's options among its properties, where Spark repeats them."""


def of_table(properties: Mapping[str, str], known: Iterable[str]) -> dict[str, str]:
    """The options of a table among its properties, of which most are the catalog's, or the user's own.

    Options that are not a table's come back as they are. Raises `UsageError` for an unknown option.
    """
    given = {name.lower(): value for name, value in properties.items()}
    if PROVIDER not in given:
        return dict(properties)
    check_names([name.removeprefix(OPTION_PREFIX) for name in given if name.startswith(OPTION_PREFIX)], known)
    names = {name.lower() for name in known}
    return {name: value for name, value in given.items() if name in names or name.startswith(STORAGE_PREFIX)}


def check_names(options: Iterable[str], known: Iterable[str]) -> None:
    """Raises `UsageError` for an unknown option."""
    spelled = {name.lower(): name for name in known}
    for name in options:
        if name.lower() not in spelled and not name.lower().startswith(STORAGE_PREFIX):
            near = get_close_matches(name.lower(), spelled, 1)
            hint = f"did you mean {spelled[near[0]]!r}?" if near else f"there are {', '.join(spelled.values())}"
            raise UsageError(f"there is no option {name!r} here: {hint}")


def choice(options: Mapping[str, str], name: str, values: tuple[str, ...]) -> str:
    """An option with a closed set of values; the first is the default. Raises `UsageError`."""
    value = options.get(name.lower(), values[0])
    if value not in values:
        raise UsageError(f"{name} is one of {', '.join(values)}, not {value!r}")
    return value


def flag(options: Mapping[str, str], name: str, default: bool) -> bool:
    """An option that is true or false. Raises `UsageError`."""
    text = options.get(name.lower(), str(default)).lower()
    if text not in ("true", "false"):
        raise UsageError(f"{name} is true or false, not {text!r}")
    return text == "true"


def number(options: Mapping[str, str], name: str, default: int) -> int:
    """An option that is a number above 0; the default may be any. Raises `UsageError`."""
    text = options.get(name.lower())
    if text is None:
        return default
    if not text.isdecimal() or int(text) == 0:
        raise UsageError(f"{name} is a number above 0, not {text!r}")
    return int(text)
