"""Which batches of a read belong to aborted transactions: a group that reads committed records does not deliver them
(SharePartition). Markers are delivered; members say that they are gaps.
"""

from collections.abc import Iterable, Sequence

from fakekafka.coordinators.share_partitions.delivery import Range
from fakekafka.ids import ProducerId
from fakekafka.log.txn_index import AbortedTxn
from fakekafka.records.batch import Batch
from fakekafka.records.control import marker


def aborted_ranges(units: Iterable[Batch], transactions: Sequence[AbortedTxn]) -> list[Range]:
    """First and last offset of each batch that was aborted, in order."""
    coming = sorted(transactions, key=lambda transaction: transaction.first_offset, reverse=True)
    aborting: set[ProducerId] = set()
    ranges: list[Range] = []
    for unit in units:
        while coming and coming[-1].first_offset <= unit.last_offset:
            aborting.add(coming.pop().producer_id)
        if unit.is_control:
            if _ends_aborted(unit):
                aborting.discard(unit.producer_id)
        elif unit.is_transactional and unit.producer_id in aborting:
            ranges.append((unit.base_offset, unit.last_offset))
    return ranges


def _ends_aborted(unit: Batch) -> bool:
    found = next((marker(record) for record in unit.records()), None)
    return found is not None and not found.commit
