"""Explanations of failed TLS handshakes, for the person whose test it is."""

import ssl
from collections.abc import Mapping
from typing import Final

UNTRUSTED: Final = "the client does not trust the certificate of the broker: give it the file of FakeKafka.tls.ca_file"
OTHER_VERSION: Final = "the client speaks no version of TLS that ssl.enabled.protocols names"
NO_TLS: Final = "the client does not speak TLS, as this listener does: set its security.protocol to SSL or SASL_SSL"
REASONS: Final[Mapping[str, str]] = {
    "HTTP_REQUEST": "the client speaks HTTP",
    "HTTPS_PROXY_REQUEST": "the client speaks HTTP",
    "WRONG_VERSION_NUMBER": NO_TLS,
    "UNKNOWN_PROTOCOL": NO_TLS,
    "UNEXPECTED_MESSAGE": NO_TLS,
    "BAD_RECORD_TYPE": NO_TLS,
    "RECORD_LAYER_FAILURE": NO_TLS,
    "PACKET_LENGTH_TOO_LONG": NO_TLS,
    "ENCRYPTED_LENGTH_TOO_LONG": NO_TLS,
    "NO_SHARED_CIPHER": "the client has none of the ciphers that ssl.cipher.suites names",
    "UNSUPPORTED_PROTOCOL": OTHER_VERSION,
    "TLSV1_ALERT_PROTOCOL_VERSION": OTHER_VERSION,
    "VERSION_TOO_LOW": OTHER_VERSION,
    "PEER_DID_NOT_RETURN_A_CERTIFICATE": "the client sent no certificate, and ssl.client.auth is required",
    "TLSV1_ALERT_UNKNOWN_CA": UNTRUSTED,
    "SSLV3_ALERT_CERTIFICATE_UNKNOWN": UNTRUSTED,
    "SSLV3_ALERT_BAD_CERTIFICATE": UNTRUSTED,
    "SSLV3_ALERT_CERTIFICATE_EXPIRED": "the client finds that the certificate of the broker has expired",
}
"""Explanations, by the reasons that OpenSSL gives."""
LEFT: Final = "the client left in the middle of its TLS handshake"


def why_failed(failure: OSError) -> str:
    """Why the handshake failed, in one sentence."""
    if isinstance(failure, ssl.SSLCertVerificationError):
        return f"the certificate of the client is not accepted: {failure.verify_message}"
    if isinstance(failure, ssl.SSLEOFError) or not isinstance(failure, ssl.SSLError):
        return LEFT
    reason = failure.reason or "for no reason that OpenSSL names"
    return REASONS.get(reason, f"the TLS handshake failed: {reason.lower().replace('_', ' ')}")
