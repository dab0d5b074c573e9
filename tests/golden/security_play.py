"""Plays the lines of recordings with listeners and users: opens connections, logs in, checks whether anything comes."""

import base64
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import replace
from typing import Final

from fakekafka.ids import DurationMs
from fakekafka.wire.apis.sasl_authenticate import SaslAuthenticateRequest
from fakekafka.wire.apis.sasl_handshake import SaslHandshakeRequest
from fakekafka.wire.codec import encode_bytes
from fakekafka.wire.frames import request_frame
from fakekafka.wire.message import Request

from tests.golden.channel import Channel
from tests.golden.form import Difference
from tests.golden.messages import decode_answer, request_start
from tests.golden.paths import snake_path
from tests.golden.peers import Peer
from tests.golden.scram_client import ScramClient, comparable_answer
from tests.golden.security_lines import Fetched, Login, Open, Quiet, ScramLogin
from tests.golden.transcript import End, Exchange, Line

CLIENT_ID: Final = "golden"
SOON_MS: Final[DurationMs] = 5_000
"""How long something may take to come that came while the recorder watched."""
AnswerValue = Callable[[int, str], object]


class SecurityPlay:
    """The state of these lines in one replay. `answer_value` gives a value of an earlier answer of this run."""

    def __init__(self, peer: Peer, answer_value: AnswerValue) -> None:
        self._peer, self._answer_value = peer, answer_value
        self._places: dict[str, tuple[str | None, str | None]] = {}
        self._logins: dict[str, ScramClient] = {}

    def connect(self, name: str) -> Channel:
        """Open a new connection to the listener that the last one of that name used."""
        return Channel(self._peer.connect(*self._places.get(name, (None, None))))

    def play(self, line: Line, channels: MutableMapping[str, Channel]) -> Iterator[Difference]:
        """Play one line and return what did not go as recorded."""
        match line:
            case Open():
                self._open(line, channels)
            case Login():
                channel = self._open(line, channels)
                if not _logged_in(self._peer, channel, line):
                    yield Difference("login", line.user, "refused")
            case ScramLogin():
                self._logins[line.connection] = self._scram_client(line)
            case Quiet():
                quiet = self._is_quiet(line, channels)
                if quiet != line.quiet:
                    yield Difference(f"{line.connection} quiet", line.quiet, quiet)

    def _open(self, line: Open | Login, channels: MutableMapping[str, Channel]) -> Channel:
        before = channels.pop(line.connection, None)
        if before is not None:
            before.drop()
        self._places[line.connection] = line.listener, line.source
        channels[line.connection] = channel = self.connect(line.connection)
        return channel

    def _is_quiet(self, line: Quiet, channels: Mapping[str, Channel]) -> bool:
        channel, clock = channels[line.connection], self._peer.clock
        end = clock.elapsed_ms + (line.ms if line.quiet else SOON_MS)
        if clock.coupled and line.quiet:
            return not channel.has_come()
        while not channel.has_come() and clock.skip_to_next(end):
            pass
        return not channel.has_come()

    # ---- SCRAM

    def _scram_client(self, line: ScramLogin) -> ScramClient:
        password, user = self._now(line.password), self._now(line.user)
        if isinstance(password, bytes):  # the HMAC of a delegation token
            password = base64.b64encode(password).decode()
        return ScramClient(line.mechanism, str(password), str(user or ""), line.first, line.final)

    def _now(self, value: str | bytes | Fetched | None) -> object:
        """The value of this run."""
        if not isinstance(value, Fetched):
            return value
        found = self._answer_value(value.exchange, snake_path(value.path))
        return value.recorded if found is None else found

    def scram_request(self, exchange: Exchange) -> bytes:
        """The frame of a step of the login."""
        login = self._logins[exchange.connection]
        token = login.first.encode() if exchange.scram == "first" else login.second()
        if exchange.api_key is None:
            return token
        start = request_start(exchange)
        return exchange.request[:start] + encode_bytes(SaslAuthenticateRequest(auth_bytes=token), exchange.layout)

    def scram_answer(self, exchange: Exchange, outcome: bytes | End) -> bytes | End:
        """The answer to a step in comparable form."""
        login = self._logins[exchange.connection]
        if isinstance(outcome, bytes) and exchange.scram == "first":
            login.answer = _token(exchange, outcome)
        return _comparable(exchange, outcome, login.signature)


def with_comparable_answer(exchange: Exchange) -> Exchange:
    """A step of a SCRAM login as recorded, with its answer in comparable form."""
    return replace(exchange, outcome=_comparable(exchange, exchange.outcome, exchange.scram_signature))


def _comparable(exchange: Exchange, outcome: bytes | End, signature: str) -> bytes | End:
    if isinstance(outcome, End):
        return outcome
    token = _token(exchange, outcome)
    comparable = comparable_answer(exchange.scram, token, signature)
    if exchange.api_key is None or not token:
        return comparable if exchange.api_key is None else outcome
    _, answer, _ = decode_answer(exchange, outcome)
    answer.auth_bytes = comparable  # type: ignore[attr-defined]
    header = outcome[: 4 + (exchange.api_version >= FIRST_FLEXIBLE)]
    return header + encode_bytes(answer, exchange.api_version)


FIRST_FLEXIBLE: Final = 2


def _token(exchange: Exchange, outcome: bytes) -> bytes:
    if exchange.api_key is None:
        return outcome
    return bytes(decode_answer(exchange, outcome)[1].auth_bytes)  # type: ignore[attr-defined]


# ---- PLAIN


def _logged_in(peer: Peer, channel: Channel, login: Login) -> bool:
    token = f"\0{login.user}\0{login.password}".encode()
    answer = _asked(peer, channel, -1, _framed(SaslHandshakeRequest(mechanism="PLAIN"), login.handshake, 1))
    if answer is None or answer[4:6] != b"\0\0":
        return False
    if not login.handshake:
        return _asked(peer, channel, -2, len(token).to_bytes(4, "big") + token) == b""
    answer = _asked(peer, channel, -2, _framed(SaslAuthenticateRequest(auth_bytes=token), 0, 2))
    return answer is not None and answer[4:6] == b"\0\0"


def _framed(request: Request, version: int, correlation_id: int) -> bytes:
    return bytes(request_frame(request, version, correlation_id, CLIENT_ID))


def _asked(peer: Peer, channel: Channel, n: int, data: bytes) -> bytes | None:
    channel.send(n, data, asks=True)
    end = peer.clock.elapsed_ms + SOON_MS
    while (found := channel.outcome(n)) is None and peer.clock.skip_to_next(end):
        pass
    return found if isinstance(found, bytes) else None


def referenced(lines: Sequence[Line]) -> set[int]:
    """The exchanges whose answers hold values that are needed later."""
    found = {ref.exchange for line in lines if isinstance(line, Exchange) for ref in line.refs}
    for line in lines:
        if isinstance(line, ScramLogin):
            found |= {value.exchange for value in (line.user, line.password) if isinstance(value, Fetched)}
    return found
