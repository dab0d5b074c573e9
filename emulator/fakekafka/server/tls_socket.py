"""A socket with TLS around it, for the loop: it never blocks, and buffers the bytes in between.

It looks like the socket that it wraps, as far as a channel uses one. Plain bytes may be left in it that no event of the
system reports (`has_more`), and encrypted ones that the system did not take yet (`push`).
"""

import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, Protocol

from fakekafka.ids import Buffer

READ_BYTES: Final = 65536
WRITE_BYTES: Final = 262144
"""How much is encrypted at a time: it is sent in one call, or waits here."""


NO_TLS: Final = b"\x15\x03\x03\x00\x02\x02\x50"
"""The answer to a client that does not speak TLS: the alert "internal error", fatal, which Kafka clients take for the
size of a frame, 352,518,912 bytes. OpenSSL sends nothing. Asked of 1.1.1 to 4.3.1 on JDK 17.
"""


class RawSocket(Protocol):
    """A socket that does not block."""

    def recv(self, size: int, /) -> bytes: ...
    def recv_into(self, space: memoryview, /) -> int: ...
    def send(self, data: Buffer, /) -> int: ...
    def fileno(self) -> int: ...
    def close(self) -> None: ...


class TlsSocket:
    """One connection. `on_secured` gets the client's certificate, as DER, when the handshake is done."""

    def __init__(self, raw: RawSocket, context: ssl.SSLContext, on_secured: Callable[[bytes | None], None]) -> None:
        self._raw = raw
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self._on_secured = on_secured
        self._secured = False
        self._starved = True  # nothing can be decrypted before more has come
        self._unsent = b""
        self._has_spoken = False

    def fileno(self) -> int:
        return self._raw.fileno()

    @property
    def is_secured(self) -> bool:
        """Whether the handshake is complete."""
        return self._secured

    @property
    def has_more(self) -> bool:
        """Whether there may be plain bytes that have already come."""
        return self._secured and not self._starved

    @property
    def is_full(self) -> bool:
        """Whether encrypted bytes wait for the system to take them."""
        return bool(self._unsent) or self._outgoing.pending > 0

    def recv_into(self, space: memoryview) -> int:
        """Plain bytes. Raises `BlockingIOError` if there are none yet, `OSError` where the handshake fails."""
        while True:
            try:
                if not self._secured:
                    self._shake_hands()
                return self._decrypt(space)
            except ssl.SSLWantReadError:
                self._starved = True
                self.push()
                received = self._raw.recv(READ_BYTES)
                if not received:
                    return 0
                self._incoming.write(received)
                self._starved = False
            except ssl.SSLError:
                if not self._has_spoken and not self._outgoing.pending:
                    self._unsent = NO_TLS
                self.push()  # send the alert
                raise

    def _decrypt(self, space: memoryview) -> int:
        """The plain bytes of all records that have come: clients may send small ones. Raises `ssl.SSLError`; if
        a record after good ones is broken, only the next time.
        """
        taken = self._read(space)
        with suppress(ssl.SSLError):
            while taken < len(space) and self._incoming.pending and (count := self._read(space[taken:])):
                taken += count
        return taken

    def _read(self, space: memoryview) -> int:
        return self._tls.read(len(space), space)  # type: ignore[return-value]  # the stub says bytes

    def _shake_hands(self) -> None:
        self._tls.do_handshake()
        self._secured = True
        self.push()
        self._on_secured(self._tls.getpeercert(binary_form=True))

    def send_buffers(self, buffers: Sequence[Buffer]) -> int:
        """Encrypt plain bytes and send them; returns how many bytes were taken. Raises `BlockingIOError` if none can
        be.
        """
        self.push()
        if self.is_full:
            raise BlockingIOError
        taken = 0
        for buffer in buffers:
            view = memoryview(buffer)
            for at in range(0, len(view), WRITE_BYTES):
                taken += self._tls.write(view[at : at + WRITE_BYTES])
                self.push()
                if self.is_full:
                    return taken
        return taken

    def push(self) -> None:
        """Send encrypted bytes, as far as the system takes them."""
        while True:
            if not self._unsent:
                self._unsent = self._outgoing.read()
            if not self._unsent:
                return
            self._has_spoken = True
            try:
                count = self._raw.send(self._unsent)
            except BlockingIOError:
                return
            self._unsent = self._unsent[count:]

    def close(self) -> None:
        self._raw.close()
