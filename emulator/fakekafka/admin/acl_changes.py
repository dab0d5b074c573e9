"""Creating and removing access control entries, refused as the release's authorizer does it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, assert_never

from fakekafka.errors import ApiError, ErrorCode
from fakekafka.pieces import Stepwise
from fakekafka.releases.behaviours.acls import AclsBehaviour
from fakekafka.security.acl import (
    ALLOW,
    ANY,
    CLUSTER,
    CLUSTER_NAME,
    DENY,
    LITERAL,
    MATCH,
    NOTHING,
    PREFIXED,
    Acl,
    AclFilter,
)

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

OPERATIONS: Final = (
    "Read,Write,Create,Delete,Alter,Describe,ClusterAction,AlterConfigs,DescribeConfigs,IdempotentWrite,All"
)
PERMISSIONS: Final = "Allow,Deny"
PER_STEP: Final = 10_000
"""How often an entry is compared with a filter in one step."""


def closes(rules: AclsBehaviour, acls: Sequence[Acl]) -> bool:
    """Whether a request to create these entries cannot be read, so that its connection is closed."""
    return any(_closes(rules, acl) for acl in acls)


def _closes(rules: AclsBehaviour, acl: Acl) -> bool:
    if rules.nothing_created_closes and NOTHING in (acl.resource_type, acl.pattern, acl.operation, acl.permission):
        return True
    match rules.any_created:
        case "close":
            return _vague_field(rules, acl) is not None
        case "named" | "silent":
            return False
        case rule:
            assert_never(rule)


def create(broker: "Broker", acls: Sequence[Acl]) -> list[ApiError | None]:
    """Store entries. Returns what is wrong with each, or None."""
    rules = broker.profile.acls
    problems = [_problem(rules, acl) for acl in acls]
    vague = [_wrong_number(rules, acl) for acl in acls if _vague_field(rules, acl)]
    if rules.any_spoils_all and vague:
        return vague[:1] * len(acls)
    if rules.fails_by_resource:
        failed = {
            acl.resource: problem for acl, problem in reversed([*zip(acls, problems)]) if _is_late(rules, problem)
        }
        problems = [problem or failed.get(acl.resource) for acl, problem in zip(acls, problems)]
    for acl, problem in zip(acls, problems):
        if problem is None:
            broker.cluster.settings.acls.add(acl)
    return problems


def _is_late(rules: AclsBehaviour, problem: ApiError | None) -> bool:
    """Whether the problem shows only when the entries of a resource are written."""
    return problem is not None and problem.code is rules.principal_error


def _problem(rules: AclsBehaviour, acl: Acl) -> ApiError | None:
    if acl.resource_type == CLUSTER and acl.name != CLUSTER_NAME:
        words = f"The only valid name for the CLUSTER resource is {CLUSTER_NAME}"
        return ApiError(ErrorCode.INVALID_REQUEST, words)
    if not acl.name:
        return ApiError(ErrorCode.INVALID_REQUEST, "Invalid empty resource name")
    return _wrong_number(rules, acl) or _wrong_principal(rules, acl) or _wrong_path(rules, acl)


def _wrong_path(rules: AclsBehaviour, acl: Acl) -> ApiError | None:
    """The problem of a name with a slash, for which ZooKeeper has no node."""
    if not rules.slash_fails or "/" not in acl.name:
        return None
    words = rules.slash_message and rules.slash_message.format(
        kind=rules.resource_types[acl.resource_type - 2], name=acl.name
    )
    return ApiError(rules.slash_error, words)


def _wrong_number(rules: AclsBehaviour, acl: Acl) -> ApiError | None:
    vague = _vague_field(rules, acl)
    if vague is not None:
        word = "MATCH" if vague == "patternType" and acl.pattern == MATCH else "ANY"
        names_field = rules.names_vague_field
        return ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, f"{vague} must not be {word}" if names_field else None)
    if not 2 <= acl.resource_type < 2 + len(rules.resource_types):
        return _unknown(rules, "resourceType", ",".join(rules.resource_types), acl.resource_type)
    if not 2 <= acl.operation <= rules.last_operation:
        return _unknown(rules, "operation", OPERATIONS, acl.operation)
    if acl.permission not in (DENY, ALLOW):
        return _unknown(rules, "permissionType", PERMISSIONS, acl.permission)
    if acl.pattern not in (LITERAL, PREFIXED):
        return ApiError(ErrorCode.INVALID_REQUEST, rules.unknown_pattern)
    return None


def _vague_field(rules: AclsBehaviour, acl: Acl) -> str | None:
    """The first field that says ANY or MATCH, which only filters may."""
    if acl.resource_type == ANY and not rules.any_resource_is_unknown:
        return "resourceType"
    if acl.pattern in (ANY, MATCH):
        return "patternType"
    if acl.operation == ANY:
        return "operation"
    return "permissionType" if acl.permission == ANY else None


def _unknown(rules: AclsBehaviour, field: str, names: str, number: int) -> ApiError:
    value = "ANY" if number == ANY else "UNKNOWN"
    return ApiError(ErrorCode.INVALID_REQUEST, rules.unknown_message.format(field=field, names=names, value=value))


def _wrong_principal(rules: AclsBehaviour, acl: Acl) -> ApiError | None:
    if ":" in acl.principal or rules.principal_error is ErrorCode.NONE:
        return None
    words = rules.principal_message
    return ApiError(rules.principal_error, None if words is None else words.format(principal=acl.principal))


def remove(broker: "Broker", filters: Sequence[AclFilter]) -> Stepwise[list[list[Acl]]]:
    """Remove what the filters match. Returns, for each filter, the entries that the answer says it matched."""
    acls = broker.cluster.settings.acls
    removed: list[list[Acl]] = [[] for _ in filters]
    left = PER_STEP
    for acl in acls:
        left -= len(filters)
        if left < 0:
            left = PER_STEP
            yield
        matching = [n for n, wanted in enumerate(filters) if wanted.matches(acl)]
        if matching and acl in acls:  # others may have removed it meanwhile
            acls.remove(acl)
            for n in _credited(matching, broker.profile.acls):
                removed[n].append(acl)
    return removed


def _credited(matching: list[int], rules: AclsBehaviour) -> list[int]:
    """The matching filters whose answers name the entry."""
    match rules.deleted_for:
        case "each":
            return matching
        case "first":
            return matching[:1]
        case "last":
            return matching[-1:]
        case rule:
            assert_never(rule)
