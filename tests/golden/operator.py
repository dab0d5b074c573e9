"""What an operator did for a recording: listeners and users in the broker's files, rules and quotas in ZooKeeper."""

from typing import Final

from fakekafka.admin.quotas import keep
from fakekafka.cluster.cluster import Cluster
from fakekafka.security.acl import ALLOW, DENY, LITERAL, PREFIXED, Acl
from fakekafka.security.jaas import login_modules
from fakekafka.security.rule_words import OPERATIONS, TYPES
from fakekafka.security.sasl.scram import credential_of_password
from fakekafka.state.cluster_settings import CredentialChange

from tests.golden.security_lines import SetAcls, SetQuota, SetScramUser
from tests.golden.transcript import Config, Recording

FIRST_PORT: Final = 9092
ENTITIES: Final = {"users": "user", "clients": "client-id", "ips": "ip"}


def listener_config(recording: Recording) -> Config:
    """The properties that give a broker the recorded listeners, PLAINTEXT first."""
    if not recording.listeners:
        return {}
    protocols = {"PLAINTEXT": "PLAINTEXT", **recording.listeners}
    found: Config = {
        "listeners": ",".join(f"{name}://127.0.0.1:{FIRST_PORT + n}" for n, name in enumerate(protocols)),
    }
    if set(protocols) != set(protocols.values()):
        found["listener.security.protocol.map"] = ",".join(f"{name}:{value}" for name, value in protocols.items())
    return found


def jaas_users(recording: Recording) -> dict[str, str]:
    """The users of PLAIN in the broker's JAAS file."""
    return {name: secret for module in login_modules(recording.jaas) for name, secret in module.users.items()}


def administer(cluster: Cluster, line: SetAcls | SetScramUser | SetQuota) -> None:
    """Apply what an operator wrote to ZooKeeper."""
    match line:
        case SetAcls():
            cluster.settings.acls.clear()
            for rule in line.rules:
                cluster.settings.acls.add(_acl(*rule))
        case SetScramUser():
            salt, name = line.salt.encode(), line.mechanism
            kept = credential_of_password(name, line.password, salt, line.iterations)
            cluster.settings.change_scram([CredentialChange(kept.mechanism, line.user, kept)])
        case SetQuota():
            entity = tuple(
                sorted((ENTITIES[kind], None if name == "<default>" else name) for kind, name in line.entity)
            )
            keep(next(iter(cluster.brokers.values())), entity, dict(line.values))


def _acl(kind: str, name: str, pattern: str, principal: str, host: str, operation: str, permission: str) -> Acl:
    return Acl(
        TYPES[kind.lower()],
        name,
        PREFIXED if pattern == "Prefixed" else LITERAL,
        principal,
        host,
        OPERATIONS[operation.lower()],
        ALLOW if permission == "Allow" else DENY,
    )
