"""Loading transactional ids when a broker becomes the leader of a partition of `__transaction_state`: it reads the
partition.

The last record of an id counts. A partition that is larger than `transaction.state.log.load.buffer.size` is read in
several steps, between which other requests are served, and those for its ids get error 14. What cannot be read ends the
loading; what came before it counts (TransactionStateManager.loadTransactionMetadata). Then transactions that were
decided but not completed are completed: the markers are written, possibly for the second time.
"""

from collections.abc import Iterator

from fakekafka.coordinators.transactions.markers import Markers
from fakekafka.coordinators.transactions.records import read_key, read_value
from fakekafka.coordinators.transactions.state_manager import TransactionStateManager
from fakekafka.coordinators.transactions.transaction import PREPARING, Transaction
from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.ids import PartitionIndex
from fakekafka.pieces import joined
from fakekafka.records.batch import Batch
from fakekafka.records.scan import batches
from fakekafka.storage.partition import Partition


class Loading:
    """Takes over partitions of `__transaction_state`."""

    def __init__(self, states: TransactionStateManager, markers: Markers) -> None:
        self._states = states
        self._markers = markers

    def lead(self, index: PartitionIndex) -> None:
        """This broker leads a partition: read it, unless it was already its leader."""
        partition = self._states.partition(index)
        if partition is None or index in self._states.led:
            return
        self._states.led[index] = partition.leader_epoch
        self._states.loading.add(index)
        self._continue(index, self._load(index, partition))

    def _continue(self, index: PartitionIndex, steps: Iterator[None]) -> None:
        """Take another step; the next one follows when others have had a turn."""
        if index in self._states.loading:
            for _ in steps:
                self._states.timers.after(0, lambda: self._continue(index, steps))
                return

    def _load(self, index: PartitionIndex, partition: Partition) -> Iterator[None]:
        """Read a partition step by step, then apply it."""
        transactions: dict[str, Transaction] = {}
        try:
            for units in self._reads(partition):
                for batch in units:
                    self._take(batch, transactions)
                if units[-1].last_offset + 1 < partition.log.log_end_offset:
                    yield
        except MalformedBytes:
            pass  # the rest cannot be read
        self._states.loading.discard(index)
        self._states.transactions.update(transactions)
        for transaction in transactions.values():
            if transaction.state in PREPARING:
                self._complete_soon(transaction)

    def _reads(self, partition: Partition) -> Iterator[list[Batch]]:
        """The units of a log, as many at a time as the load buffer holds."""
        log, size = partition.log, self._states.config.int("transaction.state.log.load.buffer.size")
        at = log.log_start_offset
        while at < log.log_end_offset:
            read_slice = log.read(at, size, log.log_end_offset, min_one=True)
            units = [] if isinstance(read_slice, ErrorCode) else list(batches(joined(read_slice.buffers)))
            if not units:
                return
            at = units[-1].last_offset + 1
            yield units

    def _take(self, batch: Batch, transactions: dict[str, Transaction]) -> None:
        """Read one unit. Raises `MalformedBytes`, even for a marker, which only a client could have written here."""
        for record in batch.records():
            transactional_id = read_key(record.key)
            if transactional_id is None:
                continue
            if record.value is None:
                transactions.pop(transactional_id, None)
            else:
                transactions[transactional_id] = read_value(
                    transactional_id, record.value, self._states.rules.newest_log_value
                )

    def _complete_soon(self, decided: Transaction) -> None:
        """Complete a transaction once all brokers are up: the partitions' logs may not be open yet."""
        self._markers.write_later(decided)
