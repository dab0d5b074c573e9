"""How clients log in with SASL: their mechanisms, and the versions of the requests that they send.

The generations are those of Java's client, by KIP. The libraries were recorded over SASL_SSL against 0.10.2, 1.0, 2.3
and 4.3.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from fakekafka.ids import ApiKey
from fakekafka.releases.mechanisms import FIRST_WITH, OAUTHBEARER, PLAIN, SCRAM
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Mode, Release


class ClientLogin(NamedTuple):
    """How a client, or a generation of clients, logs in."""

    name: str
    mechanisms: tuple[str, ...]
    handshake: int = 0
    """The highest version of SaslHandshake that it sends; 0: it sends its tokens bare."""
    authenticate: int = 0
    """The highest version of SaslAuthenticate that it sends, if it sends any."""
    renews: bool = False
    """Whether it logs in again before its login ends (KIP-368)."""
    repeats_nonce: bool = False
    """Whether the last message of SCRAM contains the client's nonce twice, as librdkafka's did before 2.6.1."""


_EVERY: Final = (PLAIN, *SCRAM)
GENERATIONS: Final = (
    ClientLogin("clients of 0.9 and before", ()),
    ClientLogin("clients of 0.10.0 and 0.10.1", (PLAIN,)),
    ClientLogin("clients of 0.10.2 and 0.11", _EVERY),
    ClientLogin("clients of 1.0 to 2.1", (*_EVERY, OAUTHBEARER), 1, 0),
    ClientLogin("clients of 2.2 and later", (*_EVERY, OAUTHBEARER), 1, 2, renews=True),
)
"""The generations of Java's client, oldest first. From 0.9 on all have GSSAPI, too, which is not played."""

_LIBRARIES: Final[Mapping[str, Mapping[str, ClientLogin]]] = {
    "kafka-python": {
        "1.4.7": ClientLogin("", (PLAIN, OAUTHBEARER)),
        "2.0.2": ClientLogin("", (*_EVERY, OAUTHBEARER)),
        "2.3.3": ClientLogin("", (*_EVERY, OAUTHBEARER), 1, 0),
        "3.0.12": ClientLogin("", (*_EVERY, OAUTHBEARER), 1, 2, renews=True),
    },
    "confluent-kafka": {
        "0.11.6": ClientLogin("", _EVERY, repeats_nonce=True),
        "1.6.1": ClientLogin("", (*_EVERY, OAUTHBEARER), 1, 0, repeats_nonce=True),
        "2.2.0": ClientLogin("", (*_EVERY, OAUTHBEARER), 1, 1, renews=True, repeats_nonce=True),
        "2.6.1": ClientLogin("", (*_EVERY, OAUTHBEARER), 1, 1, renews=True),
    },
    "aiokafka": {"0.8.1": ClientLogin("", (*_EVERY, OAUTHBEARER), 1, 1)},
    "kafkajs": {"2.2.4": ClientLogin("", (*_EVERY, OAUTHBEARER), 1, 1, renews=True)},
    "@platformatic/kafka": {"2.12.1": ClientLogin("", (*_EVERY, OAUTHBEARER), 1, 2)},
    "kafka-clients": {
        "0.9.0.1": GENERATIONS[0],
        "0.10.0.0": GENERATIONS[1],
        "0.10.2.0": GENERATIONS[2],
        "1.0.0": GENERATIONS[3],
        "2.2.0": GENERATIONS[4],
    },
}


def login_of(library: str, version: str) -> ClientLogin | None:
    """How this version of a library logs in: like the newest recorded version that is not later. None if there is no
    such recording.
    """
    wanted = _numbers(version)
    known = [login for since, login in _LIBRARIES.get(library, {}).items() if _numbers(since) <= wanted]
    return known[-1]._replace(name=f"{library} {version}") if known else None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdecimal())


def mechanisms_on(login: ClientLogin, release: Release) -> list[str]:
    """The mechanisms that client and broker both have."""
    return [name for name in login.mechanisms if FIRST_WITH[name] <= release.line_number]


def versions_on(login: ClientLogin, release: Release, mode: Mode) -> tuple[int, int | None] | None:
    """The versions of SaslHandshake and SaslAuthenticate towards a broker, None for bare tokens; or None altogether if
    the two have no mechanism in common.
    """
    if not mechanisms_on(login, release):
        return None
    served = profile(release, mode).advertised
    handshake = min(login.handshake, served[ApiKey.SASL_HANDSHAKE].high)
    return handshake, min(login.authenticate, served[ApiKey.SASL_AUTHENTICATE].high) if handshake else None


def login_words(login: ClientLogin, release: Release, mode: Mode) -> str:
    """ "PLAIN, SCRAM: 1 / 2", or why the client cannot log in, for display."""
    versions = versions_on(login, release, mode)
    if versions is None:
        return "cannot: it has GSSAPI at most" if not login.mechanisms else "cannot: no mechanism in common"
    names = dict.fromkeys(name.partition("-")[0] for name in mechanisms_on(login, release))
    handshake, authenticate = versions
    return f"{', '.join(names)}: {handshake} / {'bare tokens' if authenticate is None else authenticate}"


def cautions(login: ClientLogin, release: Release, mode: Mode) -> Iterator[str]:
    """Warnings about the logins of such a client on a release."""
    versions, rules = versions_on(login, release, mode), profile(release, mode).sasl
    if versions is None:
        return
    is_bare = versions[1] is None
    if is_bare:
        yield "a failed login is a closed connection to it"
    if not login.renews and rules.session_lifetimes and (rules.bare_tokens_expire or not is_bare):
        yield "connections.max.reauth.ms cuts it off"
    if login.repeats_nonce and rules.checks_whole_nonce:
        yield "SCRAM fails: it repeats its nonce"
