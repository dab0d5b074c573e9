"""Clients that do not speak Kafka's protocol, recognised by the first bytes that they send, and clients that ask for
what the release does not have.

A broker takes these bytes for the size of a frame, finds it too large, and closes the connection; the client waits
until its own timeout. The reason is remembered for the user who looks for it.
"""

from typing import Final

from fakekafka.ids import ApiKey
from fakekafka.server.manners import KEYS, ApiRanges

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


def what_was_asked(frame: bytearray, accepted: ApiRanges, release: object) -> str:
    """A sentence about a request that a broker does not answer. `accepted`: the versions that it takes, by key."""
    number, version = (int.from_bytes(frame[at : at + 2], "big", signed=True) for at in (0, 2))
    key: ApiKey | None = KEYS.get(number)
    if key is None:
        return f"the client asked API {number} v{version}, which Kafka does not have"
    name = key.name.title().replace("_", "")
    if key not in accepted:
        return f"the client asked {name} v{version}, which Kafka {release} does not have"
    low, high = accepted[key]
    if not low <= version <= high:
        return f"the client asked {name} v{version}; Kafka {release} has v{low} to v{high}"
    return f"the client asked {name} v{version} in bytes that cannot be read"


def login_without_need(mechanism: str, protocol: str) -> str:
    """A sentence about a client that tries to log in on a listener without logins."""
    return (
        f"a SASL client ({mechanism}) connected to a {protocol} listener, which takes no logins: give it"
        f" security.protocol={protocol}, or users= here"
    )
