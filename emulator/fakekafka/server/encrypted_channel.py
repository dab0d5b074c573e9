"""A channel with TLS: bytes may have arrived that no event of the system reports, and encrypted ones may wait."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fakekafka.ids import Buffer
from fakekafka.security.mapping_rules import NoRuleApplies
from fakekafka.security.tls import principal_of
from fakekafka.server.channel import READS_PER_TURN, Channel, Server
from fakekafka.server.connection import Connection
from fakekafka.server.tls_socket import RawSocket, TlsSocket

if TYPE_CHECKING:
    from fakekafka.security.tls import Encryption


class EncryptedChannel(Channel):
    """One client that is connected to a listener with TLS."""

    def __init__(self, server: Server, client: RawSocket, connection: Connection, encryption: "Encryption") -> None:
        secured = encryption.now()

        def note(certificate: bytes | None) -> None:
            if connection.authentication is None:  # otherwise the login says who the client is
                connection.principal = principal_of(secured.rules, certificate)

        self._tls = TlsSocket(client, secured.context, note)
        super().__init__(server, client, connection)
        self.is_new = True
        self._send_buffers = self._encrypt

    @property
    def _has_more(self) -> bool:
        """Whether there are decrypted bytes that may be taken."""
        return (
            not self._is_closed
            and self._tls.has_more
            and self._connection.wants_bytes
            and not self._connection.has_ended
        )

    def ready(self, events: int) -> None:
        super().ready(events)
        if self._has_more:
            self._server.turns.add(self)

    def take_turn(self) -> bool:
        if self._has_more:
            self._read()
        return super().take_turn()

    def flush(self) -> bool:
        return super().flush() or self._has_more

    def _read(self) -> None:
        connection = self._connection
        for _ in range(READS_PER_TURN):
            if not connection.wants_bytes:
                break
            try:
                count = self._tls.recv_into(connection.space())
            except BlockingIOError:
                connection.nothing_came()
                break
            except OSError as e:
                self._fail(e)
                return
            if not count and not self._tls.is_secured:
                self._fail(ConnectionResetError())
                return
            connection.received(count)
            if not count:
                break
        self._is_full = self._is_full or self._tls.is_full
        if self.is_new:
            self._find_out_who_it_is()
        self._end()

    def _find_out_who_it_is(self) -> None:
        if self._tls.is_secured:
            super()._find_out_who_it_is()

    def _fail(self, failure: OSError) -> None:
        """End the connection after an error of the system or of TLS."""
        if isinstance(failure, NoRuleApplies):
            self.turn_away(str(failure))
        elif self._tls.is_secured:
            self.close()
        else:
            from fakekafka.server.handshake_failures import why_failed  # few handshakes fail

            self.turn_away(why_failed(failure))

    def _encrypt(self, buffers: Sequence[Buffer]) -> int:
        return self._tls.send_buffers(buffers)

    def _send(self) -> None:
        self._tls.push()
        self._is_full = self._tls.is_full
        super()._send()
        self._is_full = self._tls.is_full

    def _end(self) -> None:
        if self._connection.is_over and self._tls.is_full:
            self._watch()
        else:
            super()._end()
