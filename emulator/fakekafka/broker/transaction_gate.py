"""The question that an append asks the transaction coordinator (KIP-890): is this partition in the transaction?

The coordinator stands behind this protocol, so that appending does not depend on it. A broker without one asks nobody.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from fakekafka.errors import ErrorCode
from fakekafka.ids import PartitionIndex, ProducerEpoch, ProducerId, TopicName


class TransactionGate(Protocol):
    """What Produce asks of a coordinator (AddPartitionsToTxnManager)."""

    def verify(
        self,
        transactional_id: str,
        producer_id: ProducerId,
        producer_epoch: ProducerEpoch,
        partitions: Sequence[tuple[TopicName, PartitionIndex]],
        produce_version: int,
    ) -> Mapping[tuple[TopicName, PartitionIndex], ErrorCode]:
        """The partitions that may not be written to, and why. Depending on the version it adds them instead."""
