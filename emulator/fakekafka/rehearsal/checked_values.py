"""Values of a rehearsal's file, checked. Each function raises `ValueError` with what is wrong."""

from collections.abc import Iterable


def only(known: Iterable[str], given: dict[str, object], where: str) -> None:
    """Check that there are no other keys than the known ones."""
    for key in given:
        if key not in known:
            raise ValueError(f"{where}no key {key!r}; there are {', '.join(sorted(known))}")


def text(value: object, key: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise ValueError(f"{key} is not a text")
    return value


def flag(value: object, key: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError(f"{key} is true or false")
    return value


def whole_number(value: object, key: str, least: int = 1) -> int:
    """A whole number of at least `least`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ValueError(f"{key} is a whole number, {least} or more")
    return value
