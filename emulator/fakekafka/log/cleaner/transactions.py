"""What the cleaner knows about transactions while it reads a log (CleanedTransactionMetadata).

Data of an aborted transaction is removed at once. A marker is removed when nothing of its transaction is left before
it. The transaction indexes say in advance which transactions were aborted; nothing that is undecided is cleaned.
"""

import heapq
from collections.abc import Iterable

from fakekafka.ids import Offset, ProducerId
from fakekafka.log.cleaner import CleaningFailed
from fakekafka.log.txn_index import AbortedTxn
from fakekafka.records.batch import Batch
from fakekafka.records.control import ControlType, control_type
from fakekafka.releases.behaviours.cleaner import CleanerBehaviour


class Transactions:
    """The transactions that are open at one point of the log."""

    def __init__(self, rules: CleanerBehaviour) -> None:
        self._rules = rules
        self._aborted_ahead: list[tuple[Offset, AbortedTxn]] = []  # a heap
        self._aborted: dict[ProducerId, AbortedTxn] = {}
        self._with_data: set[ProducerId] = set()  # producers of which some data has been seen
        self._committed: set[ProducerId] = set()
        self.kept: list[AbortedTxn] = []
        """Aborted ones whose marker was met and stays: entries for the new transaction index, to be collected."""

    def expect(self, aborted: Iterable[AbortedTxn]) -> None:
        """Expect these aborted transactions at the reading position or after it."""
        for transaction in aborted:
            heapq.heappush(self._aborted_ahead, (transaction.first_offset, transaction))

    def meet_data(self, batch: Batch) -> bool:
        """Note a batch that is not a marker. True if it belongs to an aborted transaction."""
        self._begin_up_to(batch.last_offset)
        if not batch.is_transactional:
            return False
        if batch.producer_id in self._aborted:
            self._with_data.add(batch.producer_id)
            return True
        self._committed.add(batch.producer_id)
        return False

    def meet_marker(self, batch: Batch) -> bool:
        """Note a control batch. True if nothing of its transaction is left, so that it may go. Raises
        `CleaningFailed`.
        """
        self._begin_up_to(batch.last_offset)
        record = next(batch.records(), None)
        if record is None:
            if self._rules.empty_marker == "stops the cleaner":
                raise CleaningFailed("a control batch without a marker")
            return True
        kind = control_type(record.key)
        if kind is ControlType.ABORT:
            return self._end_aborted(batch.producer_id)
        if kind is ControlType.COMMIT:
            had_data = batch.producer_id in self._committed
            self._committed.discard(batch.producer_id)
            return not had_data
        return False

    def _end_aborted(self, producer_id: ProducerId) -> bool:
        transaction = self._aborted.pop(producer_id, None)
        had_data = producer_id in self._with_data
        self._with_data.discard(producer_id)
        stays = had_data and self._rules.abort_markers == "outlive data"
        if transaction is not None and (stays or self._rules.abort_markers == "expire"):
            self.kept.append(transaction)
        return not stays

    def _begin_up_to(self, offset: Offset) -> None:
        while self._aborted_ahead and self._aborted_ahead[0][0] <= offset:
            _, transaction = heapq.heappop(self._aborted_ahead)
            self._aborted.setdefault(transaction.producer_id, transaction)
