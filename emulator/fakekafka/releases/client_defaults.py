"""What Java's clients do differently by default from one release on, as reported by `fakekafka plan`.

Asked of the ConfigDefs of kafka-clients 0.9.0.1 to 4.0.1 (`tests/golden/configs/client_defaults.json`). What counts is
the upgrade of the clients, whatever release the brokers are.
"""

from typing import Final, NamedTuple

from fakekafka.releases.release import Release, starting


class ClientDefault(NamedTuple):
    """One default, for clients that come from a release before `since`."""

    since: str
    who: str
    """ "producer" or "consumer"."""
    name: str
    before: str
    after: str
    source: str
    consequence: str = ""

    def __str__(self) -> str:
        more = f": {self.consequence}" if self.consequence else ""
        change = f"{self.name} goes from {self.before or 'empty'} to {self.after or 'empty'} by default"
        return f"Java {self.who}s, once they are {self.since} or later: {change} ({self.source}){more}"


RANGE: Final = "RangeAssignor"
CLIENT_DEFAULTS: Final = tuple(ClientDefault(*row) for row in (
    ("0.10.1", "consumer", "session.timeout.ms", "30000", "10000", "KIP-62"),
    ("0.10.1", "consumer", "request.timeout.ms", "40000", "305000", "KIP-62"),
    ("0.10.1", "consumer", "max.poll.records", "2147483647", "500", "KIP-41"),
    ("2.0", "producer", "ssl.endpoint.identification.algorithm", "", "https", "KIP-294",
     "brokers whose certificates do not name their hosts are refused"),
    ("2.0", "consumer", "ssl.endpoint.identification.algorithm", "", "https", "KIP-294",
     "brokers whose certificates do not name their hosts are refused"),
    ("2.0", "consumer", "request.timeout.ms", "305000", "30000", "KIP-266"),
    ("2.1", "producer", "retries", "0", "2147483647", "KIP-91",
     "delivery.timeout.ms bounds them; without idempotence they may change the order"),
    ("2.6", "producer", "client.dns.lookup", "default", "use_all_dns_ips", "KIP-602"),
    ("2.6", "consumer", "client.dns.lookup", "default", "use_all_dns_ips", "KIP-602"),
    ("3.0", "producer", "acks", "1", "all", "KIP-679", "a write waits for every replica in sync"),
    ("3.0", "producer", "enable.idempotence", "false", "true", "KIP-679",
     "in force from 3.0.1 and 3.1.1 on, as 3.0.0 and 3.1.0 pass over their own default (KAFKA-13598);"
     " brokers before 2.8 want IdempotentWrite for it, and topics of format 0 or 1 answer 43"),
    ("3.0", "consumer", "session.timeout.ms", "10000", "45000", "KIP-735"),
    ("3.0", "consumer", "partition.assignment.strategy", RANGE, f"{RANGE}, CooperativeStickyAssignor", "KIP-726"),
    ("4.0", "producer", "linger.ms", "0", "5", "KIP-1030"),
    ("4.0", "producer", "metadata.recovery.strategy", "none", "rebootstrap", "KIP-1102"),
    ("4.0", "consumer", "metadata.recovery.strategy", "none", "rebootstrap", "KIP-1102"),
))  # fmt: skip


def client_defaults(before: Release, after: Release) -> list[ClientDefault]:
    """What changes for clients that go from one release to another, oldest first."""
    return [row for row in CLIENT_DEFAULTS if before < starting(row.since) <= after]
