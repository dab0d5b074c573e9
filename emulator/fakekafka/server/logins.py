"""Passes what clients send before, or instead of, requests to their logins, and carries out the reactions."""

from copy import copy
from typing import TYPE_CHECKING, TypeAlias

from fakekafka.cluster.cluster import Cluster
from fakekafka.handlers.call import Outcome
from fakekafka.handlers.refusal import refusal
from fakekafka.ids import DurationMs
from fakekafka.server.connection import Connection
from fakekafka.server.journal import Entry, Journal
from fakekafka.server.manners import Fallback, ReadRequest
from fakekafka.wire.frames import SIZE, response_frame
from fakekafka.wire.message import Response

if TYPE_CHECKING:
    from fakekafka.security.sasl.authentication import Authentication, Reaction


Asked: TypeAlias = ReadRequest | Fallback | Outcome | None
"""The request that arrived; None: a bare token."""


class Logins:
    """The logins of a cluster's connections."""

    def __init__(self, cluster: Cluster, journal: Journal) -> None:
        self._cluster, self._journal = cluster, journal

    def react(self, connection: Connection, login: "Authentication", request: Asked) -> "Reaction | None":
        """Handle a frame. Returns None if it is for the handlers, or if the release reacts to it as usual."""
        elapsed_ms, now_ms = self._cluster.timers.elapsed_ms, self._cluster.clock.now_ms
        if isinstance(request, ReadRequest):
            reaction = login.request(request.key, request.version, request.body, elapsed_ms, now_ms)
            self._note(connection, login)
            return reaction
        if isinstance(request, Fallback):
            return login.unknown_versions(elapsed_ms)
        return login.unreadable(elapsed_ms)

    def token(self, connection: Connection, login: "Authentication", token: bytes) -> "Reaction":
        """Handle a bare token."""
        reaction = login.token(token, self._cluster.timers.elapsed_ms, self._cluster.clock.now_ms)
        self._note(connection, login)
        return reaction

    def _note(self, connection: Connection, login: "Authentication") -> None:
        """If the login has just succeeded, give the connection its principal, and accept large requests from it."""
        if login.is_open and connection.principal != login.principal:
            connection.principal = login.principal
            limit = self._cluster.brokers[connection.node_id].config.int("socket.request.max.bytes")
            connection.trust(limit)

    def delay_ms(self, connection: Connection) -> DurationMs:
        """How long to wait before a failed login ends."""
        broker = self._cluster.brokers.get(connection.node_id)
        if broker is None or not broker.profile.sasl.failures_delayed:
            return 0
        return broker.config.int("connection.failed.authentication.delay.ms")

    def carry_out(
        self, connection: Connection, request: Asked, reaction: "Reaction", entry: Entry | None = None
    ) -> None:
        """Answer, close, or forget the connection; the journal's entry records it."""
        if reaction.token is not None:
            connection.send([SIZE.pack(len(reaction.token)) + reaction.token])
        elif isinstance(request, ReadRequest):
            refused, response = reaction.refused_with, reaction.response
            answer = response if refused is None else refusal(request.body, request.version, refused)
            if answer is not None:
                pieces = response_frame(answer, request.version, request.correlation_id)
                connection.send(pieces)
                if entry is not None:
                    self._journal.answered(entry, _without_proof(answer), pieces, self._cluster.clock)
        elif isinstance(request, Fallback) and reaction.response is not None:
            connection.send(response_frame(reaction.response, 0, request.correlation_id))
        if entry is not None and not entry.is_over:
            entry.outcome = Outcome.HANG if reaction.forgotten else Outcome.CLOSE
        if reaction.forgotten:
            connection.hang()
        elif reaction.ends:
            connection.close()
        else:
            connection.done()


def _without_proof(answer: Response) -> Response:
    """The answer without anything from which a password could be guessed."""
    from fakekafka.wire.apis.sasl_authenticate import SaslAuthenticateResponse  # few clients log in

    if not isinstance(answer, SaslAuthenticateResponse) or not answer.auth_bytes:
        return answer
    kept = copy(answer)
    kept.auth_bytes = b""
    return kept
