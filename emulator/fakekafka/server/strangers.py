"""Clients that do not speak Kafka's protocol, recognised by the first bytes that they send.

A broker takes these bytes for the size of a frame, finds it too large, and closes the connection; the client waits
until its own timeout. What it was is remembered for the user who looks for the reason.
"""

from typing import Final

TLS_HANDSHAKE: Final = b"\x16\x03"
"""How a ClientHello begins: the type of the record, and the major version (RFC 8446, 5.1)."""
HTTP_METHODS: Final = (b"GET ", b"POST", b"PUT ", b"HEAD", b"PATC", b"DELE", b"OPTI", b"CONN", b"PRI ")


def what_it_is(size: int, protocol: str) -> str:
    """A sentence about a client whose first frame claims to have this many bytes. `protocol`: the listener's."""
    start = (size & 0xFFFFFFFF).to_bytes(4, "big")
    if start.startswith(TLS_HANDSHAKE):
        return (
            f"a TLS client connected to a {protocol} listener: give it security.protocol={protocol}, or tls=True here"
        )
    if start in HTTP_METHODS:
        return f"an HTTP client connected to a {protocol} listener: Kafka's port is not a web server"
    return f"a frame of {size} bytes, which is negative or more than socket.request.max.bytes allows"


def login_without_need(mechanism: str, protocol: str) -> str:
    """A sentence about a client that tries to log in on a listener without logins."""
    return (
        f"a SASL client ({mechanism}) connected to a {protocol} listener, which takes no logins: give it"
        f" security.protocol={protocol}, or users= here"
    )
