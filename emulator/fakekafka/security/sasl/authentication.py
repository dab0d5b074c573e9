"""The conversation of a connection on a listener with SASL (SaslServerAuthenticator): handshake, tokens, and later
re-authentication.

Sans I/O: the router gives it requests and tokens, and carries out the `Reaction`. Unless `request` or `token` returns
None, nothing that a client sends reaches a handler.
"""

from collections.abc import Callable
from enum import Enum, auto
from typing import Final, NamedTuple, TypeAlias

from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey, DurationMs, TimestampMs
from fakekafka.releases.behaviours.sasl import SaslBehaviour
from fakekafka.security.listener import SaslSettings
from fakekafka.security.principal import ANONYMOUS, Principal, user
from fakekafka.security.sasl.mechanism import Broken, Identity, Mechanism, Refused
from fakekafka.wire.apis.api_versions import ApiVersionsResponse
from fakekafka.wire.apis.sasl_authenticate import SaslAuthenticateRequest, SaslAuthenticateResponse
from fakekafka.wire.apis.sasl_handshake import SaslHandshakeRequest, SaslHandshakeResponse
from fakekafka.wire.message import Request, Response

JAVA_ORDER: Final = ("PLAIN", "SCRAM-SHA-512", "SCRAM-SHA-256", "OAUTHBEARER")
"""The order of the mechanisms in a Java hash set."""
NO_EPOCH: Final = -1
"""The epoch of finalized features where it is not known."""
FEWEST_MS_BETWEEN: Final[DurationMs] = 1000
"""The shortest time between two re-authentications (KafkaChannel)."""


class Reaction(NamedTuple):
    """The reaction to something that a client sent."""

    response: Response | None = None
    """An answer with a header."""
    token: bytes | None = None
    """An answer without a header."""
    refused_with: ErrorCode | None = None
    """Answer the request in its own form, with this error."""
    ends: bool = False
    """Whether to close the connection then."""
    delayed: bool = False
    """Whether to answer and close only after the delay of failed logins."""
    why: str = ""
    """Why the client is turned away, for tests to examine; empty: it is not turned away."""
    forgotten: bool = False
    """Whether the broker has lost track of the connection: nothing is answered any more, and nothing closes it."""


EXPIRED: Final = "its login has expired"


def _failed(why: str) -> Reaction:
    """Close without an answer."""
    return Reaction(ends=True, delayed=True, why=why)


class _State(Enum):
    HANDSHAKE = auto()
    BARE_TOKENS = auto()
    AUTHENTICATE = auto()
    OTHER_MECHANISM = auto()
    DONE = auto()


NewMechanism: TypeAlias = Callable[[str], Mechanism]
"""The server's side of a login by the mechanism of that name."""


class Authentication:
    """The conversation of one connection."""

    def __init__(self, rules: SaslBehaviour, settings: SaslSettings, new_mechanism: NewMechanism) -> None:
        self._rules, self._settings, self._new_mechanism = rules, settings, new_mechanism
        self._state = _State.HANDSHAKE
        self._asked_versions = False
        self._name = ""
        self._mechanism: Mechanism | None = None
        self._first_name = ""
        self._reauthenticating = False
        self._last_reauthentication_ms: DurationMs | None = None
        self._expires_at_ms: DurationMs | None = None
        self.principal: Principal = ANONYMOUS
        """The principal; anonymous before the first login has succeeded."""

    @property
    def is_open(self) -> bool:
        """Whether requests reach the handlers."""
        return self._state is _State.DONE

    @property
    def has_succeeded(self) -> bool:
        """Whether the client has logged in, even if another login is under way."""
        return bool(self._first_name)

    @property
    def takes_bare_tokens(self) -> bool:
        """Whether the next frame is a token instead of a request."""
        return self._state is _State.BARE_TOKENS

    def answer_versions(self, response: Response) -> None:
        """Make the answer to ApiVersions that of this listener, and note that it was asked for."""
        if not isinstance(response, ApiVersionsResponse):
            return
        if not self.is_open and not self._rules.features_before_login:
            response.finalized_features_epoch = NO_EPOCH
        self._asked_versions = self._asked_versions or response.error_code == ErrorCode.NONE

    # ---- what the client sends

    def request(
        self, key: ApiKey, version: int, body: Request, elapsed_ms: DurationMs, now_ms: TimestampMs
    ) -> Reaction | None:
        """React to a request. Returns None if it is for the handlers."""
        if self._state is _State.DONE:
            return self._after_login(key, version, body, elapsed_ms)
        if self._state is _State.AUTHENTICATE:
            if isinstance(body, SaslAuthenticateRequest):
                return self._authenticate(body.auth_bytes, version, elapsed_ms, now_ms)
            why = f"{key.name} came where its login was to go on"
            return Reaction(refused_with=ErrorCode.ILLEGAL_SASL_STATE, ends=True, delayed=True, why=why)
        if self._state is _State.OTHER_MECHANISM:
            return _failed("another mechanism")
        if isinstance(body, SaslHandshakeRequest):
            return self._handshake(body.mechanism, version)
        if key is ApiKey.API_VERSIONS and not self._reauthenticating:
            twice = self._asked_versions and self._rules.api_versions_before == "once"
            return _failed("API_VERSIONS came twice before its login") if twice else None
        return _failed(f"{key.name} came before its login")

    def unreadable(self, elapsed_ms: DurationMs) -> Reaction | None:
        """React to a frame that is not a request of the release. Returns None if the release reacts as usual."""
        if self._state is _State.DONE:
            return self._expired() if self._is_over(elapsed_ms) else None
        return _failed("bytes that are not a request came before its login")

    def unknown_versions(self, elapsed_ms: DurationMs) -> Reaction | None:
        """React to ApiVersions in a version that the release lacks. Returns None if the release answers as usual."""
        if self._state is _State.AUTHENTICATE:
            answer = ApiVersionsResponse(error_code=ErrorCode.ILLEGAL_SASL_STATE, api_keys=[])
            why = "API_VERSIONS came where its login was to go on"
            return Reaction(answer, ends=True, delayed=True, why=why)
        if self._state is _State.HANDSHAKE and not self._reauthenticating:
            return None
        return self.unreadable(elapsed_ms)

    def token(self, token: bytes, elapsed_ms: DurationMs, now_ms: TimestampMs) -> Reaction:
        """React to a bare token."""
        try:
            answer = self._step(token, now_ms)
        except (Refused, Broken) as failure:
            return _failed(_reason(failure))
        self._complete(elapsed_ms, now_ms, shown=False)
        return Reaction(token=answer)

    def _after_login(self, key: ApiKey, version: int, body: Request, elapsed_ms: DurationMs) -> Reaction | None:
        if isinstance(body, SaslHandshakeRequest) and self._may_begin_anew(elapsed_ms):
            self._last_reauthentication_ms = elapsed_ms
            self._reauthenticating = True
            self._state = _State.HANDSHAKE
            return self._handshake(body.mechanism, version)
        return self._expired() if self._is_over(elapsed_ms) else None

    def _may_begin_anew(self, elapsed_ms: DurationMs) -> bool:
        last = self._last_reauthentication_ms
        return self._expires_at_ms is not None and (last is None or elapsed_ms - last >= FEWEST_MS_BETWEEN)

    def _is_over(self, elapsed_ms: DurationMs) -> bool:
        return self._expires_at_ms is not None and elapsed_ms >= self._expires_at_ms

    def _expired(self) -> Reaction:
        if self._rules.expired == "close":
            return Reaction(ends=True, why=EXPIRED)
        return Reaction(forgotten=True, why=EXPIRED)

    # ---- the conversation

    def _handshake(self, mechanism: str, version: int) -> Reaction:
        known = sorted(self._settings.mechanisms, key=lambda name: (*JAVA_ORDER, name).index(name))
        if mechanism not in self._settings.mechanisms:
            why = f"it wants the mechanism {mechanism!r}; enabled are {', '.join(known)}"
            if self._reauthenticating:
                return _failed(why)
            error = ErrorCode.UNSUPPORTED_SASL_MECHANISM
            return Reaction(SaslHandshakeResponse(error_code=error, mechanisms=known), ends=True, delayed=True, why=why)
        if self._reauthenticating and mechanism != self._first_name:
            self._state = _State.OTHER_MECHANISM
        else:
            self._name, self._mechanism = mechanism, self._new_mechanism(mechanism)
            self._state = _State.AUTHENTICATE if version else _State.BARE_TOKENS
        return Reaction(SaslHandshakeResponse(error_code=ErrorCode.NONE, mechanisms=known))

    def _authenticate(self, token: bytes, version: int, elapsed_ms: DurationMs, now_ms: TimestampMs) -> Reaction:
        try:
            answer = self._step(token, now_ms)
        except Broken as broken:
            return _failed(_reason(broken))
        except Refused as refused:
            words = refused.words if refused.shown else self._general_words()
            return _failure(words, _reason(refused))
        lifetime_ms = self._complete(elapsed_ms, now_ms, shown=True)
        return Reaction(
            SaslAuthenticateResponse(
                error_code=ErrorCode.NONE,
                error_message=self._rules.done_message,
                auth_bytes=answer,
                session_lifetime_ms=lifetime_ms,
            )
        )

    def _general_words(self) -> str:
        words = self._rules.failure_words.format(mechanism=self._name)
        return words.replace("during authentication", "during re-authentication") if self._reauthenticating else words

    def _step(self, token: bytes, now_ms: TimestampMs) -> bytes:
        assert self._mechanism is not None
        answer = self._mechanism.answer(bytes(token), now_ms)
        identity = self._mechanism.identity
        if identity is not None and self._reauthenticating and identity.name != self.principal.name:
            before, now = (f"User.{name}" for name in (self.principal.name, identity.name))
            words = f"Cannot change principals during re-authentication from {before}: {now}"
            raise Refused(words, shown=True)
        return answer

    def _complete(self, elapsed_ms: DurationMs, now_ms: TimestampMs, *, shown: bool) -> DurationMs:
        """If the login has succeeded, let requests reach the handlers. Returns how long it lasts; 0 means for ever."""
        identity = None if self._mechanism is None else self._mechanism.identity
        if identity is None:
            return 0
        self.principal = user(identity.name)._replace(by_token=identity.by_token)
        self._first_name = self._name
        self._state, self._reauthenticating, self._mechanism = _State.DONE, False, None
        lifetime_ms = self._lifetime_ms(identity, now_ms)
        ends = lifetime_ms is not None and (shown or self._rules.bare_tokens_expire)
        if lifetime_ms == 0 and not self._rules.token_ends_session:
            ends = False
        self._expires_at_ms = elapsed_ms + (lifetime_ms or 0) if ends else None
        return lifetime_ms or 0

    def _lifetime_ms(self, identity: Identity, now_ms: TimestampMs) -> DurationMs | None:
        """The lifetime of a login; None if it is unlimited."""
        rules, longest = self._rules, self._settings.max_reauth_ms.get(self._name)
        if not rules.session_lifetimes or (longest is None and not rules.token_ends_session):
            return None
        left = None if identity.expires_at_ms is None else max(0, identity.expires_at_ms - now_ms)
        return min((ms for ms in (longest, left) if ms is not None), default=None)


def _reason(failure: Refused | Broken) -> str:
    return failure.really if isinstance(failure, Refused) else str(failure)


def _failure(words: str, why: str) -> Reaction:
    error = ErrorCode.SASL_AUTHENTICATION_FAILED
    answer = SaslAuthenticateResponse(error_code=error, error_message=words, auth_bytes=b"")
    return Reaction(answer, ends=True, delayed=True, why=why)
