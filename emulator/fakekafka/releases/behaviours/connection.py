"""The connection: what a broker does with bytes before, or instead of, handling a request.

Class names: SocketServer, RequestChannel, KafkaApis. Three ends of a request that gets no answer:

- "close": the connection is closed, nothing is sent;
- "silent": an exception is lost in the network thread. The request is dropped, and the next one on the same connection
  is served as if nothing had happened (asked of 0.9.0.1, 0.10.0.1 and 0.11.0.3). What came from other connections
  after it in the same poll of that thread is lost, too;
- an answer in another layout than the request's version asks for.

Not here, since every release does it: a size above socket.request.max.bytes or below 0 closes; bytes after the body are
ignored; an incomplete frame waits, and ends with the connection; one request at a time.

Nor are things that a test double has no use for: connections that are idle (closed from 0.8.2 on, KAFKA-1282),
exceptions in handlers (0.9 answers in the layout of version 0, KAFKA-3427), memory for arrays (CVE-2022-34917).
"""

from typing import Final, Literal, TypeAlias

from fakekafka.ids import ApiKey as K
from fakekafka.releases.behaviours.behaviour import Behaviours, history

End: TypeAlias = Literal["close", "silent"]

_NONE: Final = frozenset[K]()
_BEFORE_GROUPS: Final = frozenset(K(key) for key in range(10))
"""Keys 0 to 9, whose requests 0.9 reads with Scala classes of their own."""
_READ_AS_V0: Final = frozenset({K.PRODUCE, K.FETCH, K.LIST_OFFSETS, K.METADATA})
_INTERNAL: Final = frozenset({K.LEADER_AND_ISR, K.STOP_REPLICA, K.UPDATE_METADATA, K.CONTROLLED_SHUTDOWN})


class ConnectionBehaviour(Behaviours):
    """What happens between the socket and the handler."""

    usage_always_counts: bool = history({"0.8.0": False, "0.9.0": True, "1.0": False})
    """Whether the bytes that clients produce and consume count before there is any quota, for one that is set later
    (ClientQuotaManager.scala). Recorded from 0.9.0.1 to 1.0.2: random_quotas."""

    address_limits_from_properties: bool = history({"0.8.0": True}, kraft={"2.8": False})
    """Whether a broker that starts does not heed max.connections.per.ip and its overrides as they were set while it ran
    before (ConnectionQuotas). Recorded at 2.6.3: random_limits."""

    tiny_frame: End = history({"0.8.0": "close", "0.9.0": "silent", "1.0": "close"})
    """A frame of size 0 or 1, too short for an API key: the first int16 is read outside of the try block (0.9 to 0.11,
    RequestChannel.scala). Recorded from 0.8.2.2 to 4.3.1: handshake."""

    unknown_key: End = history({"0.8.0": "close", "0.9.0": "silent", "0.10.0": "close"})
    """An API key that the release does not know, ApiVersions on 0.8 and 0.9 included (0.9 indexes past the table of
    keys). Recorded from 0.8.2.2 to 4.3.1: handshake."""

    swallowed_keys: frozenset[K] = history(
        {
            "0.8.0": _NONE,
            "0.9.0": _BEFORE_GROUPS,
            "0.10.0": frozenset({K.FETCH, K.CONTROLLED_SHUTDOWN}),
            "0.10.2": frozenset({K.CONTROLLED_SHUTDOWN}),
            "1.0": _NONE,
        }
    )
    """Keys for which a header or body that is cut short or unreadable ends in silence; for all others the connection
    closes. Those are the keys still read by Scala classes. Metadata recorded from 0.8.2.2 to 4.3.1: handshake; the
    others: RequestChannel.scala."""

    negative_count: Literal["unreadable", "null"] = history({"0.8.0": "unreadable", "2.8": "null"})
    """A negative count other than -1 of an array that may be null, in a flexible version (CompactArrayOf). Recorded
    from 2.7.2 to 4.3.1: odd_lengths."""

    unchecked_versions: frozenset[K] = history(
        {
            "0.8.0": _READ_AS_V0 | _INTERNAL,
            "0.8.1": _READ_AS_V0 | _INTERNAL | {K.OFFSET_COMMIT, K.OFFSET_FETCH},
            "0.8.2": _READ_AS_V0 | _INTERNAL | {K.OFFSET_FETCH, K.FIND_COORDINATOR},
            "0.9.0": _READ_AS_V0 | _INTERNAL | {K.OFFSET_FETCH},
            "0.10.0": frozenset({K.FETCH, K.CONTROLLED_SHUTDOWN}),
            "0.10.2": frozenset({K.CONTROLLED_SHUTDOWN}),
            "1.0": _NONE,
        }
    )
    """Keys for which any version number is accepted: a request above the newest version is read and answered as the
    newest. 0.9 takes Produce 2 as 1, 0.10.0 takes Fetch 3 as 2, 0.10.1 takes Fetch 4 as 3. Recorded from 0.8.2.2 to
    0.10.1.1: handshake; keys between brokers: their Scala classes."""

    unsupported_version: End = history({"0.8.0": "close", "0.9.0": "silent", "0.10.0": "close"})
    """A version that the release does not serve, of a key not in `unchecked_versions`; ApiVersions has its own answer
    from 0.10.0 on. Recorded from 0.8.2.2 to 4.3.1: handshake."""

    null_client_id: frozenset[K] = history({"0.8.0": _NONE, "0.9.0": _BEFORE_GROUPS, "0.10.0": _NONE})
    """If not empty, a null client id closes the connection for every key but these: unknown keys, too, which are
    swallowed if there is a client id. Recorded from 0.9.0.1: handshake; 0.10.0 made the field nullable."""

    api_versions_fallback: Literal["empty", "own range"] = history({"0.8.0": "empty", "2.4": "own range"})
    """The keys listed in the answer (version 0, error 35) to ApiVersions at a version that the release lacks: no key;
    ApiVersions itself (KIP-511). The body is not read. Recorded from 0.10.0.1, the first line with the API, to 4.3.1:
    handshake."""

    api_versions_header: Literal["as version 0", "as the version asks"] = history(
        {"0.8.0": "as version 0", "2.4": "as the version asks"}
    )
    """How the header of an ApiVersions request at a version that the release lacks is read: header 1 always; or header
    2 for every version from 3 on, known or not (KIP-511, RequestHeader.java)."""

    software_name_checked: bool = history({"0.8.0": False, "2.4": True})
    """Whether ApiVersions 3+ answers error 42, without keys and in the version asked, unless client software name and
    version match `[a-zA-Z0-9](?:[a-zA-Z0-9\\-.]*[a-zA-Z0-9])?` (KIP-511). Recorded from 2.4.1 to 4.3.1: handshake."""

    level_0_features_hidden: bool = history({"0.8.0": False, "3.9": True})
    """Whether ApiVersions below version 4 leaves out supported features whose lowest level is 0 (KAFKA-17492). Recorded
    from 3.9.1 to 4.3.1: handshake."""

    envelope_listed_last: bool = history({"0.8.0": False}, kraft={"2.8": True, "3.2": False})
    """Whether ApiVersions lists Envelope after all other keys. Recorded from 2.8.2 to 3.2.3: handshake, admin."""

    mechanisms_shown: bool = history({"0.8.0": True, "1.1": False})
    """Whether SaslHandshake lists the broker's SASL mechanisms on a listener without SASL. Recorded from 0.10.0.1 to
    4.3.1: admin; 1.0.2 asked."""

    checked_destination: bool = history({"0.8.0": False, "4.4": True})
    """Whether ApiVersions 5+ answers error 129 if the client meant another cluster or node (KIP-1242)."""
