"""The recording itself as the peer of a replay, for tests of the replay: it gives the recorded answers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from fakekafka.ids import PartitionIndex, TopicName

from tests.golden.channel import Client
from tests.golden.held_clock import HeldClock
from tests.golden.security_lines import Quiet, SetAcls, SetQuota, SetScramUser
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
        return len(outcome).to_bytes(4, "big") + self._rename(exchange, outcome)

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
        return b""

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
