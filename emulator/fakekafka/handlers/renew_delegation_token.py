"""RenewDelegationToken, key 39: prolong a token (KIP-48).

Behaviour: only the owner and the renewers may do so. 64 for clients that have not logged in, or did so with a token.
Versions: 0 - 2, all alike.
"""

from fakekafka.admin.delegation_tokens import renew
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.renew_delegation_token import RenewDelegationTokenRequest, RenewDelegationTokenResponse


def handle(request: RenewDelegationTokenRequest, call: Call) -> RenewDelegationTokenResponse:
    """Prolong the token."""
    if not call.may_have_tokens or call.principal is None:
        code = ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED
        return RenewDelegationTokenResponse(error_code=code, expiry_timestamp_ms=-1)
    try:
        expiry = renew(call.broker, call.principal, bytes(request.hmac), request.renew_period_ms, call.now)
    except ApiError as refused:
        shown = call.profile.admin.refused_token_expiry
        return RenewDelegationTokenResponse(error_code=refused.code, expiry_timestamp_ms=shown)
    return RenewDelegationTokenResponse(error_code=ErrorCode.NONE, expiry_timestamp_ms=expiry)
