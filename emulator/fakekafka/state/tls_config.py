"""TLS of a listener as a broker's properties define it, and as it is changed while the broker runs (KIP-226)."""

import ssl
from collections.abc import Callable
from typing import Final

from fakekafka.errors import BrokerWillNotStart, UsageError
from fakekafka.releases.behaviours.tls import TlsBehaviour
from fakekafka.releases.configs.plugins import of_listener
from fakekafka.security.key_stores import UnreadableStore
from fakekafka.security.listener import Listener, Property
from fakekafka.security.listeners import listener_property
from fakekafka.security.renewal import problem, renewal
from fakekafka.security.tls import Encryption, Secured, files_of, secured, values_of
from fakekafka.state.configs import BrokerConfig, Source

CLIENT_AUTH: Final = "ssl.client.auth"


def encryption_of(
    config: BrokerConfig, listener: Listener, rules: TlsBehaviour, own: Callable[[], ssl.SSLContext] | None
) -> Encryption:
    """How a listener speaks TLS. That is checked again after each change of a dynamic config, as in real brokers.

    Raises `BrokerWillNotStart`, `UsageError`.
    """
    given = listener_property(_given(config), listener.name)
    manner = renewal(rules)

    def fingerprint() -> tuple[object, ...]:
        return values_of(given), files_of(given) if manner.is_noticed else ()

    seen = [(config.changes, fingerprint())]

    def version() -> object:
        if config.changes != seen[0][0]:
            seen[0] = config.changes, fingerprint()
        return seen[0][1]

    def may_replace(running: Secured, changed: Secured) -> bool:
        return manner.takes_any or problem(rules, running, changed) is None

    return Encryption(lambda: tls_of(config, listener, rules, own), version, may_replace)


def tls_of(
    config: BrokerConfig, listener: Listener, rules: TlsBehaviour, own: Callable[[], ssl.SSLContext] | None
) -> Secured:
    """TLS as the properties define it now. Raises `BrokerWillNotStart`, `UsageError`."""
    given, known = listener_property(_given(config), listener.name), listener_property(_known(config), listener.name)
    in_force = known if listener.sasl is None else _beside_login(known, config, listener, rules)
    return secured(given, in_force, own, has_pem="ssl.keystore.key" in config.table)


def _beside_login(known: Property, config: BrokerConfig, listener: Listener, rules: TlsBehaviour) -> Property:
    """The properties of a listener whose clients log in: the broker's ssl.client.auth does not apply to it."""
    own = _known(config)(f"listener.name.{listener.name.lower()}.{CLIENT_AUTH}")
    demanded = (own if rules.certificates_beside_login else None) or "none"
    return lambda name: demanded if name == CLIENT_AUTH else known(name)


def tls_values(config: BrokerConfig, listener: Listener) -> tuple[object, ...]:
    """The properties on which the TLS of a listener depends."""
    return values_of(listener_property(_given(config), listener.name))


def refused_renewal(
    running: Encryption, before: BrokerConfig, after: BrokerConfig, listener: Listener, rules: TlsBehaviour
) -> str | None:
    """Why a running listener cannot change to `after`, in the broker's words; None if it can.

    Up to 2.5 the file that is at the old path by now counts as the old store.
    """
    if rules.without_trust_store is not None and not running.now().has_trust_store:
        return rules.without_trust_store
    try:
        changed = tls_of(after, listener, rules, _no_context)
        old = tls_of(before, listener, rules, _no_context) if renewal(rules).takes_any else running.now()
    except UnreadableStore as wrong:
        return rules.unreadable_store.format(words=wrong.words)
    except (BrokerWillNotStart, UsageError) as wrong:
        return rules.unreadable_store.format(words=wrong)
    return problem(rules, old, changed)


def _no_context() -> ssl.SSLContext:
    return ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)


def _given(config: BrokerConfig) -> Property:
    """Properties that were set, in whatever way."""

    def read(name: str) -> str | None:
        return next((text for source, text in config.sources(name) if source is not Source.DEFAULT), None)

    return read


def _known(config: BrokerConfig) -> Property:
    """Properties as they are in force; None for those that the release does not have."""

    def read(name: str) -> str | None:
        if (of_listener(name) or name) not in config.table:
            return None
        return next((text for _, text in config.sources(name)), None)

    return read
