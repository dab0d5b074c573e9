"""Access control entries: what a release's authorizer accepts, and how it words refusals (KIP-140, KIP-290).

Class names: SimpleAclAuthorizer (to 2.3), AclAuthorizer (2.4 on, with ZooKeeper), StandardAuthorizer (KRaft). All of it
was asked of 0.11.0.3, 1.0.2, 1.1.1, 2.0.1, 2.3.1, 2.4.1, 2.5.1, 2.6.3, 2.7.2, 2.8.2, 3.2.3, 3.3.2, 3.5.2, 3.9.1, 4.2.1.
"""

from functools import cached_property
from typing import Final, Literal, assert_never

from fakekafka.errors import ErrorCode
from fakekafka.releases.behaviours.behaviour import Behaviours, history

_NO_NODE: Final = "KeeperErrorCode = NoNode for /kafka-acl/{kind}/{name}"
_NO_NODE_EXCEPTION: Final = "org.apache.zookeeper.KeeperException$NoNodeException"


class AclsBehaviour(Behaviours):
    """What CreateAcls, DescribeAcls and DeleteAcls answer where an authorizer is configured."""

    resource_types: tuple[str, ...] = history(
        {
            "0.8.0": ("Topic", "Group", "Cluster", "TransactionalId"),
            "1.1": ("Topic", "Group", "Cluster", "TransactionalId", "DelegationToken"),
            "3.3": ("Topic", "Group", "Cluster", "TransactionalId", "DelegationToken", "User"),
        }
    )
    """The types that the release knows, by their numbers from 2 on (KIP-48, KIP-373). Asked of 0.11.0.3 to 4.2.1."""

    last_operation: int = history({"0.8.0": 12, "3.3": 14, "4.1": 15})
    """The highest number of an operation: creating and describing tokens came with KIP-373, two-phase commit with
    KIP-939. Asked of 0.11.0.3 to 4.3.1. Recorded: acl_questions."""

    done_message: str | None = history({"0.8.0": None, "2.5": ""})
    """The error message where there is no error, except in DeleteAcls, which has none. Asked of 0.11.0.3 to 4.2.1."""

    nothing_created_closes: bool = history({"0.8.0": False, "2.5": True})
    """Whether creating an entry with 0 for a type, an operation or a permission closes the connection. Asked of 2.4.1
    and 2.5.1."""

    nothing_sought_closes: bool = history({"0.8.0": False, "2.8": True})
    """Whether a 0 for any of these in a filter closes the connection. Asked of 2.7.2 and 2.8.2."""

    any_created: Literal["close", "named", "silent"] = history({"0.8.0": "close", "2.5": "named", "2.6": "silent"})
    """An entry to be created that says ANY or MATCH: the connection closes; -1 with the field's name; -1. Asked of
    2.4.1, 2.5.1 and 2.6.3."""

    @cached_property
    def names_vague_field(self) -> bool:
        """Whether the answer says which field said ANY or MATCH."""
        match self.any_created:
            case "named":
                return True
            case "close" | "silent":
                return False
            case word:
                assert_never(word)

    any_spoils_all: bool = history({"0.8.0": False, "2.5": True})
    """Whether an entry that says ANY or MATCH fails all others of the request. Recorded at 2.4.1, 2.5.1: acls_rules."""

    slash_fails: bool = history({"0.8.0": False, "1.1": True}, kraft={"2.8": False})
    """Whether an entry for a name with a slash fails in ZooKeeper. Recorded from 0.11.0.3 to 3.2.3: acls_rules."""

    slash_message: str | None = history(
        {"0.8.0": _NO_NODE, "2.4": f"{_NO_NODE_EXCEPTION}: {_NO_NODE}", "2.6": None, "3.3": "Failed to create ACL"}
    )
    """The error message for a name with a slash. Recorded: acls_rules."""

    slash_error: ErrorCode = history({"0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR, "3.3": ErrorCode.INVALID_REQUEST})
    """The error for a name with a slash. Recorded at 3.2.3, and with ZooKeeper at 3.5.2 and 3.9.1: acls_rules."""

    any_resource_is_unknown: bool = history({"0.8.0": True, "2.0": False})
    """Whether the resource type ANY is refused like an unknown type. Asked of 0.11.0.3 and 2.0.1."""

    unknown_message: str = history(
        {"0.8.0": "{value} not a valid {field} name. The valid names are {names}", "2.4": "Failed to create ACL"},
        kraft={"2.8": "Invalid {field} UNKNOWN"},
    )
    """An entry to be created with an unknown number: 42. Asked of 0.11.0.3 to 4.2.1. Recorded: acl_questions."""

    unknown_pattern: str = history(
        {"0.8.0": "patternType must not be UNKNOWN", "2.4": "Failed to create ACL"},
        kraft={"2.8": "Invalid patternType UNKNOWN"},
    )
    """The words for an unknown pattern type. Asked of 2.0.1 to 4.2.1."""

    principal_error: ErrorCode = history(
        {"0.8.0": ErrorCode.INVALID_REQUEST, "2.4": ErrorCode.UNKNOWN_SERVER_ERROR},
        kraft={"2.8": ErrorCode.NONE, "3.9.1": ErrorCode.INVALID_REQUEST},
    )
    """A principal without a colon. Recorded at 3.9.0, 3.9.1 and others: acls_rules. Recorded: acl_questions."""

    principal_message: str | None = history(
        {
            "0.8.0": "expected a string in format principalType:principalName but got {principal}",
            "2.4": "java.lang.IllegalArgumentException: expected a string in format principalType:principalName but got"
            " {principal}",
            "2.6": None,
        },
        kraft={
            "2.8": "Could not parse principal from `{principal}` (no colon is present separating the principal type"
            " from the principal name)"
        },
    )
    """The error message for a principal without a colon. Asked of 0.11.0.3 to 4.2.1. Recorded: acl_questions."""

    fails_by_resource: bool = history({"0.8.0": False, "2.4": True}, kraft={"2.8": False})
    """Whether a principal without a colon fails all entries for the same resource in the same request. Asked of 2.3.1,
    2.4.1 and 3.9.1. Recorded: acl_questions."""

    deleted_for: Literal["last", "first", "each"] = history({"0.8.0": "last", "2.4": "first"}, kraft={"2.8": "each"})
    """Which filter of a DeleteAcls is reported as the match of an entry that several filters match. Asked of 2.3.1,
    2.4.1 and 3.9.1."""
