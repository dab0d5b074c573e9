"""TLS of a listener as a broker's properties say it, and as it is changed while the broker runs (KIP-226)."""

import ssl
from collections.abc import Callable

from fakekafka.security.listeners import Property, listener_property
from fakekafka.security.tls import Encryption, Secured, fingerprint, secured
from fakekafka.state.configs import BrokerConfig, Source


def encryption_of(config: BrokerConfig, listener: str, own: Callable[[], ssl.SSLContext] | None) -> Encryption:
    """How a listener speaks TLS. It is looked at again after each change of a dynamic config, as real brokers do.

    Raises `BrokerWillNotStart`, `UsageError`.
    """
    given = listener_property(_given(config), listener)
    seen: list[tuple[int, tuple[object, ...]]] = [(config.changes, fingerprint(given))]

    def version() -> object:
        if config.changes != seen[0][0]:
            seen[0] = config.changes, fingerprint(given)
        return seen[0][1]

    return Encryption(lambda: tls_of(config, listener, own), version)


def tls_of(config: BrokerConfig, listener: str, own: Callable[[], ssl.SSLContext] | None) -> Secured:
    """TLS as the properties say it now. Raises `BrokerWillNotStart`, `UsageError`."""
    given, known = listener_property(_given(config), listener), listener_property(_known(config), listener)
    return secured(given, known, own, has_pem="ssl.keystore.key" in config.table)


def tls_state(config: BrokerConfig, listener: str) -> tuple[object, ...]:
    """What the TLS of a listener depends on; equal as long as nothing has changed."""
    return fingerprint(listener_property(_given(config), listener))


def _given(config: BrokerConfig) -> Property:
    """Properties that were set, on whichever way."""

    def read(name: str) -> str | None:
        return next((text for source, text in config.sources(name) if source is not Source.DEFAULT), None)

    return read


def _known(config: BrokerConfig) -> Property:
    def read(name: str) -> str | None:
        return next((text for _, text in config.sources(name)), None)

    return read
