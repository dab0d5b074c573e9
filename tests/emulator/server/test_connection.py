"""The state machine of a connection, alone: bytes in, requests out, answers in, bytes out."""

from collections.abc import Iterator
from itertools import product

import pytest
from fakekafka.pieces import Chunks
from fakekafka.server.connection import MAX_SENT, MAX_UNSENT, TRANSITIONS, Connection, Event, State, WrongState
from fakekafka.server.inbox import FrameRefused, SpareBuffers


@pytest.fixture
def connection() -> Connection:
    return Connection(1, 0, "127.0.0.1", 50_000, 1 << 20, SpareBuffers())


def framed(*frames: bytes) -> bytes:
    return b"".join(len(frame).to_bytes(4, "big") + frame for frame in frames)


def taken(connection: Connection) -> bytes:
    """The next request, which must be there."""
    frame = connection.next_request()
    assert frame is not None
    return bytes(frame)


def sent(connection: Connection) -> bytes:
    """Send everything that the connection has to send, and return it."""
    out = b""
    while connection.outbox.size:
        buffers = connection.data_to_send(MAX_SENT)
        out += b"".join(buffers)
        connection.sent(sum(map(len, buffers)))
    return out


def test_requests_come_out_one_at_a_time(connection: Connection) -> None:
    connection.receive(framed(b"one", b"two"))
    assert taken(connection) == b"one"
    assert connection.state is State.BUSY
    assert not connection.has_request
    assert connection.next_request() is None
    connection.send([b"answer"])
    connection.done()
    assert taken(connection) == b"two"
    assert sent(connection) == b"answer"


def test_a_request_needs_all_its_bytes(connection: Connection) -> None:
    data = framed(b"one")
    for n in range(len(data)):
        assert not connection.has_request
        assert connection.receive(data[n : n + 1]) == 1
    assert connection.has_request


def test_a_frame_that_is_too_large_is_refused(connection: Connection) -> None:
    connection.receive((2 << 20).to_bytes(4, "big"))
    assert connection.has_request
    with pytest.raises(FrameRefused):
        connection.next_request()


def test_a_client_that_does_not_read_is_not_served_any_further(connection: Connection) -> None:
    connection.receive(framed(b"one", b"two", b"three"))
    connection.next_request()
    connection.send([bytes(MAX_UNSENT)])
    connection.done()
    assert connection.has_request
    connection.next_request()
    connection.send([b"."])
    connection.done()
    assert not connection.has_request
    assert not connection.wants_bytes
    connection.sent(1)
    assert connection.has_request
    assert connection.wants_bytes


def test_bytes_wait_behind_a_request_in_flight_until_there_is_no_room(connection: Connection) -> None:
    connection.receive(framed(b"one"))
    connection.next_request()
    while connection.wants_bytes:
        assert connection.receive(framed(b"more")) > 0
    assert connection.receive(b"x") == 0
    connection.done()
    assert taken(connection) == b"more"


def test_closing_sends_what_is_queued_first(connection: Connection) -> None:
    connection.receive(framed(b"one", b"two"))
    connection.next_request()
    connection.send([b"answer"])
    connection.close()
    assert connection.is_closing
    assert not connection.is_over
    assert not connection.has_request
    assert sent(connection) == b"answer"
    assert connection.is_over


def test_an_aborted_connection_sends_nothing_more(connection: Connection) -> None:
    connection.receive(framed(b"one"))
    connection.next_request()
    connection.send([b"answer"])
    connection.abort()
    assert connection.is_over
    assert connection.outbox.size == 0


def test_an_answer_to_a_connection_that_closes_is_dropped(connection: Connection) -> None:
    connection.receive(framed(b"one"))
    connection.next_request()
    connection.close()
    connection.send([b"answer"])
    connection.done()
    assert connection.outbox.size == 0


def test_requests_that_a_client_sent_before_it_left_are_still_handled(connection: Connection) -> None:
    """Producers that want no answer send and leave (Kafka's Selector keeps such channels until all is read)."""
    connection.receive(framed(b"one", b"two"))
    connection.received(0)
    for frame in (b"one", b"two"):
        assert not connection.is_over
        assert taken(connection) == frame
        connection.done()
    assert connection.is_over


def test_a_client_that_left_while_its_request_waits_is_not_waited_for(connection: Connection) -> None:
    connection.receive(framed(b"one", b"two"))
    connection.next_request()
    connection.received(0)
    assert connection.is_over


def test_a_hung_connection_takes_no_requests(connection: Connection) -> None:
    connection.receive(framed(b"one", b"two"))
    connection.next_request()
    connection.hang()
    assert connection.next_request() is None
    assert not connection.is_over
    connection.close()
    assert connection.is_over


def test_chunks_are_made_when_their_turn_comes(connection: Connection) -> None:
    made = []

    def chunks(n: int) -> Chunks:
        def give() -> Iterator[bytes]:
            for part in range(2):
                made.append((n, part))
                yield b"%d.%d" % (n, part)

        return Chunks(6, give)

    connection.receive(framed(b"one"))
    connection.next_request()
    connection.send([b"a", chunks(1), b"b", b"c", chunks(2)])
    assert connection.outbox.size == 15
    assert connection.data_to_send(MAX_SENT) == [b"a"]
    assert made == []
    connection.sent(1)
    assert connection.data_to_send(MAX_SENT) == [b"1.0"]
    assert made == [(1, 0)]
    connection.sent(2)
    assert connection.data_to_send(MAX_SENT) == [b"0"]
    assert sent(connection) == b"01.1bc2.02.1"


def test_bytes_that_were_not_sent_are_given_again(connection: Connection) -> None:
    connection.receive(framed(b"one"))
    connection.next_request()
    connection.send([b"abc", b"def"])
    connection.sent(0)
    assert b"".join(connection.data_to_send(MAX_SENT)) == b"abcdef"
    connection.sent(4)
    assert b"".join(connection.data_to_send(MAX_SENT)) == b"ef"


@pytest.mark.parametrize(("state", "event"), list(product(State, Event)))
def test_connections_follow_the_table_of_transitions(connection: Connection, state: State, event: Event) -> None:
    connection.receive(framed(b"one"))
    connection.state = state
    after = TRANSITIONS[event].get(state)
    if event is Event.REQUEST:
        assert (connection.next_request() is None) == (after is None)
        assert connection.state is (after or state)
        return
    action = {
        Event.HOLD: connection.hold,
        Event.ADMIT: connection.admit,
        Event.DONE: connection.done,
        Event.HANG: connection.hang,
        Event.CLOSE: connection.close,
        Event.GONE: connection.closed,
    }[event]
    if after is None:
        with pytest.raises(WrongState, match=state.name):
            action()
    else:
        action()
        assert connection.state is after


def test_an_answer_without_a_request_is_a_defect(connection: Connection) -> None:
    with pytest.raises(WrongState):
        connection.send([b"answer"])
