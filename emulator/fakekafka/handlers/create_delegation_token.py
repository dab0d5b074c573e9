"""CreateDelegationToken, key 38, on a plain listener: 64, only who has logged in may ask (KIP-48).

Versions: 0 - 3.
v3: a token for somebody else (KIP-373).
Not done: SASL and SSL listeners.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.create_delegation_token import CreateDelegationTokenRequest, CreateDelegationTokenResponse

PRINCIPAL_TYPE, ANONYMOUS = "User", "ANONYMOUS"


def handle(request: CreateDelegationTokenRequest, call: Call) -> CreateDelegationTokenResponse:
    """No."""
    return CreateDelegationTokenResponse(
        error_code=ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED,
        principal_type=PRINCIPAL_TYPE,
        principal_name=ANONYMOUS,
        token_requester_principal_type=PRINCIPAL_TYPE,
        token_requester_principal_name=ANONYMOUS,
        issue_timestamp_ms=-1,
        expiry_timestamp_ms=-1,
        max_timestamp_ms=-1,
    )
