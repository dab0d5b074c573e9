"""Replays a recording against a broker in this process and reports where its answers differ from the recorded ones.

    python -m tests.golden.replay [PATTERN ...] [options]       see `tool.py`

The replay does what the recorded client did: the same bytes on the same connections, values of earlier answers put in
where the request had them from there (`Ref`), the wall clock moved as it was moved. No real time passes. When an answer
does not come at once, time elapses from timer to timer until it does.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from fakekafka.errors import FakeKafkaError, MalformedBytes
from fakekafka.ids import ApiKey, DurationMs
from fakekafka.releases.release import Mode, Release

from tests.golden import disk
from tests.golden.canonical import canonical, says_it_all
from tests.golden.channel import Channel
from tests.golden.form import Difference, Form, Labels, differences
from tests.golden.messages import answer_layout, compressed_in, decode_answer, request_with
from tests.golden.paths import value_at
from tests.golden.peers import Peer
from tests.golden.security_lines import SetAcls, SetQuota, SetScramUser, Sleep
from tests.golden.security_play import SecurityPlay, referenced, with_comparable_answer
from tests.golden.transcript import (
    ConfigureTopic,
    CreateTopic,
    DeleteTopic,
    Disconnect,
    End,
    Exchange,
    ExpectClose,
    Line,
    LoseLeaders,
    Note,
    Recording,
    Ref,
    Restart,
    Sent,
    SetClock,
    Start,
)

PATIENCE_MS: DurationMs = 120_000
"""How much time may elapse until an answer comes."""
POLL_MS: DurationMs = 60_000
"""How long a polled request is repeated."""
IDLE_TRIES = 3
"""How often a request is repeated although no timer is due: some answers come only at the second try."""
CLOSE_MS: DurationMs = 5_000
"""How long the broker may take to close a connection."""

PAUSES: tuple[tuple[str, DurationMs], ...] = (
    ("retention ran", 75_000),
    ("after retention", 3_000),
    ("DeleteRecords up to the high watermark", 3_000),
    ("pass ", 1_000),
    ("retention times 1000, ", 1_000),
    ("directories gone or renamed: True", 1_000),
    ("directory still there", 8_000),
    ("segments before and after the first retention run", 45_000),
)
"""The beginnings of notes before which the recorder waited for the broker's own tasks, and for how long it waited."""


class Mismatch(NamedTuple):
    """One place in one exchange where the broker did not answer as recorded."""

    n: int
    """The exchange; 0 for a line outside any exchange."""
    what: str
    """ "FETCH v4"."""
    difference: Difference
    note: str
    """The note under which the exchange stands."""


def replay(recording: Recording, peer: Peer, *, strict_text: bool = False) -> list[Mismatch]:
    """Every difference between the recorded answers and those of `peer`, which was set up like the recorded broker."""
    replay = Replay(
        recording.lines, peer, frozen=recording.frozen, strict_text=strict_text, controller=recording.controller
    )
    return replay.run()


class Replay:
    """One run of a transcript against a peer."""

    def __init__(
        self,
        lines: tuple[Line, ...],
        peer: Peer,
        *,
        frozen: bool = True,
        strict_text: bool = False,
        controller: Mode | None = None,
    ) -> None:
        self._lines = lines
        self._controller = controller
        self._peer = peer
        self.at_stop: Callable[[int, Restart], None] = lambda stop, line: None
        """Called when the broker was stopped, before its files are changed, with the number of the stop (from 0)."""
        self.at_note: Callable[[Note], None] = lambda note: None
        """Called at a note that holds files, after the pause before it."""
        self.stops = 0
        exchanges = [line for line in lines if isinstance(line, Exchange)]
        self._exchanges = {exchange.n: exchange for exchange in exchanges}
        self._referenced = referenced(lines)
        self._answers: dict[int, tuple[Exchange, bytes]] = {}
        sent: set[bytes] = set()
        self.theirs = Labels(frozen=frozen, strict_text=strict_text, sent=sent)
        """The labels on the side of the recording."""
        self.ours = Labels(frozen=frozen, strict_text=strict_text, sent=sent)
        self._channels: dict[str, Channel] = {}
        self._sent: dict[int, Channel] = {}
        self._leaderless: list[LoseLeaders] = []
        self._file_times: dict[Path, int] = {}  # as of the peer's last start
        self._failures = 0
        self._note = ""
        self._found: list[Mismatch] = []
        self._security = SecurityPlay(peer, self._answer_value)

    def run(self) -> list[Mismatch]:
        """Play every line, or up to a restart that fails. The peer still runs afterwards."""
        return self.end() if self.play(self._lines) else self._found

    def play(self, lines: Iterable[Line]) -> bool:
        """Play some of the lines. Returns False if a restart failed, so that nothing can follow."""
        for line in lines:
            try:
                self._play(line)
            except FakeKafkaError as refused:
                self._mismatch(None, Difference(type(line).__name__, "carried out", str(refused)))
                if isinstance(line, Restart):  # the broker does not start
                    return False
        return True

    def end(self) -> list[Mismatch]:
        """Close all connections and return every difference."""
        for channel in self._channels.values():
            channel.drop()
        return self._found

    def _play(self, line: Line) -> None:
        match line:
            case Exchange():
                if line.outcome is not End.ABANDONED:
                    self._exchange(line)
            case Sent():
                self._send(self._exchanges[line.n])
            case Start():
                self._note_release(line.release)
                self._set_clock(line.clock_ms)
            case SetClock():
                self._set_clock(line.clock_ms)
            case Note():
                self._pause(line)
            case Disconnect():
                self._drop(line.connection)
            case ExpectClose():
                self._expect_close(line)
            case Restart():
                self._restart(line)
            case CreateTopic():
                self._peer.create_topic(line.name, line.partitions, line.config)
            case ConfigureTopic():
                self._peer.configure_topic(line.name, line.config)
            case DeleteTopic():
                self._peer.delete_topic(line.name)
            case LoseLeaders():
                self._leaderless.append(line)
            case SetAcls() | SetScramUser() | SetQuota():
                self._peer.administer(line)
            case Sleep():
                self._peer.clock.sleep(line.ms)
            case _:
                for difference in self._security.play(line, self._channels):
                    self._mismatch(None, difference)

    # ---- events

    def _note_release(self, release: str) -> None:
        self.theirs.release = self.ours.release = parsed = Release.parse(release)
        self.theirs.mode = self.ours.mode = self._controller or parsed.default_mode

    def _set_clock(self, clock_ms: int | None) -> None:
        if clock_ms is not None:
            self._peer.clock.hold(clock_ms)

    def _pause(self, note: Note) -> None:
        self._note = note.text
        for beginning, pause_ms in PAUSES:
            if note.text.startswith(beginning):
                self._peer.clock.let_pass(pause_ms)
        if note.files:
            self.at_note(note)

    def _drop(self, connection: str, reason: End = End.CLOSED) -> None:
        channel = self._channels.pop(connection, None)
        if channel is not None:
            channel.drop(reason)

    def _expect_close(self, line: ExpectClose) -> None:
        channel = self._channel(line.connection)
        end = self._peer.clock.elapsed_ms + CLOSE_MS
        while line.closed and not channel.closed_by_broker() and self._peer.clock.skip_to_next(end):
            pass
        if channel.closed_by_broker() != line.closed:
            self._mismatch(None, Difference(f"{line.connection} closed", line.closed, not line.closed))
        if channel.closed_by_broker():
            self._drop(line.connection)

    def _restart(self, line: Restart) -> None:
        for connection in list(self._channels):
            self._drop(connection)
        self._peer.stop(kill=line.kill)
        self.at_stop(self.stops, line)
        self.stops += 1
        self._change_files(line)
        if line.release is not None:
            self._note_release(line.release)
        self._peer.start(line.release, line.config)
        for lost in self._leaderless:
            for topic, partition in lost.partitions:
                self._peer.elect_leader(topic, partition)
        self._leaderless.clear()

    def _change_files(self, line: Restart) -> None:
        if self._peer.log_dir is None:
            return
        disk.make_real(self._peer.log_dir, self._file_times)
        for op in line.ops:
            try:
                disk.apply(self._peer.log_dir, op)
            except (FileNotFoundError, IndexError) as e:
                self._mismatch(None, Difference(f"{op[0]} {op[1]}", "carried out", type(e).__name__))
        self._file_times = disk.file_times(self._peer.log_dir)

    # ---- exchanges

    def _exchange(self, exchange: Exchange) -> None:
        if exchange.n not in self._sent:
            self._send(exchange)
        outcome = self._outcome(exchange)
        if exchange.polled:
            outcome = self._poll(exchange, outcome)
        if isinstance(outcome, bytes) and exchange.n in self._referenced:
            self._answers[exchange.n] = exchange, outcome
        if exchange.scram:
            outcome = self._security.scram_answer(exchange, outcome)
            exchange = with_comparable_answer(exchange)
        for end in (outcome, exchange.outcome):  # the recorded client continued on a new connection
            if isinstance(end, End) and end is not End.NOT_ASKED:
                self._drop(exchange.connection, end)
        for difference in self._compare(exchange, outcome):
            self._mismatch(exchange, difference)
        for failure in self._peer.failures[self._failures :]:
            self._mismatch(exchange, Difference("exception", "(none)", _words(failure)))
        self._failures = len(self._peer.failures)

    def _send(self, exchange: Exchange) -> None:
        self._set_clock(exchange.clock_ms)
        request = request_with(exchange, self._look_up) if exchange.refs else exchange.request
        if exchange.scram:
            request = self._security.scram_request(exchange)
        self.ours.sent.update(compressed_in(exchange, request))
        data = len(request).to_bytes(4, "big") + request if exchange.framed else request
        channel = self._sent[exchange.n] = self._channel(exchange.connection)
        channel.send(exchange.n, data, asks=exchange.outcome is not End.NOT_ASKED)
        if exchange.half_closed:
            channel.drop()

    def _channel(self, name: str) -> Channel:
        if name not in self._channels:
            self._channels[name] = self._security.connect(name)
        return self._channels[name]

    def _look_up(self, ref: Ref) -> object:
        return self._answer_value(ref.exchange, ref.answer_path)

    def _answer_value(self, n: int, path: str) -> object:
        """The value in this run's answer to exchange `n`; None if that answer has no such value."""
        if n not in self._answers:
            return None
        try:
            return value_at(decode_answer(*self._answers[n])[1], path)
        except (MalformedBytes, LookupError, AttributeError, TypeError):
            return None

    def _outcome(self, exchange: Exchange) -> bytes | End:
        """The answer that came, however long it took, or how the request ended."""
        channel, clock = self._sent.pop(exchange.n), self._peer.clock
        if exchange.outcome is End.NOT_ASKED:
            return End.NOT_ASKED
        found = channel.outcome(exchange.n)
        if found is None and exchange.outcome is End.SILENCE:
            clock.let_pass(exchange.silent_ms)
            found = channel.outcome(exchange.n)
        else:
            end = clock.elapsed_ms + PATIENCE_MS
            while found is None and clock.skip_to_next(end):
                found = channel.outcome(exchange.n)
        return End.SILENCE if found is None else found

    def _poll(self, exchange: Exchange, outcome: bytes | End) -> bytes | End:
        """Repeat a request until its answer is the recorded one, or time is up."""
        end = self._peer.clock.elapsed_ms + POLL_MS
        idle = 0
        while isinstance(outcome, bytes) and self._differs(exchange, outcome) and idle < IDLE_TRIES:
            if not self._peer.clock.skip_to_next(end):
                idle += 1
            self._send(exchange)
            outcome = self._outcome(exchange)
        return outcome

    # ---- comparing

    def _differs(self, exchange: Exchange, outcome: bytes) -> bool:
        with self.theirs.preview(), self.ours.preview():
            return any(self._compare(exchange, outcome))

    def _compare(self, exchange: Exchange, outcome: bytes | End) -> Iterator[Difference]:
        recorded = exchange.outcome
        if recorded == outcome and (isinstance(outcome, End) or not exchange.decodable):
            return
        if recorded == outcome and says_it_all_of(exchange):
            return
        self.theirs.begin(str(exchange.n))
        self.ours.begin(str(exchange.n))
        theirs, ours = _form(exchange, recorded, self.theirs), _form(exchange, outcome, self.ours)
        yield from differences(theirs, ours)

    def _mismatch(self, exchange: Exchange | None, difference: Difference) -> None:
        number = 0 if exchange is None else exchange.n
        self._found.append(Mismatch(number, name_of(exchange), difference, self._note))


def says_it_all_of(exchange: Exchange) -> bool:
    """Whether equal bytes of this answer need no further comparison."""
    assert isinstance(exchange.outcome, bytes)
    assert exchange.api_key is not None
    return says_it_all(ApiKey(exchange.api_key), answer_layout(exchange, exchange.outcome))


def name_of(exchange: Exchange | None) -> str:
    """ "FETCH v4"."""
    if exchange is None:
        return ""
    return "bytes" if exchange.api_key is None else f"{ApiKey(exchange.api_key).name} v{exchange.api_version}"


def _form(exchange: Exchange, outcome: bytes | End, labels: Labels) -> Form:
    if isinstance(outcome, End):
        return outcome.value
    if not exchange.decodable:
        return outcome
    try:
        correlation_id, answer, rest = decode_answer(exchange, outcome)
    except MalformedBytes:
        return outcome
    form = canonical(answer, answer_layout(exchange, outcome), labels)
    if exchange.exact_throttle:
        form["throttle_time_ms"] = getattr(answer, "throttle_time_ms", None)
    return {"correlation_id": correlation_id, **form, "behind": rest}


def _words(failure: BaseException) -> str:
    """An exception and the place where it was raised."""
    trace = failure.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f" at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    return f"{type(failure).__name__}: {failure}{place}"


if __name__ == "__main__":
    from tests.golden.tool import main

    main()
