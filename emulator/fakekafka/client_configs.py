"""Settings with which a client library talks to this broker, including what old releases demand."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, assert_never, get_args

from fakekafka.client_tokens import Issue, token_settings
from fakekafka.errors import UsageError
from fakekafka.releases.release import Release
from fakekafka.security.listener import Listener

Client: TypeAlias = Literal["kafka-python", "confluent-kafka", "aiokafka", "java", "spark"]
ClientConfig: TypeAlias = dict[str, Any]

OAUTHBEARER = "OAUTHBEARER"
CLIENTS: tuple[Client, ...] = get_args(Client)
LONGEST_SESSION_MS = 30_000
"""The longest session of a group member before 0.10 (`group.max.session.timeout.ms`). librdkafka asks for 45 seconds by
default."""


class Login(NamedTuple):
    """How a client connects to a listener with TLS or SASL."""

    listener: str
    protocol: str
    ca_file: str | None = None
    mechanism: str | None = None
    user: str = ""
    password: str = ""
    issue: Issue | None = None
    """The function that issues tokens, for OAUTHBEARER."""

    def __repr__(self) -> str:
        return f"Login(listener={self.listener!r}, protocol={self.protocol!r}, user={self.user!r})"


def login_of(
    listeners: Sequence[Listener],
    users: Mapping[str, str],
    user: str | None,
    mechanism: str | None,
    listener: str | None,
    ca_file: str | None,
    issue: Issue | None = None,
) -> Login | None:
    """How a client connects: as `user`, to the listener of that name or the first one where it can. None: without a
    login. Raises `UsageError` if it cannot.
    """
    by_token = issue is not None and (mechanism == OAUTHBEARER or (mechanism is None and user not in users))
    if user is not None and user not in users and not by_token:
        raise UsageError(f"no user {user!r}: these have passwords: {', '.join(sorted(users)) or 'nobody'}")
    fitting = [one for one in listeners if (user is None or one.sasl is not None) and listener in (None, one.name)]
    if not fitting:
        raise UsageError(f"no listener {listener or 'with SASL'}: there are {', '.join(one.name for one in listeners)}")
    reached = fitting[0]
    if reached.protocol == "PLAINTEXT":
        return None if len(listeners) == 1 else Login(reached.name, reached.protocol)
    if user is None or reached.sasl is None:
        return Login(reached.name, reached.protocol, ca_file)
    possible = [name for name in reached.sasl.mechanisms if (name == OAUTHBEARER) is by_token]
    chosen = mechanism or next(iter(possible), None)
    if chosen not in possible:
        raise UsageError(f"listener {reached.name} has no mechanism {chosen}: it has {', '.join(possible)}")
    if by_token:
        return Login(reached.name, reached.protocol, ca_file, chosen, user, issue=issue)
    return Login(reached.name, reached.protocol, ca_file, chosen, user, users[user])


def client_config(client: Client, bootstrap_servers: str, release: Release, login: Login | None = None) -> ClientConfig:
    """Keyword arguments (kafka-python, aiokafka) or properties (the others) that connect `client`, and log it in.

    Where clients cannot find out the release (before 0.10, which brought ApiVersions), the settings name it. Raises
    `UsageError` for an unknown client.
    """
    if client not in CLIENTS:
        raise UsageError(f"no client called {client!r}: use one of {', '.join(CLIENTS)}")
    config = _plain(client, bootstrap_servers, release)
    if login is None:
        return config
    if login.issue is not None:
        secured = _secured(client, login._replace(user="", password=""))
        return config | _without_secrets(secured) | token_settings(client, login.issue)
    return config | _secured(client, login)


def _without_secrets(config: ClientConfig) -> ClientConfig:
    return {name: value for name, value in config.items() if value not in ("", None)}


def _plain(client: Client, bootstrap_servers: str, release: Release) -> ClientConfig:
    negotiates = release.line_number >= (0, 10, 0)
    match client:
        case "kafka-python":
            pin: ClientConfig = {} if negotiates else {"api_version": _kafka_python_version(release)}
            return {"bootstrap_servers": bootstrap_servers} | pin
        case "confluent-kafka":
            fallback: ClientConfig = {
                "api.version.request": False,
                "broker.version.fallback": str(release),
                "session.timeout.ms": LONGEST_SESSION_MS,
            }
            return {"bootstrap.servers": bootstrap_servers} | ({} if negotiates else fallback)
        case "aiokafka":
            return {"bootstrap_servers": bootstrap_servers}
        case "java":
            return {"bootstrap.servers": bootstrap_servers}
        case "spark":
            return {"kafka.bootstrap.servers": bootstrap_servers}
        case _:
            assert_never(client)


def _secured(client: Client, login: Login) -> ClientConfig:
    match client:
        case "kafka-python" | "aiokafka":
            return _for_python(client, login)
        case "confluent-kafka":
            names = ("security.protocol", "ssl.ca.location", "sasl.mechanism", "sasl.username", "sasl.password")
            values = (login.protocol, login.ca_file, login.mechanism, login.user or None, login.password or None)
            return {name: value for name, value in zip(names, values) if value is not None}
        case "java" | "spark":
            prefix = "kafka." if client == "spark" else ""
            return {prefix + name: value for name, value in _for_java(login).items()}
        case _:
            assert_never(client)


def _for_python(client: Client, login: Login) -> ClientConfig:
    settings: ClientConfig = {"security_protocol": login.protocol}
    if login.ca_file is not None and client == "kafka-python":
        settings["ssl_cafile"] = login.ca_file
    elif login.ca_file is not None:
        import ssl  # aiokafka takes an SSL context

        settings["ssl_context"] = ssl.create_default_context(cafile=login.ca_file)
    if login.mechanism is not None:
        settings |= {
            "sasl_mechanism": login.mechanism,
            "sasl_plain_username": login.user,
            "sasl_plain_password": login.password,
        }
    return settings


def _for_java(login: Login) -> dict[str, str]:
    settings = {"security.protocol": login.protocol}
    if login.ca_file is not None:
        settings |= {"ssl.truststore.type": "PEM", "ssl.truststore.location": login.ca_file}
    if login.mechanism is not None:
        module = "scram.ScramLoginModule" if login.mechanism.startswith("SCRAM") else "plain.PlainLoginModule"
        secrets = f'username="{_quoted(login.user)}" password="{_quoted(login.password)}"'
        jaas = f"org.apache.kafka.common.security.{module} required {secrets};"
        settings |= {"sasl.mechanism": login.mechanism, "sasl.jaas.config": jaas}
    return settings


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _kafka_python_version(release: Release) -> tuple[int, ...]:
    """The release as kafka-python names it: 0.9 as a pair, its neighbours as triples."""
    line = release.line_number
    return line[:2] if line == (0, 9, 0) else line
