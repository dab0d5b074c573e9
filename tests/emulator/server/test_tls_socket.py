"""TLS around a socket that never blocks: bytes that have come are handed on before a broken record is refused."""

import contextlib
import socket
import ssl
from collections.abc import Iterator

import pytest
from fakekafka.server.tls_socket import NO_TLS, TlsSocket
from fakekafka.settings.tls import Tls

TLS = Tls()
SERVER = TLS.server_context()
TRUSTING = ssl.create_default_context(cafile=str(TLS.ca_file))
LARGEST_RECORD = 16384


class Peers:
    """A server's socket, and a client whose encrypted bytes the test sends at the time it chooses."""

    def __init__(self) -> None:
        raw, self.wire = socket.socketpair()
        for each in (raw, self.wire):
            each.setblocking(False)
        self.certificates: list[bytes | None] = []
        self.server = TlsSocket(raw, SERVER, self.certificates.append)
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.client = TRUSTING.wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")

    def shake_hands(self) -> None:
        is_done = False
        while not (is_done and self.server.is_secured):
            with contextlib.suppress(ssl.SSLWantReadError):
                self.client.do_handshake()
                is_done = True
            self.wire.send(self.outgoing.read() or b"")
            with contextlib.suppress(BlockingIOError):
                self.server.recv_into(memoryview(bytearray(1)))
            self.take()

    def take(self) -> None:
        """Take what the server has sent."""
        with contextlib.suppress(BlockingIOError):
            self.incoming.write(self.wire.recv(1 << 20))

    def encrypted(self, *plain: bytes) -> list[bytes]:
        """A record for each text."""
        records = []
        for text in plain:
            self.client.write(text)
            records.append(self.outgoing.read())
        return records

    def read(self, size: int = 1 << 16) -> bytes:
        """What the server reads at once."""
        space = bytearray(size)
        return bytes(space[: self.server.recv_into(memoryview(space))])


@pytest.fixture
def peers() -> Iterator[Peers]:
    made = Peers()
    yield made
    made.server.close()
    made.wire.close()


@pytest.fixture
def secured(peers: Peers) -> Peers:
    peers.shake_hands()
    return peers


def broken(record: bytes) -> bytes:
    """A record that is not what the client has encrypted."""
    return record[:-1] + bytes([record[-1] ^ 1])


def test_a_handshake_says_once_which_certificate_the_client_has(peers: Peers) -> None:
    assert not peers.server.is_secured
    peers.shake_hands()
    assert peers.server.is_secured
    assert peers.certificates == [None]


def test_records_that_come_together_are_read_at_once(secured: Peers) -> None:
    secured.wire.send(b"".join(secured.encrypted(b"one ", b"two ", b"three")))
    assert secured.read() == b"one two three"
    with pytest.raises(BlockingIOError):
        secured.read()


def test_bytes_that_do_not_fit_are_kept_without_another_event(secured: Peers) -> None:
    secured.wire.send(b"".join(secured.encrypted(b"12345")))
    assert secured.read(2) == b"12"
    assert secured.server.has_more
    assert secured.read(2) + secured.read(2) == b"345"


def test_half_a_record_waits_for_the_rest(secured: Peers) -> None:
    whole, (record,) = b"together", secured.encrypted(b"together")
    secured.wire.send(record[:9])
    with pytest.raises(BlockingIOError):
        secured.read()
    assert not secured.server.has_more
    secured.wire.send(record[9:])
    assert secured.read() == whole


def test_records_before_a_broken_one_are_read_and_then_the_connection_fails(secured: Peers) -> None:
    first, second, third = secured.encrypted(b"good ", b"records ", b"spoilt")
    secured.wire.send(first + second + broken(third))
    assert secured.read() == b"good records "
    assert secured.server.has_more, "nothing else would make the channel read on"
    for _ in range(2):
        with pytest.raises(ssl.SSLError):
            secured.read()
    secured.take()
    with pytest.raises(ssl.SSLError, match=r"BAD_RECORD_MAC|bad record mac"):
        secured.client.read()


def test_records_before_the_client_s_goodbye_are_read(secured: Peers) -> None:
    records = secured.encrypted(b"last ", b"words")
    with contextlib.suppress(ssl.SSLWantReadError):
        secured.client.unwrap()
    secured.wire.send(b"".join(records) + secured.outgoing.read())
    assert secured.read() == b"last words"
    assert secured.read() == b""


def test_a_broken_record_alone_fails_at_once(secured: Peers) -> None:
    secured.wire.send(broken(*secured.encrypted(b"spoilt")))
    with pytest.raises(ssl.SSLError):
        secured.read()


def test_nothing_is_read_after_the_end_of_the_connection(secured: Peers) -> None:
    secured.wire.close()
    assert secured.read() == b""


def test_a_client_that_speaks_no_tls_gets_an_alert(peers: Peers) -> None:
    peers.wire.send(b"\x00\x00\x00\x10 plain request")
    with pytest.raises(ssl.SSLError):
        peers.read()
    assert peers.wire.recv(100)[: len(NO_TLS)] == NO_TLS


def test_bytes_that_the_system_does_not_take_wait(secured: Peers) -> None:
    piece, sent = bytes(1 << 18), 0
    while not secured.server.is_full:
        sent += secured.server.send_buffers([piece])
    with pytest.raises(BlockingIOError):
        secured.server.send_buffers([b"more"])
    received = 0
    while received < sent:
        secured.take()
        secured.server.push()
        with contextlib.suppress(ssl.SSLWantReadError):
            while True:
                received += len(secured.client.read(LARGEST_RECORD))
    assert received == sent
    assert not secured.server.is_full
