"""SASL: what a broker does with the bytes of a connection until a client has logged in, and when a login ends.

Class names: SaslServerAuthenticator, PlainSaslServer, ScramSaslServer, OAuthBearerSaslServer, KafkaChannel,
SocketServer. Recorded at 0.10.0.1, 0.10.1.1, 0.10.2.2, 0.11.0.3, 1.1.1, 2.0.1, 2.2.2, 2.3.1, 2.4.1, 2.8.2, 3.2.3,
3.3.2, 3.5.2, 3.6.2, 3.9.1, 4.0.0, 4.1.1 and 4.3.1: sasl. A value that changes does so somewhere between two of these.
"""

from functools import cached_property
from typing import Literal, assert_never

from fakekafka.releases.behaviours.behaviour import Behaviours, history


class SaslBehaviour(Behaviours):
    """What happens before, and instead of, requests on a listener with SASL."""

    api_versions_before: Literal["any number", "once"] = history({"0.8.0": "any number", "1.0": "once"})
    """How often ApiVersions is answered before the handshake. Recorded."""

    features_before_login: bool = history({"0.8.0": False, "2.8": True})
    """Whether the answer to ApiVersions before authentication has the cluster's features (KIP-584). Recorded at 2.7.2,
    2.8.2."""

    largest_frame: int = history({"0.8.0": 0x7FFFFFFF, "0.11.0": 524288})
    """The largest frame before authentication (sasl.server.max.receive.size). Recorded."""

    failure_words: str = history(
        {
            "0.8.0": "Authentication failed due to invalid credentials with SASL mechanism {mechanism}",
            "2.2": "Authentication failed during authentication due to invalid credentials with SASL mechanism"
            " {mechanism}",
        }
    )
    """The message for a failed login whose reason is kept secret. Recorded."""

    done_message: str | None = history({"0.8.0": None, "2.3": ""})
    """The error message of a SaslAuthenticate that succeeds. Recorded."""

    failures_delayed: bool = history({"0.8.0": False, "2.1": True})
    """Whether the end of a failed login waits for connection.failed.authentication.delay.ms. Recorded: sasl--delay."""

    plain_ends_dropped: bool = history({"0.8.0": True, "2.3": False})
    """Whether PLAIN ignores empty parts at the end of its message. Recorded."""

    plain_refusals_shown: bool = history({"0.8.0": False, "2.3": True})
    """Whether the error text about an unreadable message of PLAIN reaches the client. Recorded."""

    plain_authorization_id_checked: bool = history({"0.8.0": False, "0.10.2": True})
    """Whether PLAIN refuses another user's authorization id. Recorded."""

    scram_extensions: bool = history({"0.8.0": False, "1.1": True})
    """Whether SCRAM reads extensions; otherwise they are left out of what is signed. Recorded."""

    scram_nonce: Literal["not checked", "its end", "whole"] = history(
        {"0.8.0": "not checked", "3.7.2": "its end", "3.8": "not checked", "3.8.1": "its end", "4.0": "whole"}
    )
    """How much of the nonce in SCRAM's last message must be the server's (CVE-2024-56128). Recorded."""

    @cached_property
    def checks_whole_nonce(self) -> bool:
        """Whether a client that repeats anything but the whole nonce is refused."""
        match self.scram_nonce:
            case "whole":
                return True
            case "not checked" | "its end":
                return False
            case word:
                assert_never(word)

    session_lifetimes: bool = history({"0.8.0": False, "2.2": True})
    """Whether connections.max.reauth.ms ends a login (KIP-368). Recorded."""

    token_ends_session: bool = history({"0.8.0": False, "3.3": True})
    """Whether a token's end ends the login even where connections.max.reauth.ms is not set, and a login by a token that
    has ended is over at once. Recorded."""

    bare_tokens_expire: bool = history({"0.8.0": False, "2.5": True})
    """Whether the login of a client that cannot be informed of its end (a bare token) ends. Recorded: 2.4.1, 2.8.2."""

    expired: Literal["silent", "close"] = history({"0.8.0": "silent", "2.4": "close"})
    """What becomes of a request after the end of its login. Recorded."""
