"""The section about what has happened in a cluster."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fakekafka.handle.section import Section
from fakekafka.storage.conversion_bill import Conversion, total
from fakekafka.watching.requests import Requests

if TYPE_CHECKING:
    from fakekafka.security.authorizer import Denial
    from fakekafka.upgrade.scan import Held


class Observation(Section):
    """What has happened: requests, refusals, conversions, failures."""

    @property
    def requests(self) -> Requests:
        """The last requests with their answers, oldest first: `requests.where(api="Produce")[-1].request.acks`.

        `journal=` and `journal_bytes=` of the constructor say how many are remembered.
        """
        return Requests(self._on_loop(lambda: list(self._running.router.journal.entries)))

    @property
    def versions_used(self) -> dict[str, list[int]]:
        """The versions in which each API was requested since the start or the last reset: `{"Produce": [7], …}`."""
        from fakekafka.texts.summary import api_name

        found = self._on_loop(lambda: sorted(self._running.router.journal.versions_used))
        return {api_name(key): [v for other, v in found if other is key] for key, _ in found}

    def summary(self) -> str:
        """For a person: the topics with their end offsets, and the last requests with their errors."""
        from fakekafka.texts.summary import summary

        return self._on_loop(lambda: summary(self._running.cluster, tuple(self._running.router.journal.entries)))

    def why_denied(self) -> "list[Denial]":
        """The last refusals because of a missing right, oldest first: with the rule that caused each, and the smallest
        rule
        that would have allowed it. `str` of one is a sentence.
        """
        brokers = self._on_loop(lambda: list(self._running.cluster.brokers.values()))
        return [denial for broker in brokers if broker.authorizer is not None for denial in broker.authorizer.denials]

    def stored_formats(self) -> "list[Held]":
        """What the topics hold, by message format. Reads every record."""
        from fakekafka.upgrade.scan import scan

        return self._on_loop(lambda: scan(self._running.cluster))

    def conversions(self) -> list[Conversion]:
        """What was stored and sent since the brokers' start: as it came, or converted, and at which cost.

        By topic, client id, API and version; see `Conversion`.
        """
        return self._on_loop(lambda: total([broker.bill for broker in self._running.cluster.brokers.values()]))

    @property
    def failures(self) -> Sequence[BaseException]:
        """Exceptions that escaped inside the broker: each is a defect of fakekafka."""
        return () if self._runtime.cluster is None else tuple(self._runtime.cluster.failures)
