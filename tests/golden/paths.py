"""Values inside a message by their path, as in `groups[0].members[1].member_id`."""

import re
from typing import Any

from fakekafka.wire.message import Struct

_STEP = re.compile(r"(\w+)|\[(-?\d+)\]")


def value_at(message: Struct, path: str) -> Any:
    """The value at `path`. Raises IndexError, AttributeError or TypeError where the path leads nowhere."""
    found: Any = message
    for step in _steps(path):
        found = getattr(found, step) if isinstance(step, str) else found[step]
    return found


def set_value_at(message: Struct, path: str, value: Any) -> None:
    """Replace the value at `path`."""
    *steps, last = _steps(path)
    holder: Any = message
    for step in steps:
        holder = getattr(holder, step) if isinstance(step, str) else holder[step]
    if isinstance(last, str):
        setattr(holder, last, value)
    else:
        holder[last] = value


def _steps(path: str) -> list[str | int]:
    return [name or int(index) for name, index in _STEP.findall(path)]


def snake_path(path: str) -> str:
    """ "groups[0].member_id" of "Groups[0].MemberId"."""
    return ".".join(map(snake, path.split(".")))


def snake(name: str) -> str:
    """Our name of a field: "topic_id" of "TopicId"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
