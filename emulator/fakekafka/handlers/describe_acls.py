"""DescribeAcls, key 29: the access control entries that a filter matches, by resource (KIP-140).

Behaviour: entries come in the order in which they were created; a real broker's order is that of hash sets.
Without an authorizer: 54, security is off, unless the request cannot be read (recorded from 1.1.1 to 4.3.1:
odd_requests).
Versions: 0 - 3, all alike.
v1: prefixes, and the pattern type MATCH: entries that apply to a name (KIP-290).
Not done: nothing.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Outcome
from fakekafka.security.acl import Acl, AclFilter, Resource
from fakekafka.wire.apis.describe_acls import (
    AclDescription,
    DescribeAclsRequest,
    DescribeAclsResource,
    DescribeAclsResponse,
)


def handle(request: DescribeAclsRequest, call: Call) -> DescribeAclsResponse | Outcome:
    """The entries that match."""
    wanted = _filter(request)
    if wanted.says_nothing and call.profile.acls.nothing_sought_closes:
        return Outcome.CLOSE
    if call.broker.authorizer is None:
        words = "No Authorizer is configured on the broker"
        return DescribeAclsResponse(error_code=ErrorCode.SECURITY_DISABLED, error_message=words, resources=[])
    by_resource: dict[Resource, list[Acl]] = {}
    for acl in call.broker.cluster.settings.acls:
        if wanted.matches(acl):
            by_resource.setdefault(acl.resource, []).append(acl)
    return DescribeAclsResponse(
        error_message=call.profile.acls.done_message,
        resources=[_described(resource, acls) for resource, acls in by_resource.items()],
    )


def _filter(request: DescribeAclsRequest) -> AclFilter:
    return AclFilter(
        request.resource_type_filter,
        request.resource_name_filter,
        request.pattern_type_filter,
        request.principal_filter,
        request.host_filter,
        request.operation,
        request.permission_type,
    )


def _described(resource: Resource, acls: list[Acl]) -> DescribeAclsResource:
    kind, name, pattern = resource
    return DescribeAclsResource(
        resource_type=kind,
        resource_name=name,
        pattern_type=pattern,
        acls=[
            AclDescription(
                principal=acl.principal, host=acl.host, operation=acl.operation, permission_type=acl.permission
            )
            for acl in acls
        ],
    )
