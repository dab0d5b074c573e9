"""Which names a topic may have (Topic.validate)."""

from collections.abc import Iterable
from string import ascii_letters, digits
from typing import TYPE_CHECKING, Final

from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import TopicName
from fakekafka.releases.profile import Profile

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


def check_topic_name(profile: Profile, name: TopicName) -> None:
    """Raises `ApiError` 17 for a name that no topic may have."""
    problem = _problem(profile, name)
    if problem is not None:
        words = problem.format(name=name, longest=profile.metadata.longest_topic_name)
        raise ApiError(ErrorCode.INVALID_TOPIC_EXCEPTION, words)


METADATA_TOPIC: Final = "__cluster_metadata"
LEGAL: Final = frozenset(f"{ascii_letters}{digits}._-")
"""The characters of names."""


def check_no_metadata_topic(broker: "Broker", name: TopicName) -> None:
    """Raises `ApiError` for the name of KRaft's own log."""
    code = broker.profile.topics.metadata_topic
    if name != METADATA_TOPIC or code is ErrorCode.NONE:
        return
    if code is ErrorCode.TOPIC_AUTHORIZATION_FAILED:
        raise ApiError(code, "Authorization failed.")
    raise ApiError(code, f"Creation of internal topic {METADATA_TOPIC} is prohibited.")


def is_legal(profile: Profile, name: TopicName) -> bool:
    """Whether a topic may have this name."""
    return _problem(profile, name) is None


def colliding(name: TopicName, others: Iterable[TopicName]) -> list[TopicName]:
    """Those of `others` that differ from `name` only in "." and "_", which metric names do not distinguish."""
    if "." not in name and "_" not in name:
        return []
    unified = name.replace(".", "_")
    return [other for other in others if other.replace(".", "_") == unified]


def _problem(profile: Profile, name: TopicName) -> str | None:
    words = profile.words
    if not name:
        return words.empty_topic_name
    if name in (".", ".."):
        return words.dots_topic_name
    if len(name) > profile.metadata.longest_topic_name:
        return words.long_topic_name
    if not LEGAL.issuperset(name):
        return words.odd_topic_name
    return None
