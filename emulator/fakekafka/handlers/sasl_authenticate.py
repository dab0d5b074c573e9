"""SaslAuthenticate, key 36, on a listener without SASL: 34, there is nothing to prove (KIP-152).

Versions: 0 - 2, all alike.
Not done: SASL listeners.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.sasl_authenticate import SaslAuthenticateRequest, SaslAuthenticateResponse


def handle(request: SaslAuthenticateRequest, call: Call) -> SaslAuthenticateResponse:
    """No."""
    words = "SaslAuthenticate request received after successful authentication"
    return SaslAuthenticateResponse(error_code=ErrorCode.ILLEGAL_SASL_STATE, error_message=words)
