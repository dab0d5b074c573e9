"""CreateAcls, key 30: store access control entries (KIP-140).

Behaviour: each entry is handled separately; one that already exists is fine. Without an authorizer: 54, security is
off, unless the request cannot be read (recorded from 1.1.1 to 4.3.1: odd_requests).
Versions: 0 - 3, all alike.
v1: prefixes (KIP-290).
"""

from fakekafka.admin.acl_changes import closes, create
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Outcome
from fakekafka.security.acl import Acl
from fakekafka.wire.apis.create_acls import AclCreation, AclCreationResult, CreateAclsRequest, CreateAclsResponse


def handle(request: CreateAclsRequest, call: Call) -> CreateAclsResponse | Outcome:
    """Store what can be stored."""
    acls = [_acl(creation) for creation in request.creations]
    if closes(call.profile.acls, acls):
        return Outcome.CLOSE
    if call.broker.authorizer is None:
        words = call.profile.words.no_authorizer
        off = AclCreationResult(error_code=ErrorCode.SECURITY_DISABLED, error_message=words)
        return CreateAclsResponse(results=[off for _ in request.creations])
    done = AclCreationResult(error_code=ErrorCode.NONE, error_message=call.profile.acls.done_message)
    return CreateAclsResponse(
        results=[
            done if problem is None else AclCreationResult(error_code=problem.code, error_message=problem.message)
            for problem in create(call.broker, acls)
        ]
    )


def _acl(creation: AclCreation) -> Acl:
    return Acl(
        creation.resource_type,
        creation.resource_name,
        creation.resource_pattern_type,
        creation.principal,
        creation.host,
        creation.operation,
        creation.permission_type,
    )
