"""The error messages of refusals for want of a right, by API. Recorded from 0.11.0.3 to 4.3.1: acls.

APIs that are not here say nothing, or have no field for it. "error": the error's own words. "request": the request as a
Java object prints itself, and then `ending_of_request`.
"""

from collections.abc import Mapping
from typing import Final

from fakekafka.ids import ApiKey as K
from fakekafka.releases.dated import at
from fakekafka.releases.release import Mode, Release

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
    K.CREATE_PARTITIONS: {"0.8.0": "The topic authorization is failed.", "3.3": None},
    K.CREATE_TOPICS: {"0.8.0": None, "2.4": "Authorization failed."},
    K.DELETE_ACLS: _ALWAYS_REQUEST,
    K.DELETE_SHARE_GROUP_OFFSETS: _ALWAYS_ERROR,
    K.DELETE_TOPICS: _KRAFT_ERROR,
    K.DESCRIBE_ACLS: _ALWAYS_REQUEST,
    K.DESCRIBE_CONFIGS: {"0.8.0": None, "2.7": "error"},
    K.DESCRIBE_PRODUCERS: {"0.8.0": None, "3.0": "error"},
    K.DESCRIBE_QUORUM: _ALWAYS_ERROR,
    K.DESCRIBE_SHARE_GROUP_OFFSETS: _ALWAYS_ERROR,
    K.ELECT_LEADERS: _KRAFT_REQUEST,
    K.FIND_COORDINATOR: {"0.8.0": None, "2.4": "error"},
    K.INCREMENTAL_ALTER_CONFIGS: _KRAFT_ERROR,
    K.LIST_PARTITION_REASSIGNMENTS: _ALWAYS_REQUEST,
    K.REMOVE_RAFT_VOTER: _ALWAYS_ERROR,
    K.UNREGISTER_BROKER: {"0.8.0": "", "4.1": "request"},
    K.UPDATE_FEATURES: {"0.8.0": "error", "3.3": "request"},
}

_DESCRIBING: Final = frozenset({K.DESCRIBE_ACLS, K.LIST_PARTITION_REASSIGNMENTS})


def refusal_words(key: K, release: Release, mode: Mode) -> str | None:
    """What the release says, or "error" or "request"; None: nothing."""
    found = _WORDS.get(key)
    if found is None:
        return None
    if mode == "zk" and found in (_KRAFT_ERROR, _KRAFT_REQUEST):
        return None
    said = at(found, release, before=None)
    return "error" if key is K.UPDATE_FEATURES and mode == "zk" else said


def ending_of_request(key: K, release: Release) -> str:
    """What follows the request in such a message: last without the right's name in 4.0.1, first with it in 4.1.0
    (AuthHelper.authorizeClusterOperation). Recorded: acls.
    """
    right = "DESCRIBE" if key in _DESCRIBING else "ALTER"
    endings = {"0.8.0": "is not authorized.", "4.1": f"needs {right} permission."}
    return at(endings, release, before="is not authorized.")
