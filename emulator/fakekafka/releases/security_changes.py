"""What an upgrade changes about logins and access rights, release by release, as reported by `fakekafka plan`.

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
    ("0.9.0", "TLS and SASL GSSAPI", "KIP-12"),
    ("0.9.0", "kafka.security.auth.SimpleAclAuthorizer, which allows nothing without a rule", "KIP-11"),
    ("0.10.0", "SASL PLAIN, and a handshake that names the mechanism", "KIP-43"),
    ("0.10.1", "a topic that a client may not describe is unknown to it: 3 where it was 29", "recorded"),
    ("0.10.1", "CreateTopics needs Create on the cluster, DeleteTopics Delete on the topic", "KIP-4"),
    ("0.10.2", "SCRAM; several listeners may have one protocol", "KIP-84, KIP-103"),
    ("0.11.0", "idempotent producers need IdempotentWrite on the cluster", "KIP-98"),
    ("0.11.0", "transactional producers need Write on their TransactionalId", "KIP-98"),
    ("0.11.0", "DescribeConfigs and AlterConfigs are operations of their own, on topics and on the cluster", "KIP-133"),
    ("0.11.0", "DeleteRecords needs Delete on the topic", "KIP-107"),
    ("1.0", "Describe on the group is enough for OffsetFetch; before, Read", "recorded"),
    ("1.0", "CreatePartitions needs Alter on the topic", "KIP-195"),
    ("1.0", "a topic that a client may not describe is error 29 again", "recorded"),
    ("1.0", "failed logins are reported: clients with SaslAuthenticate get error 58", "KIP-152"),
    ("1.1", "delegation tokens, described with Describe on DelegationToken", "KIP-48"),
    ("1.1", "DeleteGroups needs Delete on the group", "KIP-229"),
    ("1.1", "a follower's Fetch needs ClusterAction alone; before, Read on the topic as well", "recorded"),
    ("2.0", "Create on a topic is enough to make it; before, only Create on the cluster", "KIP-277"),
    ("2.0", "rules for prefixes: only once no older broker is left, which would overlook them", "KIP-290"),
    ("2.0", "host names in certificates are checked: ssl.endpoint.identification.algorithm is https", "KIP-294"),
    ("2.1", "ListGroups leaves out what may not be described, where it was error 31", "recorded"),
    ("2.1", "Describe on the topic is enough for OffsetForLeaderEpoch; before, ClusterAction", "KIP-320"),
    ("2.2", "ElectLeaders needs Alter on the cluster", "KIP-183"),
    ("2.2", "connections.max.reauth.ms ends logins; clients that cannot log in again lose theirs", "KIP-368"),
    ("2.4", "kafka.security.authorizer.AclAuthorizer takes the place of SimpleAclAuthorizer", "KIP-504"),
    ("2.4", "CreateTopics answers the configs of a new topic to clients with DescribeConfigs on it", "KIP-525"),
    ("2.4", "OffsetDelete needs Delete on the group and Read on the topic", "KIP-496"),
    ("2.4", "AlterPartitionReassignments needs Alter on the cluster", "KIP-455"),
    ("2.5", "TLSv1 and TLSv1.1 are off unless ssl.enabled.protocols names them", "KIP-553"),
    ("2.6", "quotas are described with DescribeConfigs, and altered with AlterConfigs on the cluster", "KIP-546"),
    ("2.7", "SCRAM users are described with Describe, and altered with Alter on the cluster", "KIP-554"),
    ("2.8", "Write on any topic is enough for idempotent producers", "KIP-679"),
    ("3.0", "kafka.security.auth.SimpleAclAuthorizer is gone: the broker does not start with it", "KIP-504"),
    ("3.0", "Java producers from 3.0.1 and 3.1.1 on are idempotent by default: may lack IdempotentWrite", "KIP-679"),
    ("3.0", "DescribeTransactions needs Describe on its id, DescribeProducers Read on the topic", "KIP-664"),
    ("3.3", "tokens for others need CreateTokens on User:OWNER, or DescribeTokens to see them", "KIP-373"),
    ("3.8", "Alter on the cluster is enough for WriteTxnMarkers; before, ClusterAction", "recorded"),
    ("4.0", "kafka.security.authorizer.AclAuthorizer is gone: the broker does not start with it", "KIP-801"),
    ("4.0", "SCRAM checks the whole nonce: librdkafka before 2.6.1 cannot log in by it", "recorded; CVE-2024-56128"),
    ("4.0", "groups of KIP-848 need Describe on every topic that a member subscribes to", "KIP-848"),
    ("4.0", "DescribeConfigs and AlterConfigs are operations on groups, too", "KIP-848"),
    ("4.0", "delegation.token.master.key is gone: delegation.token.secret.key takes its place", "recorded"),
)
CHANGES: Final = tuple(SecurityChange(*row) for row in _ROWS)
"""The changes that come with a release, in the order of the releases."""
TO_KRAFT: Final = SecurityChange(
    "KRaft",
    "authorizer.class.name has to be org.apache.kafka.metadata.authorizer.StandardAuthorizer; the rules move along",
    "KIP-801",
)


def security_changes(before: Release, before_mode: Mode, after: Release, after_mode: Mode) -> list[SecurityChange]:
    """What changes in an upgrade from one release to the other; a downgrade changes nothing that is listed here."""
    changes = [change for change in CHANGES if before < starting(change.since) <= after]
    return [*changes, TO_KRAFT] if before_mode != after_mode and after_mode == "kraft" else changes
