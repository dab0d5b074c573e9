"""Names that cannot be looked up in ZooKeeper, because the path of a topic called so would be illegal (PathUtils).

Recorded from 1.1.1 to 3.9.1: odd_admin.
"""

from typing import TYPE_CHECKING, Final

from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import TopicName

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

TOPICS: Final = "/brokers/topics/"
ILLEGAL: Final = ((0x01, 0x1F), (0x7F, 0x9F), (0xD800, 0xF8FF), (0xFFF0, 0xFFFF))
"""Ranges of characters that no path may have."""


def path_refused(broker: "Broker", name: TopicName) -> ApiError | None:
    """The error of a request that looks for such a topic in ZooKeeper; None if it can be looked for."""
    problem = path_problem(TOPICS + name, broker.profile.words.illegal_path_character)
    if problem is None:
        return None
    return ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, problem if broker.profile.words.unknown_error_explained else None)


def path_problem(path: str, illegal: str) -> str | None:
    """Why ZooKeeper refuses a path; None if it takes it. `illegal`: what it says about an illegal character."""
    if path.endswith("/"):
        return "Path must not end with / character"
    for at, character in enumerate(path):
        if at and (problem := _problem_at(path, at, character)) is not None:
            problem = problem or illegal
            return f'Invalid path string "{path}" caused by {problem} @{at}'
    return None


def _problem_at(path: str, at: int, character: str) -> str | None:
    """What is wrong with a character of a path; "" if it is illegal everywhere."""
    if character == "\0":
        return "null character not allowed"
    if character == "/" and path[at - 1] == "/":
        return "empty node name specified"
    if character == "." and path[at + 1 : at + 2] in ("", "/") and _begins_node(path, at):
        return "relative paths not allowed"
    if any(low <= ord(character) <= high for low, high in ILLEGAL):
        return ""
    return None


def _begins_node(path: str, at: int) -> bool:
    """Whether the dot at this place is the whole name of a node, or the second of two that are."""
    return path[at - 1] == "/" or path[at - 2 : at] == "/."
