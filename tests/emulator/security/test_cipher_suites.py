"""Names of cipher suites, and what a listener does with the suites in its config."""

import ssl

import pytest
from fakekafka.errors import BrokerWillNotStart
from fakekafka.security.cipher_suites import choose_ciphers, openssl_name

NAMES = {
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384": "ECDHE-RSA-AES256-GCM-SHA384",
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256": "ECDHE-ECDSA-AES128-GCM-SHA256",
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256": "ECDHE-ECDSA-CHACHA20-POLY1305",
    "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256": "DHE-RSA-AES256-SHA256",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA": "ECDHE-RSA-AES128-SHA",
    "TLS_RSA_WITH_AES_256_GCM_SHA384": "AES256-GCM-SHA384",
    "TLS_RSA_WITH_AES_128_CBC_SHA": "AES128-SHA",
}


@pytest.mark.parametrize("suite", NAMES)
def test_suites_have_their_openssl_names(suite: str) -> None:
    assert openssl_name(suite) == NAMES[suite]


def context() -> ssl.SSLContext:
    return ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)


def test_only_the_chosen_suites_are_left() -> None:
    found = context()
    choose_ciphers(found, ["TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"])
    older = {cipher["name"] for cipher in found.get_ciphers() if cipher["protocol"] == "TLSv1.2"}
    assert older == {"ECDHE-RSA-AES256-GCM-SHA384"}
    assert found.maximum_version is ssl.TLSVersion.TLSv1_2


def test_suites_of_tls_1_3_alone_leave_no_older_version() -> None:
    found = context()
    choose_ciphers(found, ["TLS_AES_256_GCM_SHA384"])
    assert found.minimum_version is ssl.TLSVersion.TLSv1_3


def test_an_unknown_suite_is_refused() -> None:
    with pytest.raises(BrokerWillNotStart, match="Unsupported CipherSuite: TLS_NONSENSE_WITH_AES_128_CBC_SHA"):
        choose_ciphers(context(), ["TLS_NONSENSE_WITH_AES_128_CBC_SHA"])
