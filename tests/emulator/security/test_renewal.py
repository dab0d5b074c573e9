"""Changed stores that replace the ones in use. Real brokers were asked about most of it: `tests/golden/tls`."""

import ssl
from collections.abc import Sequence
from typing import Final

import pytest
from cryptography.hazmat.primitives.serialization import Encoding
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.security.key_stores import StoreEntry
from fakekafka.security.mapping_rules import MappingRules
from fakekafka.security.renewal import problem
from fakekafka.security.tls import Secured

from tests.golden.tls.stores import minted, named

RULES: Final = MappingRules.parse("DEFAULT")
ONE: Final = ("only", "CN=broker", "localhost")
OTHER: Final = ("other", "CN=other", "other.example")
REMOVED: Final = (
    "org.apache.kafka.common.config.ConfigException: Cannot remove the SSL keystore from an existing listener for which"
    " a keystore was configured."
)


def secured(*entries: tuple[str, str, str], trusts: bool = True, any_name: bool = False) -> Secured:
    """TLS with entries of these aliases, names and hosts."""
    found = [StoreEntry(alias, certificate(name, host)) for alias, name, host in entries]
    return Secured(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), RULES, found, trusts, any_name, any_name)


def certificate(name: str, host: str) -> bytes:
    return minted(named(name), None, 1, [host]).certificate.public_bytes(Encoding.DER)


def words(release: str, running: Secured, changed: Secured) -> str | None:
    return problem(profile(Release.parse(release)).tls, running, changed)


@pytest.mark.parametrize(("release", "said"), [("2.2", None), ("2.3", REMOVED), ("4.3", REMOVED)])
def test_a_listener_may_not_lose_its_key_store_since_2_3(release: str, said: str | None) -> None:
    assert words(release, secured(ONE), secured()) == said


@pytest.mark.parametrize("release", ["2.2", "3.9"])
def test_a_trust_store_cannot_be_added_to_a_listener_without_one(release: str) -> None:
    assert "Cannot add SSL truststore" in str(words(release, secured(ONE, trusts=False), secured(ONE)))
    assert words(release, secured(ONE), secured(ONE, trusts=False)) is None


@pytest.mark.parametrize(("release", "first"), [("3.6", "SubjectAltNames"), ("3.7", "DistinguishedName")])
def test_since_3_7_all_names_are_compared_before_any_alternative_names(release: str, first: str) -> None:
    running = secured(("a", "CN=a", "a.example"), ("b", "CN=b", "b.example"))
    changed = secured(("a", "CN=a", "other.example"), ("b", "CN=other", "b.example"))
    assert f"Keystore {first}" in str(words(release, running, changed))


@pytest.mark.parametrize(
    "entries", [[ONE, ("more", "CN=more", "more.example")], [("other", "CN=other", "other.example")]]
)
def test_a_store_whose_names_may_change_may_be_replaced_by_any_other(entries: Sequence[tuple[str, str, str]]) -> None:
    assert words("3.9", secured(ONE), secured(*entries)) is not None
    assert words("3.9", secured(ONE), secured(*entries, any_name=True)) is None
