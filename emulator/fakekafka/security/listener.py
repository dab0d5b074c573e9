"""One listener of a broker."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from fakekafka.ids import DurationMs, TimestampMs

if TYPE_CHECKING:
    from fakekafka.security.sasl.mechanism import Identity

Property: TypeAlias = Callable[[str], str | None]
"""The text of a broker property; None where it is not set."""


class SaslSettings(NamedTuple):
    """What a listener says about SASL."""

    mechanisms: tuple[str, ...]
    """The enabled mechanisms, in the order of the configuration."""
    max_reauth_ms: Mapping[str, DurationMs] = {}
    """connections.max.reauth.ms by mechanism, where it is not 0."""
    validate: "Callable[[str, TimestampMs], Identity] | None" = None
    """Checks signed tokens of OAUTHBEARER; None: tokens are unsecured."""


class Listener(NamedTuple):
    """A listener's name, its security protocol, and where it listens."""

    name: str
    protocol: str
    host: str = ""
    """Empty: the host of `FakeKafka`."""
    port: int = 0
    """0: a free port."""
    sasl: SaslSettings | None = None
    """None: there is no login."""

    @property
    def is_encrypted(self) -> bool:
        """Whether it speaks TLS."""
        return self.protocol in ("SSL", "SASL_SSL")


PLAINTEXT: Final = "PLAINTEXT"
PLAIN_ONLY: Final = (Listener(PLAINTEXT, PLAINTEXT),)
"""The listener of a broker whose properties name none."""
