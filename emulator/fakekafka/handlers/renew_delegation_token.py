"""RenewDelegationToken, key 39, on a plain listener: 64, only who has logged in may ask (KIP-48).

Versions: 0 - 2, all alike.
Not done: SASL and SSL listeners.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.renew_delegation_token import RenewDelegationTokenRequest, RenewDelegationTokenResponse


def handle(request: RenewDelegationTokenRequest, call: Call) -> RenewDelegationTokenResponse:
    """No."""
    code = ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED
    return RenewDelegationTokenResponse(error_code=code, expiry_timestamp_ms=-1)
