"""SaslAuthenticate, key 36, where no login is needed, or the login is complete: 34 (KIP-152).

Behaviour: logins themselves are not handled here, see `security/sasl/authentication.py`.
Versions: 0 - 2, all alike.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.sasl_authenticate import SaslAuthenticateRequest, SaslAuthenticateResponse


def handle(request: SaslAuthenticateRequest, call: Call) -> SaslAuthenticateResponse:
    """Refuse the request."""
    words = "SaslAuthenticate request received after successful authentication"
    return SaslAuthenticateResponse(error_code=ErrorCode.ILLEGAL_SASL_STATE, error_message=words)
