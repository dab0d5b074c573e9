"""`ssl.cipher.suites`: Java's names of cipher suites, and OpenSSL's names for them."""

import ssl
from collections.abc import Sequence
from typing import Final

from fakekafka.errors import BrokerWillNotStart

OF_TLS_1_3: Final = frozenset({"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"})
"""Python's ssl cannot choose among these: all of them are on, or TLS 1.3 is off."""
_SPELLED: Final = (("AES_", "AES"), ("_CBC_", "_"), ("_POLY1305_SHA256", "_POLY1305"), ("_", "-"))


def choose_ciphers(context: ssl.SSLContext, suites: Sequence[str]) -> None:
    """Allow only these suites, if there are any. Raises `BrokerWillNotStart` for an unknown one."""
    if not suites:
        return
    older = [openssl_name(suite) for suite in suites if suite not in OF_TLS_1_3]
    if len(older) == len(suites):
        context.maximum_version = ssl.TLSVersion.TLSv1_2
    if not older:
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        return
    known = {cipher["name"] for cipher in _everything().get_ciphers()}
    for suite, name in zip((suite for suite in suites if suite not in OF_TLS_1_3), older):
        if name not in known:
            raise BrokerWillNotStart(f"Unsupported CipherSuite: {suite}")
    context.set_ciphers(":".join(older))


def openssl_name(suite: str) -> str:
    """ "ECDHE-RSA-AES256-GCM-SHA384" for "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"."""
    exchange, _, cipher = suite.removeprefix("TLS_").partition("_WITH_")
    for java, openssl in _SPELLED:
        cipher = cipher.replace(java, openssl)
    exchange = exchange.replace("_", "-")
    return cipher if exchange == "RSA" else f"{exchange}-{cipher}"


def _everything() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers("ALL:COMPLEMENTOFALL:@SECLEVEL=0")
    return context
