"""Creating, renewing, expiring and describing delegation tokens: DelegationTokenManager,
DelegationTokenControlManager.
"""

import base64
import hmac
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, Literal, assert_never

from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import DurationMs, TimestampMs
from fakekafka.jvm.numbers import MAX_LONG
from fakekafka.releases.features import FIRST_WITH_TOKENS, METADATA_VERSION
from fakekafka.security.principal import USER, Principal

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker
    from fakekafka.security.tokens import Token

SECRET_KEYS: Final = ("delegation.token.secret.key", "delegation.token.master.key")


def secret_key(broker: "Broker") -> str:
    """The key with which tokens are signed. Raises `ApiError` 61 if it is not set."""
    if not has_tokens(broker):
        raise ApiError(ErrorCode.DELEGATION_TOKEN_AUTH_DISABLED)
    return next(text for name in SECRET_KEYS if (text := broker.config.text(name)))


def _key_for_changes(broker: "Broker") -> str:
    """The key. Raises `ApiError` 61 without one, and 35 in KRaft mode if metadata.version is too low for tokens."""
    key, level = secret_key(broker), broker.cluster.settings.features.get(METADATA_VERSION)
    if level is not None and level < FIRST_WITH_TOKENS:
        raise ApiError(ErrorCode.UNSUPPORTED_VERSION)
    return key


def has_tokens(broker: "Broker") -> bool:
    """Whether the broker has a key for tokens."""
    return any(broker.config.text(name) for name in SECRET_KEYS)


def create(
    broker: "Broker",
    owner: Principal,
    requester: Principal,
    renewers: Sequence[Principal],
    lifetime_ms: DurationMs,
    now: TimestampMs,
) -> "Token":
    """Create a token. Raises `ApiError`."""
    from fakekafka.security.tokens import Token  # few clusters have any

    secret_key(broker)
    if any(renewer.type != USER for renewer in renewers):
        raise ApiError(ErrorCode.INVALID_PRINCIPAL_TYPE)
    _key_for_changes(broker)
    longest, cluster = broker.config.int("delegation.token.max.lifetime.ms"), broker.cluster
    ends = now + (longest if lifetime_ms <= 0 else min(lifetime_ms, longest))
    expires = min(ends, now + broker.config.int("delegation.token.expiry.time.ms"))
    token_id = base64.urlsafe_b64encode(cluster.random.randbytes(16)).decode().rstrip("=")
    token = Token(token_id, owner, requester, renewers, now, expires, ends)
    if not cluster.settings.tokens:
        sweep_tokens(broker)
    cluster.settings.tokens[token.id] = token
    return token


def sweep_tokens(broker: "Broker", *, first_ms: DurationMs | None = None) -> None:
    """Have expired tokens swept away as long as there are any, for the first time after `first_ms`."""
    tokens = broker.cluster.settings.tokens

    def sweep() -> bool:
        now = broker.cluster.clock.now_ms
        for token in tuple(tokens.values()):
            if token.expires_at_ms < now:
                del tokens[token.id]
        return bool(tokens)

    broker.timers.while_busy(broker.config.int("delegation.token.expiry.check.interval.ms"), sweep, first_ms)


def renew(broker: "Broker", who: Principal, mac: bytes, period_ms: DurationMs, now: TimestampMs) -> TimestampMs:
    """Renew a token. Returns the new time of expiry. Raises `ApiError`."""
    token = _token_of(broker, mac)
    _check_both(token, who, now, broker.profile.admin.token_renewals_checked)
    usual = broker.config.int("delegation.token.expiry.time.ms")
    if period_ms < 0:
        period_ms = usual
    elif broker.profile.admin.token_renewals_capped:
        period_ms = min(period_ms or usual, usual)
    token.expires_at_ms = min(token.ends_at_ms, _after(broker, now, period_ms))
    return token.expires_at_ms


def expire(broker: "Broker", who: Principal, mac: bytes, period_ms: DurationMs, now: TimestampMs) -> TimestampMs:
    """Change when a token expires. Returns the new time of expiry; a negative period ends the token. Raises
    `ApiError`.
    """
    token = _token_of(broker, mac)
    match broker.profile.admin.token_endings_checked:
        case "owner alone":
            _check_owner(token, who)
            if period_ms >= 0:
                _check_alive(token, now)
        case "owner first" | "expiry first" as order:
            _check_both(token, who, now, order)
        case word:
            assert_never(word)
    if period_ms < 0:
        del broker.cluster.settings.tokens[token.id]
        return now if broker.profile.admin.ended_token_time_shown else period_ms
    token.expires_at_ms = min(token.ends_at_ms, _after(broker, now, period_ms))
    return token.expires_at_ms


def _after(broker: "Broker", now: TimestampMs, period_ms: DurationMs) -> TimestampMs:
    """The end of a period."""
    ends = now + period_ms
    if ends <= MAX_LONG:
        return ends
    return ends - (1 << 64) if broker.profile.admin.token_times_wrap else MAX_LONG


def _token_of(broker: "Broker", mac: bytes) -> "Token":
    key = _key_for_changes(broker)
    tokens = broker.cluster.settings.tokens.values()
    token = next((token for token in tokens if hmac.compare_digest(token.hmac(key), mac)), None)
    if token is None:
        raise ApiError(ErrorCode.DELEGATION_TOKEN_NOT_FOUND)
    return token


def _check_both(
    token: "Token", who: Principal, now: TimestampMs, order: Literal["owner first", "expiry first"]
) -> None:
    if order == "owner first":
        _check_owner(token, who)
    _check_alive(token, now)
    _check_owner(token, who)


def _check_owner(token: "Token", who: Principal) -> None:
    if not token.may_be_renewed_by(who):
        raise ApiError(ErrorCode.DELEGATION_TOKEN_OWNER_MISMATCH)


def _check_alive(token: "Token", now: TimestampMs) -> None:
    if min(token.expires_at_ms, token.ends_at_ms) < now:
        raise ApiError(ErrorCode.DELEGATION_TOKEN_EXPIRED)


def of_owners(broker: "Broker", owners: Iterable[Principal] | None) -> list["Token"]:
    """The tokens that belong to one of the owners, or all. Raises `ApiError` 61."""
    secret_key(broker)
    tokens = list(broker.cluster.settings.tokens.values())
    wanted = None if owners is None else list(owners)
    return [token for token in tokens if wanted is None or any(token.belongs_to(owner) for owner in wanted)]
