"""DeleteAcls, key 31, of a broker without an authorizer: 54 for each, security is off (KIP-140).

Versions: 0 - 3, all alike.
Not done: authorizers.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.delete_acls import DeleteAclsFilterResult, DeleteAclsRequest, DeleteAclsResponse


def handle(request: DeleteAclsRequest, call: Call) -> DeleteAclsResponse:
    """No."""
    code, words = ErrorCode.SECURITY_DISABLED, call.profile.words.no_authorizer
    return DeleteAclsResponse(
        filter_results=[
            DeleteAclsFilterResult(error_code=code, error_message=words, matching_acls=[]) for _ in request.filters
        ]
    )
