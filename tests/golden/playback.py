"""The recording itself as the peer of a replay, for tests of the replay: it gives the recorded answers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from fakekafka.ids import DurationMs, PartitionIndex, TopicName

from tests.golden.channel import Client
from tests.golden.held_clock import HeldClock
from tests.golden.security_lines import Quiet, SetAcls, SetQuota, SetScramUser, Sleep
from tests.golden.transcript import Config, End, Exchange, ExpectClose, Line, Sent


class Playback:
    """Answers each request as the recording does. Raises AssertionError for a request that the recording does not have
    there.

    `rename` puts the ids of this run into requests and answers; the replay must send such requests. `changed`: other
    outcomes for some exchanges; requests are not checked then.
    """

    def __init__(
        self,
        lines: Sequence[Line],
        *,
        rename: Callable[[Exchange, bytes], bytes] = lambda exchange, data: data,
        changed: Mapping[int, bytes | End] | None = None,
    ) -> None:
        self.clock = HeldClock(0)
        self.log_dir: Path | None = None
        self.failures: list[BaseException] = []
        self.received: dict[int, bytes] = {}
        """The requests of this run, by exchange, as they came."""
        self._rename = rename
        self._changed = changed or {}
        self._last: tuple[Exchange, PlaybackClient] | None = None
        self._sent = iter(list(_in_order_of_sending(lines)))
        self._closes_behind = _closes_behind(lines)
        self._unread = _unread(lines)
        self._late_by = _late_by(lines)
        self._late: list[tuple[DurationMs, PlaybackClient, bytes]] = []
        if self._late_by:
            self.clock.attach(self)

    def connect(self, listener: str | None = None, source: str | None = None) -> Client:
        return PlaybackClient(self)

    def administer(self, line: SetAcls | SetScramUser | SetQuota) -> None: ...

    def next_answer(self, data: bytes, client: "PlaybackClient") -> bytes | None:
        """What comes back for `data`; None if the connection is closed."""
        exchange = self._next(data, client)
        expected = self._rename(exchange, exchange.request)
        expected = len(expected).to_bytes(4, "big") + expected if exchange.framed else expected
        assert self._changed or data == expected, f"#{exchange.n}: sent {data.hex()}, recorded {expected.hex()}"
        self.received[exchange.n] = data
        outcome = self._changed.get(exchange.n, exchange.outcome)
        if outcome is End.CLOSED or exchange.n in self._closes_behind:
            return None
        if isinstance(outcome, End):
            return EMPTY_FRAME if exchange.n in self._unread else b""
        answer = len(outcome).to_bytes(4, "big") + self._rename(exchange, outcome)
        if exchange.n not in self._late_by:
            return answer
        self._late.append((self.clock.elapsed_ms + self._late_by[exchange.n], client, answer))
        return b""

    # ---- answers that keep the client waiting

    def next_deadline_ms(self) -> DurationMs | None:
        """When the next of them comes, if it is still to come."""
        return min((due for due, _, _ in self._late if due > self.clock.elapsed_ms), default=None)

    def tick(self) -> None: ...

    def late_answers(self, client: "PlaybackClient") -> bytes:
        """Those that have come by now."""
        come = [one for one in self._late if one[1] is client and one[0] <= self.clock.elapsed_ms]
        self._late = [one for one in self._late if one not in come]
        return b"".join(answer for _, _, answer in come)

    def _next(self, data: bytes, client: "PlaybackClient") -> Exchange:
        """The exchange that `data` belongs to: the next one, or the last if that is being repeated."""
        if self._last is not None:
            exchange, last_client = self._last
            if exchange.polled and client is last_client and data == self.received[exchange.n]:
                return exchange
        exchange = next(self._sent)
        self._last = exchange, client
        return exchange

    def stop(self, *, kill: bool) -> None: ...

    def start(self, release: str | None, config: Config | None) -> None: ...

    def create_topic(self, name: TopicName, partitions: int, config: dict[str, str]) -> None: ...

    def configure_topic(self, name: TopicName, config: dict[str, str]) -> None: ...

    def delete_topic(self, name: TopicName) -> None: ...

    def elect_leader(self, topic: TopicName, partition: PartitionIndex) -> None: ...


EMPTY_FRAME: Final = bytes(4)


class PlaybackClient:
    """A connection to the recording."""

    def __init__(self, peer: Playback) -> None:
        self._peer = peer
        self.closed = False

    def send(self, data: bytes) -> bytes:
        answer = self._peer.next_answer(data, self)
        self.closed = self.closed or answer is None
        return answer or b""

    def receive(self) -> bytes:
        return self._peer.late_answers(self)

    def disconnect(self) -> None:
        self.closed = True


def _in_order_of_sending(lines: Sequence[Line]) -> Iterator[Exchange]:
    exchanges = {line.n: line for line in lines if isinstance(line, Exchange)}
    for line in lines:
        if isinstance(line, Sent):
            yield exchanges[line.n]
        elif isinstance(line, Exchange) and not line.sent_before:
            yield line


def _closes_behind(lines: Sequence[Line]) -> set[int]:
    """Exchanges without an answer after which the broker closed the connection."""
    last: dict[str, int] = {}
    found: set[int] = set()
    for line in lines:
        if isinstance(line, Exchange):
            last[line.connection] = line.n
        elif isinstance(line, ExpectClose) and line.closed:
            found.add(last[line.connection])
    return found


def _unread(lines: Sequence[Line]) -> set[int]:
    """Exchanges whose answer came, but was not read, and so is not in the recording."""
    sent: dict[str, int] = {}
    found: set[int] = set()
    exchanges = {line.n: line for line in lines if isinstance(line, Exchange)}
    for line in lines:
        if isinstance(line, Sent):
            sent[exchanges[line.n].connection] = line.n
        elif isinstance(line, Quiet) and not line.quiet and line.connection in sent:
            found.add(sent[line.connection])
    return found


def _late_by(lines: Sequence[Line]) -> dict[int, DurationMs]:
    """Exchanges whose connection was seen to be quiet before the answer, and how long after the request it came."""
    waiting: dict[str, list[int]] = {}
    passed: dict[int, DurationMs] = {}
    late: dict[int, DurationMs] = {}
    exchanges = {line.n: line for line in lines if isinstance(line, Exchange)}
    for line in lines:
        match line:
            case Sent():
                waiting.setdefault(exchanges[line.n].connection, []).append(line.n)
                passed[line.n] = 1
            case Quiet() | Sleep():
                passed = {n: ms + line.ms for n, ms in passed.items()}
                if isinstance(line, Quiet) and line.quiet:
                    late |= {n: passed[n] for n in waiting.get(line.connection, [])}
            case Exchange() if line.n in passed:
                waiting[line.connection].remove(line.n)
                del passed[line.n]
            case _:
                pass
    return late
