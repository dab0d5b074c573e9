"""The section about what has happened in a cluster."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fakekafka.handle.section import Section
from fakekafka.storage.conversion_bill import Conversion, total

if TYPE_CHECKING:
    from fakekafka.faults.rule import Rule
    from fakekafka.security.authorizer import Denial
    from fakekafka.server.journal import Entry
    from fakekafka.server.refused_connection import RefusedConnection
    from fakekafka.upgrade.scan import Held
    from fakekafka.watching.requests import Requests


class Observation(Section):
    """What has happened: requests, refusals, conversions, failures."""

    @property
    def requests(self) -> "Requests":
        """The last requests with their answers, oldest first: `requests.where(api="Produce")[-1].request.acks`.

        `journal=` and `journal_bytes=` of the constructor say how many are remembered.
        """
        from fakekafka.watching.requests import Requests

        return Requests(self._on_loop(lambda: list(self._running.router.journal.entries)))

    def counted_requests(self) -> "tuple[int, Requests]":
        """How many requests were remembered since the start, and those that are still remembered."""
        from fakekafka.watching.requests import Requests

        def counted() -> "tuple[int, list[Entry]]":
            journal = self._running.router.journal
            return journal.count, list(journal.entries)

        count, entries = self._on_loop(counted)
        return count, Requests(entries)

    def wait_for_more_requests(self, after: int, timeout: float) -> bool:
        """Wait at most `timeout` seconds until the number of requests is not `after`. Returns whether it changed."""
        return self._runtime.wait_until(lambda: self._running.router.journal.count != after, timeout)

    @property
    def versions_used(self) -> dict[str, list[int]]:
        """The versions in which each API was requested since the start or the last reset: `{"Produce": [7], …}`."""
        from fakekafka.texts.summary import api_name

        used = self._on_loop(lambda: sorted(self._running.router.journal.versions_used))
        return {api_name(key): [v for other, v in used if other is key] for key, _ in used}

    def summary(self) -> str:
        """For a person: the topics with their end offsets, and the last requests with their errors."""
        from fakekafka.texts.summary import summary

        rules = () if self._faults is None else self._faults.rules_so_far()
        refused = self.refused_connections
        entries = self._on_loop(lambda: tuple(self._running.router.journal.entries))
        return self._on_loop(lambda: summary(self._running.cluster, entries, rules, refused))

    def still_open(self, patience: float = 0.0) -> list[str]:
        """What clients have not closed: members of groups, transactions, connections; one line for each.

        `patience`: for this many seconds, wait for clients that are closing.
        """
        from fakekafka.watching.still_open import still_open

        core = self._running
        self._runtime.wait_until(lambda: not still_open(core.cluster, core.connections.values()), patience)
        return self._on_loop(lambda: still_open(core.cluster, core.connections.values()))

    def unused_faults(self) -> "list[Rule]":
        """The fault rules that have never acted, though they were expected to: `near_misses` of each may say why."""
        rules = () if self._faults is None else self._faults.rules_so_far()
        return [rule for rule in rules if rule.expected and not rule.hits]

    def open_listeners(self) -> list[str]:
        """The names of the listeners on which clients need neither log in nor have a certificate."""
        from fakekafka.state.security_config import asks_nobody

        brokers = self._on_loop(lambda: list(self._running.cluster.brokers.values()))
        places = [(broker.config, listener) for broker in brokers for listener in broker.listeners]
        return list(dict.fromkeys(listener.name for config, listener in places if asks_nobody(config, listener)))

    @property
    def refused_connections(self) -> "list[RefusedConnection]":
        """The last connections that were turned away, oldest first, each with the reason: a TLS handshake or a
        login that failed, a client of another protocol, a login that took too long, too many connections. `str` of one
        is a sentence.
        """
        return self._on_loop(lambda: list(self._running.router.journal.refused))

    def why_denied(self) -> "list[Denial]":
        """The last refusals because of a missing right, oldest first: with the rule that caused each, and the smallest
        rule that would have allowed it. `str` of one is a sentence.
        """
        brokers = self._on_loop(lambda: list(self._running.cluster.brokers.values()))
        return [denial for broker in brokers if broker.authorizer is not None for denial in broker.authorizer.denials]

    def stored_formats(self) -> "list[Held]":
        """What the topics hold, by message format. Reads every record."""
        from fakekafka.upgrade.scan import scan

        return self._on_loop(lambda: scan(self._running.cluster))

    def conversions(self) -> list[Conversion]:
        """What was stored and sent since the brokers' start: as it came, or converted, and at what cost.

        By topic, client id, API and version; see `Conversion`.
        """
        return self._on_loop(lambda: total([broker.bill for broker in self._running.cluster.brokers.values()]))

    @property
    def failures(self) -> Sequence[BaseException]:
        """Exceptions that escaped inside the broker: each is a defect of fakekafka."""
        return () if self._runtime.cluster is None else tuple(self._runtime.cluster.failures)
