"""The error messages of requests refused for a missing right, by API. Recorded from 0.11.0.3 to 4.3.1: acls.

APIs that are not here say nothing, or have no field for it. "error": the error's own message. "exception": the message
of the exception, which says more. "request": the request as a Java object prints itself.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from fakekafka.ids import ApiKey as K
from fakekafka.releases.dated import at
from fakekafka.releases.release import Mode, Release, starting

_KRAFT_ERROR: Final = {"0.8.0": None, "3.3": "error"}
_KRAFT_REQUEST: Final = {"0.8.0": None, "3.3": "request"}
_ALWAYS_REQUEST: Final = {"0.8.0": "request"}
_ALWAYS_ERROR: Final = {"0.8.0": "error"}
_WORDS: Final[Mapping[K, Mapping[str, str | None]]] = {
    K.ADD_RAFT_VOTER: _ALWAYS_ERROR,
    K.ALTER_CLIENT_QUOTAS: {"0.8.0": None, "2.8": "error"},
    K.ALTER_CONFIGS: _KRAFT_ERROR,
    K.ALTER_PARTITION_REASSIGNMENTS: _ALWAYS_REQUEST,
    K.ALTER_SHARE_GROUP_OFFSETS: _ALWAYS_ERROR,
    K.ALTER_USER_SCRAM_CREDENTIALS: _KRAFT_REQUEST,
    K.CREATE_ACLS: _ALWAYS_REQUEST,
    K.CREATE_PARTITIONS: {"0.8.0": "The topic authorization is failed."},
    K.CREATE_TOPICS: {"0.8.0": None, "2.3": "Authorization failed."},
    K.DELETE_ACLS: _ALWAYS_REQUEST,
    K.DELETE_SHARE_GROUP_OFFSETS: _ALWAYS_ERROR,
    K.DELETE_TOPICS: _KRAFT_ERROR,
    K.DESCRIBE_ACLS: _ALWAYS_REQUEST,
    K.DESCRIBE_CONFIGS: {"0.8.0": None, "2.7": "error"},
    K.DESCRIBE_PRODUCERS: {"0.8.0": None, "3.0": "error"},
    K.DESCRIBE_QUORUM: _ALWAYS_ERROR,
    K.DESCRIBE_SHARE_GROUP_OFFSETS: _ALWAYS_ERROR,
    K.ELECT_LEADERS: _KRAFT_REQUEST,
    K.FIND_COORDINATOR: {"0.8.0": None, "2.3": "exception", "2.4": "error"},
    K.INCREMENTAL_ALTER_CONFIGS: _KRAFT_ERROR,
    K.LIST_PARTITION_REASSIGNMENTS: _ALWAYS_REQUEST,
    K.REMOVE_RAFT_VOTER: _ALWAYS_ERROR,
    K.UNREGISTER_BROKER: {"0.8.0": "", "4.1": "request"},
    K.UPDATE_FEATURES: {"0.8.0": "error", "3.3": "request"},
}
_SILENT_IN_KRAFT: Final = frozenset({K.CREATE_PARTITIONS})
DESCRIBES: Final = frozenset({K.DESCRIBE_ACLS, K.LIST_PARTITION_REASSIGNMENTS})
"""APIs with the message "request" that need Describe; the others need Alter."""
_AS_REQUEST: Final = frozenset(key for key, said in _WORDS.items() if "request" in said.values())
_BY_CONTROLLERS: Final = _AS_REQUEST - {K.DESCRIBE_ACLS}


class RefusalStyle(NamedTuple):
    """How a release prints a request that it refuses."""

    names_fields: bool
    has_envelope: bool
    hides_session: bool
    """Whether the session is printed as an object's address instead of the principal and its host."""
    names_operation: bool


def refused_by_controller(key: K, mode: Mode) -> bool:
    """Whether a broker passes an API with the message "request" on, so that a controller refuses it."""
    return mode == "kraft" and key in _BY_CONTROLLERS


def refusal_style(release: Release) -> RefusalStyle:
    """How `release` prints a refused request. Recorded at 0.11.0.3, 1.1.1, 2.7.2, 2.8.2, 3.5.2, 3.8.1, 4.0.0 and
    4.1.1.
    """
    return RefusalStyle(*(release >= starting(since) for since in ("1.0", "2.8", "3.8", "4.1")))


def refusal_words(key: K, release: Release, mode: Mode) -> str | None:
    """What the release says, or "error" or "request"; None: nothing."""
    words = _WORDS.get(key)
    if words is None:
        return None
    if (mode == "zk" and words in (_KRAFT_ERROR, _KRAFT_REQUEST)) or (mode == "kraft" and key in _SILENT_IN_KRAFT):
        return None
    said = at(words, release, before=None)
    return "error" if key is K.UPDATE_FEATURES and mode == "zk" else said
