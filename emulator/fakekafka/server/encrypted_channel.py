"""A channel with TLS: bytes may have come that no event of the system tells of, and encrypted ones may wait."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fakekafka.ids import Buffer
from fakekafka.server.channel import READS_PER_TURN, Channel, Server
from fakekafka.server.connection import Connection
from fakekafka.server.tls_socket import RawSocket, TlsSocket

if TYPE_CHECKING:
    from fakekafka.security.tls import Encryption


class EncryptedChannel(Channel):
    """One client that is connected to a listener with TLS."""

    def __init__(self, server: Server, client: RawSocket, connection: Connection, encryption: "Encryption") -> None:
        def note(certificate: "dict[str, Any] | None") -> None:
            connection.principal = encryption.principal(certificate)

        self._tls = TlsSocket(client, encryption.context, note)
        super().__init__(server, client, connection)
        self._send_buffers = self._encrypt

    @property
    def _has_more(self) -> bool:
        """Whether plain bytes came already that may be taken."""
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
                break
            except OSError:
                self.close()
                return
            connection.received(count)
            if not count:
                break
        self._is_full = self._is_full or self._tls.is_full
        self._end()

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
