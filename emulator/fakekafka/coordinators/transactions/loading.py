"""What a coordinator knows when it becomes the leader of a partition of `__transaction_state`: it reads the partition.

The last record of an id counts. A partition that is larger than `transaction.state.log.load.buffer.size` is read in
several steps, between which other requests are served, and those for its ids get error 14. What cannot be read ends the
loading; what came before it counts (TransactionStateManager.loadTransactionMetadata). Then what was decided and not
completed is completed: the markers are written, maybe once more.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fakekafka.coordinators.transactions.markers import go_on
from fakekafka.coordinators.transactions.records import read_key, read_value
from fakekafka.coordinators.transactions.states import PREPARING
from fakekafka.coordinators.transactions.transaction import Transaction
from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.ids import PartitionIndex
from fakekafka.pieces import joined
from fakekafka.records.batch import Batch
from fakekafka.records.scan import batches
from fakekafka.storage.partition import Partition

if TYPE_CHECKING:
    from fakekafka.coordinators.transactions.coordinator import TransactionCoordinator


def lead(on: "TransactionCoordinator", index: PartitionIndex) -> None:
    """This broker leads a partition: read it, unless it has led it all along."""
    partition = on.partition(index)
    if partition is None or index in on.led:
        return
    on.led[index] = partition.leader_epoch
    on.loading.add(index)
    _continue(on, index, _load(on, index, partition))


def _continue(on: "TransactionCoordinator", index: PartitionIndex, steps: Iterator[None]) -> None:
    """Another step; the next one when everybody else has had a turn."""
    if index in on.loading:
        for _ in steps:
            on.timers.after(0, lambda: _continue(on, index, steps))
            return


def _load(on: "TransactionCoordinator", index: PartitionIndex, partition: Partition) -> Iterator[None]:
    """Read a partition step by step, then let it count."""
    found: dict[str, Transaction] = {}
    try:
        for units in _reads(on, partition):
            for batch in units:
                _take(on, batch, found)
            if units[-1].last_offset + 1 < partition.log.log_end_offset:
                yield
    except MalformedBytes:
        pass  # the rest cannot be read
    on.loading.discard(index)
    on.transactions.update(found)
    for transaction in found.values():
        if transaction.state in PREPARING:
            _complete_soon(on, transaction)


def _reads(on: "TransactionCoordinator", partition: Partition) -> Iterator[list[Batch]]:
    """The units of a log, as many at a time as the load buffer holds."""
    log, size = partition.log, on.config.int("transaction.state.log.load.buffer.size")
    at = log.log_start_offset
    while at < log.log_end_offset:
        found = log.read(at, size, log.log_end_offset, min_one=True)
        units = [] if isinstance(found, ErrorCode) else list(batches(joined(found.buffers)))
        if not units:
            return
        at = units[-1].last_offset + 1
        yield units


def _take(on: "TransactionCoordinator", batch: Batch, found: dict[str, Transaction]) -> None:
    """Read one unit. Raises `MalformedBytes`: for a marker, too, as nobody but a client writes one here."""
    for record in batch.records():
        transactional_id = read_key(record.key)
        if transactional_id is None:
            continue
        if record.value is None:
            found.pop(transactional_id, None)
        else:
            found[transactional_id] = read_value(transactional_id, record.value, on.rules.newest_log_value)


def _complete_soon(on: "TransactionCoordinator", decided: Transaction) -> None:
    """When all brokers are up: the partitions' logs may not be open yet."""
    on.timers.after(0, lambda: go_on(on, decided))
