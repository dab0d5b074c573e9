"""ExpireDelegationToken, key 40: set when a token ends (KIP-48).

Behaviour: only the owner and the renewers may do so. 64 for clients that have not logged in, or did so with a token.
Versions: 0 - 2, all alike.
"""

from fakekafka.admin.delegation_tokens import expire
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.expire_delegation_token import ExpireDelegationTokenRequest, ExpireDelegationTokenResponse


def handle(request: ExpireDelegationTokenRequest, call: Call) -> ExpireDelegationTokenResponse:
    """Set when the token ends."""
    if not call.may_have_tokens or call.principal is None:
        code = ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED
        return ExpireDelegationTokenResponse(error_code=code, expiry_timestamp_ms=-1)
    try:
        expiry = expire(call.broker, call.principal, bytes(request.hmac), request.expiry_time_period_ms, call.now)
    except ApiError as refused:
        shown = call.profile.admin.refused_token_expiry
        return ExpireDelegationTokenResponse(error_code=refused.code, expiry_timestamp_ms=shown)
    return ExpireDelegationTokenResponse(error_code=ErrorCode.NONE, expiry_timestamp_ms=expiry)
