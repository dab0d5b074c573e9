"""DescribeDelegationToken, key 41, on a plain listener: 64, only who has logged in may ask (KIP-48).

Versions: 0 - 3, all alike.
Not done: SASL and SSL listeners.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.describe_delegation_token import (
    DescribeDelegationTokenRequest,
    DescribeDelegationTokenResponse,
)


def handle(request: DescribeDelegationTokenRequest, call: Call) -> DescribeDelegationTokenResponse:
    """No."""
    return DescribeDelegationTokenResponse(error_code=ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED, tokens=[])
