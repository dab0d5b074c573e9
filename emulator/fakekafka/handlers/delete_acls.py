"""DeleteAcls, key 31: remove the access control entries that filters match (KIP-140).

Behaviour: an entry that several filters match is reported for one or for each of them, depending on the release.
Without an authorizer: 54, security is off, unless the request cannot be read (recorded from 1.1.1 to 4.3.1:
odd_requests).
Versions: 0 - 3, all alike.
v1: prefixes, and the pattern type MATCH (KIP-290).
Not done: nothing.
"""

from collections.abc import Sequence

from fakekafka.admin.acl_changes import remove
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Outcome, Result, in_steps
from fakekafka.pieces import Stepwise
from fakekafka.security.acl import Acl, AclFilter
from fakekafka.wire.apis.delete_acls import (
    DeleteAclsFilter,
    DeleteAclsFilterResult,
    DeleteAclsMatchingAcl,
    DeleteAclsRequest,
    DeleteAclsResponse,
)


def handle(request: DeleteAclsRequest, call: Call) -> Result:
    """Remove the entries that match."""
    filters = [_filter(wanted) for wanted in request.filters]
    if call.profile.acls.nothing_sought_closes and any(wanted.says_nothing for wanted in filters):
        return Outcome.CLOSE
    if call.broker.authorizer is None:
        words = call.profile.words.no_authorizer
        off = DeleteAclsFilterResult(error_code=ErrorCode.SECURITY_DISABLED, error_message=words, matching_acls=[])
        return DeleteAclsResponse(filter_results=[off for _ in request.filters])
    return in_steps(_removed(filters, call))


def _removed(filters: Sequence[AclFilter], call: Call) -> Stepwise[Result]:
    removed = yield from remove(call.broker, filters)
    return DeleteAclsResponse(
        filter_results=[
            DeleteAclsFilterResult(error_message=None, matching_acls=[_matching(acl) for acl in acls])
            for acls in removed
        ]
    )


def _filter(wanted: DeleteAclsFilter) -> AclFilter:
    return AclFilter(
        wanted.resource_type_filter,
        wanted.resource_name_filter,
        wanted.pattern_type_filter,
        wanted.principal_filter,
        wanted.host_filter,
        wanted.operation,
        wanted.permission_type,
    )


def _matching(acl: Acl) -> DeleteAclsMatchingAcl:
    return DeleteAclsMatchingAcl(
        error_message=None,
        resource_type=acl.resource_type,
        resource_name=acl.name,
        pattern_type=acl.pattern,
        principal=acl.principal,
        host=acl.host,
        operation=acl.operation,
        permission_type=acl.permission,
    )
