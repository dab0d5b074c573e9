"""SaslHandshake, key 17, where the connection needs no login, or no further one: 34 (KIP-43).

Behaviour: logins themselves are not handled here, see `security/sasl/authentication.py`.
Versions: 0 - 1, both alike.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.sasl_handshake import SaslHandshakeRequest, SaslHandshakeResponse


def handle(request: SaslHandshakeRequest, call: Call) -> SaslHandshakeResponse:
    """Refuse the request."""
    enabled = call.broker.config.value("sasl.enabled.mechanisms") if call.profile.connection.mechanisms_shown else ()
    mechanisms = list(enabled) if isinstance(enabled, tuple) else []
    return SaslHandshakeResponse(error_code=ErrorCode.ILLEGAL_SASL_STATE, mechanisms=mechanisms)
