"""The replay against recordings as peers: a recording differs from itself only where it is changed.

It is long, since each rule of the comparison has its test, and the tests share the peers at the top, which misbehave on
purpose.
"""

import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from fakekafka.binary import crc32, crc32c
from fakekafka.errors import BrokerWillNotStart, UsageError
from fakekafka.ids import ApiKey
from fakekafka.records import scan
from fakekafka.records.v2 import RecordBatch

from tests.golden.channel import Client
from tests.golden.form import UUID, Difference
from tests.golden.held_clock import HeldClock
from tests.golden.messages import decode_answer, decode_request
from tests.golden.playback import Playback, PlaybackClient
from tests.golden.replay import CLOSE_MS, IDLE_TRIES, PATIENCE_MS, Mismatch, Replay, replay
from tests.golden.transcript import (
    ConfigureTopic,
    CreateTopic,
    DeleteTopic,
    End,
    Exchange,
    ExpectClose,
    Line,
    LoseLeaders,
    Recording,
    Restart,
    Sent,
    SetClock,
    Start,
    load,
    names,
)

RELEASES = sorted({name.partition("-")[0] for name in names()})
NOW = 1_600_000_000_000


def exchanges(recording: Recording) -> list[Exchange]:
    return [line for line in recording.lines if isinstance(line, Exchange)]


def exchange(n: int, **fields: object) -> Exchange:
    """A Metadata v0 request without topics, answered without brokers and topics."""
    given = {"connection": "main", "clock_ms": NOW, "outcome": answer(n), "api_key": 3, "api_version": 0, "layout": 0}
    request = bytes.fromhex(f"00030000{n:08x}ffff00000000")
    return Exchange(**{"n": n, "request": request, "answer_version": 0, "decodable": True, **given, **fields})  # type: ignore[arg-type]


def answer(n: int) -> bytes:
    return bytes.fromhex(f"{n:08x}0000000000000000")


def renaming(pairs: dict[bytes, bytes]) -> Callable[[Exchange, bytes], bytes]:
    """Replaces bytes, and corrects the checksums of the record bytes in which they stand."""

    def rename(exchange: Exchange, data: bytes) -> bytes:
        out = bytearray(data)
        for old, new in pairs.items():
            out = out.replace(old, new)
        if exchange.api_key == ApiKey.FETCH and data == exchange.outcome and out != data:
            answer: Any = decode_answer(exchange, data)[1]
            for records in (bytes(p.records) for t in answer.responses for p in t.partitions if p.records):
                for unit in scan.units(records):
                    put_right(memoryview(out)[data.index(records) + unit.position :][: unit.size])
        return bytes(out)

    return rename


def put_right(unit: memoryview) -> None:
    """Correct the checksum of a unit."""
    if unit[16] == 2:
        unit[17:21] = crc32c(unit[21:]).to_bytes(4, "big")
    else:
        unit[12:16] = crc32(unit[16:]).to_bytes(4, "big")


class Slow(Playback):
    """Answers after `delay_ms` of elapsed time, and closes connections then."""

    def __init__(self, lines: Sequence[Line], delay_ms: int) -> None:
        super().__init__(lines)
        self._delay_ms = delay_ms
        self._due_ms: int | None = None
        self._held: list[tuple[PlaybackClient, bytes | None]] = []
        self.clock.attach(self)

    def connect(self, listener: str | None = None, source: str | None = None) -> Client:
        return SlowClient(self)

    def hold(self, client: PlaybackClient, data: bytes | None) -> None:
        self._held.append((client, data))
        self._due_ms = self.clock.elapsed_ms + self._delay_ms

    def next_deadline_ms(self) -> int | None:
        return self._due_ms

    def tick(self) -> None:
        if self._due_ms is not None and self.clock.elapsed_ms >= self._due_ms:
            self._due_ms = None

    def take(self, client: PlaybackClient) -> bytes:
        if self._due_ms is not None:
            return b""
        found = [data for held, data in self._held if held is client]
        self._held = [(held, data) for held, data in self._held if held is not client]
        client.closed = client.closed or None in found
        return b"".join(data for data in found if data is not None)


class SlowClient(PlaybackClient):
    def __init__(self, peer: Slow) -> None:
        super().__init__(peer)
        self._slow = peer

    def send(self, data: bytes) -> bytes:
        self._slow.hold(self, self._slow.next_answer(data, self))
        return b""

    def receive(self) -> bytes:
        return self._slow.take(self)


@pytest.mark.parametrize("release", RELEASES)
def test_recordings_played_back_differ_nowhere(release: str) -> None:
    for name in names():
        if name.startswith(release + "-"):
            recording = load(name)
            if recording.listeners or recording.scenario == "quotas":
                continue  # nonces are random, logins not recorded, and a recording does not make clients wait
            for lines in recording.transcripts.values():
                assert Replay(lines, Playback(lines), frozen=recording.frozen).run() == [], name


def test_a_flipped_bit_is_exactly_that_difference() -> None:
    recording = load("2.3.1-handshake")
    asked = next(x for x in exchanges(recording) if x.api_key == ApiKey.METADATA and x.n > 7)
    assert isinstance(asked.outcome, bytes)
    flipped = asked.outcome[:-1] + bytes([asked.outcome[-1] ^ 1])  # the last in-sync replica
    (found,) = replay(recording, Playback(recording.lines, changed={asked.n: flipped}))
    assert (found.n, found.what) == (asked.n, "METADATA v0")
    assert found.difference == ("topics[0].partitions[0].isr_nodes[0]", 0, 1)
    assert found.note.startswith("Metadata at every version")


@pytest.mark.parametrize("name", ["0.10.2.2-group_classic", "3.9.1-group_classic", "4.1.1-group_consumer"])
def test_other_random_member_ids_are_not_a_difference(name: str) -> None:
    recording = load(name)
    answers = b"".join(x.outcome for x in exchanges(recording) if isinstance(x.outcome, bytes))
    ids = sorted(set(UUID.findall(answers)))
    assert ids
    others = [str(uuid.UUID(int=2**100 - n)).encode() for n in range(len(ids))]  # sorted in the opposite order
    assert replay(recording, Playback(recording.lines, rename=renaming(dict(zip(ids, others))))) == []


def test_other_random_topic_ids_are_not_a_difference() -> None:
    recording = load("3.9.1-handshake")
    ids = {x for e in exchanges(recording) if e.refs for x in topic_ids(e)}
    assert ids
    assert replay(recording, Playback(recording.lines, rename=renaming({x: x[::-1] for x in ids}))) == []


def topic_ids(exchange: Exchange) -> list[bytes]:
    message = decode_request(exchange)
    return [t.topic_id for t in getattr(message, "topics", ()) if t.topic_id != bytes(16)]


def test_a_member_id_that_another_member_had_is_a_difference() -> None:
    recording = load("3.9.1-group_classic")
    answers = b"".join(x.outcome for x in exchanges(recording) if isinstance(x.outcome, bytes))
    one, other = list(dict.fromkeys(UUID.findall(answers)))[:2]
    assert replay(recording, Playback(recording.lines, rename=renaming({one: other})))


def test_producer_ids_of_this_run_are_put_into_requests() -> None:
    recording = load("2.3.1-tour")
    init = next(x for x in exchanges(recording) if x.api_key == ApiKey.INIT_PRODUCER_ID)
    assert isinstance(init.outcome, bytes)
    changed = init.outcome[:-10] + (777).to_bytes(8, "big") + init.outcome[-2:]
    peer = Playback(recording.lines, changed={init.n: changed})
    replay(recording, peer)
    sent = [x for x in exchanges(recording) if any(ref.exchange == init.n and ref.batch == 0 for ref in x.refs)]
    assert sent
    for x in sent:
        batch = RecordBatch(peer.received[x.n][-len_of_records(x) :])
        assert batch.producer_id == 777
        assert batch.crc_ok()


def len_of_records(exchange: Exchange) -> int:
    message = decode_request(exchange)
    return len(message.topic_data[0].partition_data[0].records)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("outcome", "got"), [(End.CLOSED, "the connection was closed"), (End.SILENCE, "no answer"), (b"\0", b"\0")]
)
def test_an_answer_that_does_not_come_is_a_difference(outcome: bytes | End, got: object) -> None:
    lines = (exchange(1), exchange(2))
    (found,) = Replay(lines, Playback(lines, changed={1: outcome})).run()
    assert (found.n, found.difference.path, found.difference.got) == (1, "", got)


@pytest.mark.parametrize("recorded", [End.CLOSED, End.SILENCE])
def test_an_answer_that_was_not_recorded_is_a_difference(recorded: End) -> None:
    lines = (exchange(1, outcome=recorded, silent_ms=100), exchange(2))
    (found,) = Replay(lines, Playback(lines, changed={1: answer(1)})).run()
    assert found.n == 1
    assert found.difference.recorded == recorded.value


class Counting(Playback):
    """Counts its connections."""

    connections = 0

    def connect(self, listener: str | None = None, source: str | None = None) -> Client:
        self.connections += 1
        return super().connect()


@pytest.mark.parametrize("outcome", [End.CLOSED, End.SILENCE, answer(1)])
@pytest.mark.parametrize("recorded", [End.CLOSED, End.SILENCE, answer(1)])
def test_a_connection_ends_where_it_was_closed_or_given_up_in_the_recording_or_now(
    recorded: bytes | End, outcome: bytes | End
) -> None:
    lines = (exchange(1, outcome=recorded), exchange(2))
    peer = Counting(lines, changed={1: outcome})
    Replay(lines, peer).run()
    assert peer.connections == (1 if isinstance(recorded, bytes) and isinstance(outcome, bytes) else 2)


def test_another_correlation_id_is_a_difference() -> None:
    lines = (exchange(1),)
    (found,) = Replay(lines, Playback(lines, changed={1: answer(2)})).run()
    assert found.difference == ("correlation_id", 1, 2)


def test_time_elapses_until_an_answer_comes() -> None:
    lines = (exchange(1), exchange(2))
    peer = Slow(lines, delay_ms=500)
    assert Replay(lines, peer).run() == []
    assert peer.clock.elapsed_ms == 1000
    assert peer.clock.now_ms == NOW


def test_a_replay_does_not_wait_for_ever() -> None:
    lines = (exchange(1),)
    (found,) = Replay(lines, Slow(lines, delay_ms=PATIENCE_MS + 1)).run()
    assert found.difference.got == End.SILENCE.value


def test_recorded_silence_lets_as_much_time_elapse() -> None:
    lines = (exchange(1, outcome=End.SILENCE, silent_ms=1500), exchange(2))
    peer = Playback(lines)
    assert Replay(lines, peer).run() == []
    assert peer.clock.elapsed_ms == 1500


def test_an_answer_within_the_recorded_silence_is_a_difference() -> None:
    lines = (exchange(1, outcome=End.SILENCE, silent_ms=1500),)

    class Chatty(Slow):
        def next_answer(self, data: bytes, client: PlaybackClient) -> bytes | None:
            return bytes.fromhex("0000000c") + answer(1)

    (found,) = Replay(lines, Chatty(lines, delay_ms=1000)).run()
    assert found.difference.recorded == "no answer"


def test_pipelined_requests_are_answered_in_order() -> None:
    lines = (Sent(1), Sent(2), exchange(2, sent_before=True), exchange(1, sent_before=True))
    peer = Playback(lines)
    assert Replay(lines, peer).run() == []
    assert list(peer.received) == [1, 2]


def test_requests_that_wait_on_a_connection_end_with_it() -> None:
    closed = {"outcome": End.CLOSED, "sent_before": True}
    lines = (Sent(1), Sent(2), exchange(1, **closed), exchange(2, **closed), exchange(3))
    assert Replay(lines, Playback(lines)).run() == []


class Hesitant(Playback):
    """Gives the recorded answer only to try number `right`."""

    def __init__(self, lines: Sequence[Line], right: int) -> None:
        super().__init__(lines)
        self.right = right
        self.tries = 0

    def next_answer(self, data: bytes, client: PlaybackClient) -> bytes | None:
        self.tries += 1
        wrong = bytes.fromhex("0000000c") + answer(99)
        return super().next_answer(data, client) if self.tries == self.right else wrong


def test_polled_requests_are_repeated_until_the_recorded_answer_comes() -> None:
    lines = (exchange(1, polled=True),)
    peer = Hesitant(lines, right=IDLE_TRIES + 1)
    assert Replay(lines, peer).run() == []
    assert len(Replay(lines, Hesitant(lines, right=IDLE_TRIES + 2)).run()) == 1


def test_polled_requests_are_repeated_as_long_as_timers_fall_due() -> None:
    lines = (exchange(1, polled=True),)
    peer = Hesitant(lines, right=40)
    peer.clock.attach(Every(peer.clock, 1000))
    assert Replay(lines, peer).run() == []
    assert peer.clock.elapsed_ms == 39_000


class Every:
    """A timer that falls due again and again."""

    def __init__(self, clock: HeldClock, period_ms: int) -> None:
        self._clock, self._period_ms = clock, period_ms

    def next_deadline_ms(self) -> int:
        return self._clock.elapsed_ms + self._period_ms

    def tick(self) -> None: ...


def test_requests_that_were_not_polled_are_sent_once() -> None:
    lines = (exchange(1),)
    peer = Hesitant(lines, right=2)
    assert len(Replay(lines, peer).run()) == 1
    assert peer.tries == 1


@pytest.mark.parametrize("closed", [True, False])
def test_a_close_after_a_request_without_an_answer_is_compared(closed: bool) -> None:
    lines = (exchange(1, outcome=End.NOT_ASKED), ExpectClose("main", closed), exchange(2, connection="other"))
    assert Replay(lines, Playback(lines)).run() == []
    turned = (lines[0], ExpectClose("main", not closed), lines[2])
    (found,) = Replay(turned, Playback(lines)).run()
    assert found == Mismatch(0, "", Difference("main closed", not closed, closed), "")


def test_the_broker_has_some_time_to_close() -> None:
    lines = (exchange(1, outcome=End.NOT_ASKED), ExpectClose("main", True))
    assert Replay(lines, Slow(lines, delay_ms=CLOSE_MS)).run() == []
    assert Replay(lines, Slow(lines, delay_ms=CLOSE_MS + 1)).run()


class Journal(Playback):
    """Records the calls that it receives."""

    def __init__(self, lines: Sequence[Line]) -> None:
        super().__init__(lines)
        self.done: list[tuple[object, ...]] = []

    def stop(self, *, kill: bool) -> None:
        self.done.append(("stop", kill))

    def start(self, release: str | None, config: object) -> None:
        self.done.append(("start", release, config))

    def create_topic(self, name: str, partitions: int, config: dict[str, str]) -> None:
        self.done.append(("create", name, partitions, config))

    def configure_topic(self, name: str, config: dict[str, str]) -> None:
        self.done.append(("configure", name, config))

    def delete_topic(self, name: str) -> None:
        self.done.append(("delete", name))

    def elect_leader(self, topic: str, partition: int) -> None:
        self.done.append(("elect", topic, partition))


def test_events_are_carried_out_in_order(tmp_path: Path) -> None:
    (tmp_path / "junk").write_bytes(b"x")
    lines: tuple[Line, ...] = (
        Start("0.9.0.1", NOW),
        CreateTopic("t", 2, {"a": "b"}),
        ConfigureTopic("t", {}),
        LoseLeaders((("t", 0), ("t", 1))),
        SetClock(NOW + 5),
        Restart("0.10.0.1", {"k": None}, True, (("delete", "junk"),), ()),
        DeleteTopic("t"),
    )
    peer = Journal(lines)
    peer.log_dir = tmp_path
    Replay(lines, peer).run()
    assert peer.done == [
        ("create", "t", 2, {"a": "b"}),
        ("configure", "t", {}),
        ("stop", True),
        ("start", "0.10.0.1", {"k": None}),
        ("elect", "t", 0),
        ("elect", "t", 1),
        ("delete", "t"),
    ]
    assert peer.clock.now_ms == NOW + 5
    assert not (tmp_path / "junk").exists()


def test_a_file_that_the_broker_did_not_leave_is_a_difference(tmp_path: Path) -> None:
    lines = (Restart(None, None, False, (("cut", "t-0/log", 1), ("write", "t-0/new", "61")), ()),)
    peer = Journal(lines)
    peer.log_dir = tmp_path
    (found,) = Replay(lines, peer).run()
    assert found.difference == ("cut t-0/log", "carried out", "FileNotFoundError")
    assert (tmp_path / "t-0/new").read_bytes() == b"a"


class Refusing(Journal):
    """Creates no topics, and does not start again."""

    def create_topic(self, name: str, partitions: int, config: dict[str, str]) -> None:
        raise UsageError("no topics today")

    def start(self, release: str | None, config: object) -> None:
        raise BrokerWillNotStart("no starts either")


def test_what_the_broker_refuses_is_a_difference_and_a_refused_start_is_the_last() -> None:
    lines = (CreateTopic("t", 1, {}), exchange(1), Restart(None, None, False, (), ()), exchange(2))
    peer = Refusing(lines)
    assert [m.difference for m in Replay(lines, peer).run()] == [
        ("CreateTopic", "carried out", "no topics today"),
        ("Restart", "carried out", "no starts either"),
    ]
    assert list(peer.received) == [1]


def test_exceptions_inside_the_broker_are_differences() -> None:
    lines = (exchange(1), exchange(2))
    peer = Playback(lines)
    peer.failures.append(ZeroDivisionError("nothing"))
    (found,) = Replay(lines, peer).run()
    assert found.difference == ("exception", "(none)", "ZeroDivisionError: nothing")


def test_a_replay_starts_at_the_recorded_time() -> None:
    lines = (Start("2.3.1", NOW), exchange(1))
    peer = Playback(lines)
    Replay(lines, peer).run()
    assert isinstance(peer.clock, HeldClock)
    assert peer.clock.now_ms == NOW
