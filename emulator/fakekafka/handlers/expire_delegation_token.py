"""ExpireDelegationToken, key 40, on a plain listener: 64, only who has logged in may ask (KIP-48).

Versions: 0 - 2, all alike.
Not done: SASL and SSL listeners.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.expire_delegation_token import ExpireDelegationTokenRequest, ExpireDelegationTokenResponse


def handle(request: ExpireDelegationTokenRequest, call: Call) -> ExpireDelegationTokenResponse:
    """No."""
    code = ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED
    return ExpireDelegationTokenResponse(error_code=code, expiry_timestamp_ms=-1)
