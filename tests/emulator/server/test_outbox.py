"""What a connection has to send: in order, chunks as late as possible, never more at once than asked for."""

from fakekafka.pieces import Chunks
from fakekafka.server.outbox import MAX_BUFFERS, Outbox


def test_no_more_is_given_than_asked_for() -> None:
    outbox = Outbox()
    outbox.put([b"abc", b"defg"])
    assert outbox.ready(2) == [b"ab"]
    assert outbox.ready(4) == [b"abc", b"d"]
    assert outbox.ready(100) == [b"abc", b"defg"]


def test_no_more_buffers_are_given_than_the_system_takes() -> None:
    outbox = Outbox()
    outbox.put([b"x"] * (MAX_BUFFERS + 1))
    assert len(outbox.ready(1 << 20)) == MAX_BUFFERS


def test_bytes_that_were_sent_are_gone() -> None:
    outbox = Outbox()
    outbox.put([b"abc", b"defg"])
    outbox.sent(4)
    assert outbox.size == 3
    assert outbox.ready(100) == [b"efg"]
    outbox.sent(3)
    assert outbox.ready(100) == []


def test_chunks_and_what_comes_after_them_keep_their_order() -> None:
    outbox = Outbox()
    outbox.put([Chunks(4, lambda: iter([b"ab", b"cd"]))])
    outbox.put([b"e"])
    found = b""
    while outbox.size:
        (buffer,) = outbox.ready(100)
        found += buffer
        outbox.sent(len(buffer))
    assert found == b"abcde"


def test_a_cleared_outbox_has_nothing_to_send() -> None:
    outbox = Outbox()
    outbox.put([b"a", Chunks(4, lambda: iter([b"abcd"]))])
    outbox.clear()
    assert (outbox.size, outbox.ready(100)) == (0, [])
