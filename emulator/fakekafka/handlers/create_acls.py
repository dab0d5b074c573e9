"""CreateAcls, key 30, of a broker without an authorizer: 54 for each, security is off (KIP-140).

Versions: 0 - 3, all alike.
Not done: authorizers.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.create_acls import AclCreationResult, CreateAclsRequest, CreateAclsResponse


def handle(request: CreateAclsRequest, call: Call) -> CreateAclsResponse:
    """No."""
    words = call.profile.words.no_authorizer
    return CreateAclsResponse(
        results=[
            AclCreationResult(error_code=ErrorCode.SECURITY_DISABLED, error_message=words) for _ in request.creations
        ]
    )
