"""Every property of listeners, SASL and TLS has its effect, or says why it has none."""

import warnings

import pytest
from fakekafka import FakeKafka
from fakekafka.releases.configs.unplayed_security import CLIENT_SIDE, PREFIXES, UNPLAYED, unplayed
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release

PLAYED = {
    "listeners",
    "listener.security.protocol.map",
    "password.encoder.secret",  # without it, passwords cannot be set by request
    "sasl.enabled.mechanisms",
    "sasl.jaas.config",
    "sasl.mechanism.inter.broker.protocol",  # sasl.enabled.mechanisms must have it
    "sasl.server.callback.handler.class",
    "sasl.server.max.receive.size",
    "sasl.oauthbearer.clock.skew.seconds",
    "sasl.oauthbearer.expected.audience",
    "sasl.oauthbearer.expected.issuer",
    "sasl.oauthbearer.jwks.endpoint.url",
    "sasl.oauthbearer.sub.claim.name",
    "security.inter.broker.protocol",  # max.connections makes room for that listener
    "ssl.allow.dn.changes",
    "ssl.allow.san.changes",
    "ssl.cipher.suites",
    "ssl.client.auth",
    "ssl.enabled.protocols",
    "ssl.key.password",
    "ssl.keymanager.algorithm",
    "ssl.keystore.certificate.chain",
    "ssl.keystore.key",
    "ssl.keystore.location",
    "ssl.keystore.password",
    "ssl.keystore.type",
    "ssl.principal.mapping.rules",
    "ssl.truststore.certificates",
    "ssl.truststore.location",
    "ssl.truststore.password",
    "ssl.truststore.type",
}
KINDS = ("ssl.", "sasl.", "listener", "security.", "password.encoder.")


@pytest.mark.parametrize("release", ["0.9.0", "0.11.0", "2.3", "2.8", "3.9", "4.0", "4.3"])
def test_every_property_is_played_or_says_why_not(release: str) -> None:
    names = {name for name in profile(Release.parse(release)).broker_configs if name.startswith(KINDS)}
    silent = {name for name in names - PLAYED if unplayed(name) is None}
    assert silent == set()
    assert not [name for name in names & PLAYED if unplayed(name) is not None]


def test_each_row_is_a_property_of_some_release() -> None:
    releases = ("0.11.0", "2.3", "2.8", "3.9", "4.3")
    names = {name for release in releases for name in profile(Release.parse(release)).broker_configs}
    assert {*UNPLAYED, *CLIENT_SIDE} <= names
    assert all(any(name.startswith(prefix) for name in names) for prefix in PREFIXES)


def test_a_property_without_an_effect_is_warned_about_and_explained() -> None:
    with pytest.warns(UserWarning, match="'ssl.provider' has no further effect here: OpenSSL"):
        kafka = FakeKafka("3.9", config={"ssl.provider": "BCFIPS"})
    assert any(found.what == "config ssl.provider" for found in kafka.explain())


def test_the_default_of_an_unplayed_property_is_not_reported() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kafka = FakeKafka("3.9", config={"ssl.protocol": "TLSv1.3", "super.users": "User:admin"})
    assert not [found for found in kafka.explain() if found.what in ("config ssl.protocol", "config super.users")]
