"""What an upgrade changes for those who log in and have rights, release by release: `fakekafka plan` tells it.

Each row cites its source: a KIP, a ticket, or the recordings (sasl, acls).
"""

from typing import Final, NamedTuple

from fakekafka.releases.release import Mode, Release, starting


class SecurityChange(NamedTuple):
    """One change, for clusters that come from a release before `since`."""

    since: str
    what: str
    source: str

    def __str__(self) -> str:
        return f"{self.since}: {self.what} ({self.source})"


_ROWS: Final = (
    ("0.10.0", "SASL PLAIN, and a handshake that names the mechanism", "KIP-43"),
    ("0.10.1", "a topic that a client may not describe is unknown to it: 3 where it was 29", "recorded"),
    ("0.10.2", "SCRAM; several listeners may have one protocol", "KIP-84, KIP-103"),
    ("0.11.0", "idempotent producers need IdempotentWrite on the cluster", "KIP-98"),
    ("0.11.0", "transactional producers need Write on their TransactionalId", "KIP-98"),
    ("0.11.0", "DescribeConfigs and AlterConfigs are operations of their own", "KIP-133"),
    ("1.0", "a topic that a client may not describe is error 29 again", "recorded"),
    ("1.0", "failed logins are reported: clients with SaslAuthenticate get error 58", "KIP-152"),
    ("1.1", "delegation tokens, described with Describe on DelegationToken", "KIP-48"),
    ("2.0", "Create on a topic is enough to make it; before, only Create on the cluster", "KIP-277"),
    ("2.0", "rules for prefixes: only once no older broker is left, which would overlook them", "KIP-290"),
    ("2.0", "host names in certificates are checked: ssl.endpoint.identification.algorithm is https", "KIP-294"),
    ("2.1", "ListGroups leaves out what may not be described, where it was error 31", "recorded"),
    ("2.2", "connections.max.reauth.ms ends logins; clients that cannot log in again lose theirs", "KIP-368"),
    ("2.4", "kafka.security.authorizer.AclAuthorizer takes the place of SimpleAclAuthorizer", "KIP-504"),
    ("2.5", "TLSv1 and TLSv1.1 are off unless ssl.enabled.protocols names them", "KIP-553"),
    ("2.8", "Write on any topic is enough for idempotent producers", "KIP-679"),
    ("3.0", "kafka.security.auth.SimpleAclAuthorizer is gone: the broker does not start with it", "KIP-504"),
    ("3.0", "clients of this age are idempotent unless told otherwise, and may lack IdempotentWrite", "KIP-679"),
    ("4.0", "delegation.token.master.key is gone: delegation.token.secret.key takes its place", "recorded"),
)
CHANGES: Final = tuple(SecurityChange(*row) for row in _ROWS)
"""In the order of the releases."""
TO_KRAFT: Final = SecurityChange(
    "KRaft",
    "authorizer.class.name has to be org.apache.kafka.metadata.authorizer.StandardAuthorizer; the rules move along",
    "KIP-801",
)


def security_changes(before: Release, before_mode: Mode, after: Release, after_mode: Mode) -> list[SecurityChange]:
    """What changes on the way from one to the other; going back changes nothing that is listed here."""
    found = [change for change in CHANGES if before < starting(change.since) <= after]
    return [*found, TO_KRAFT] if before_mode != after_mode and after_mode == "kraft" else found
