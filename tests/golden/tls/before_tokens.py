"""Brokers before 1.1: listeners have no separate properties there, so a broker stands for each of `LISTENERS`.

There are no delegation tokens either, so a client's principal is the one that the authorizer names when it refuses the
client.
"""

from collections.abc import Mapping
from typing import Final

from fakekafka.releases.release import Release

from tests.golden.tls.cases import LISTENERS, properties
from tests.golden.tls.stores import Authorities

PLAIN: Final = Release.parse("0.10.0")
"""The first release with PLAIN: in 0.9 clients log in only by GSSAPI."""
LEFT_OUT: Final = ("FREE",)
"""Listeners about which nothing is asked."""


def protocols(release: Release) -> dict[str, str]:
    """The protocol of each broker's listener beside PLAINTEXT."""
    logins = LISTENERS if release >= PLAIN else {name: each for name, each in LISTENERS.items() if each == "SSL"}
    return {name: each for name, each in logins.items() if name not in LEFT_OUT}


def properties_of_broker(release: Release, made: Authorities, listener: str) -> Mapping[str, str]:
    """The properties of the broker that stands for a listener, without its listeners and users."""
    found, prefix = properties(release, made), f"listener.name.{listener.lower()}.ssl."
    own = {f"ssl.{name.removeprefix(prefix)}": value for name, value in found.items() if name.startswith(prefix)}
    areas = ("ssl.", "sasl.") if release >= PLAIN else ("ssl.",)
    shared = {name: value for name, value in found.items() if name.startswith(areas)}
    authorizer = {"authorizer.class.name": "kafka.security.auth.SimpleAclAuthorizer"}
    return {**shared, **own, **authorizer, "super.users": "User:root"}
