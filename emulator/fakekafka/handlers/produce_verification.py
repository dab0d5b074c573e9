"""Whether the partitions of a Produce request are in the producer's transaction (KIP-890).

Used by `produce` before it appends transactional sets, in releases whose coordinator verifies this.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.handlers.produce_versions import VERSIONS
from fakekafka.handlers.produced_sets import PLAIN, ProducedSet
from fakekafka.ids import TopicPartition

if TYPE_CHECKING:
    from fakekafka.coordinators.transactions.verification import Verification

Unverified: TypeAlias = Mapping[TopicPartition, tuple[ErrorCode, str | None]]
"""The error and message for each partition that may not be written to."""


def unverified_partitions(sets: Iterable[ProducedSet], transactional_id: str | None, call: Call) -> Unverified:
    """Partitions that are not in the producer's transaction.

    The coordinator is not asked about partitions in which the producer already has an open transaction.
    """
    if transactional_id is None or not call.profile.transactions.verifies_records:
        return {}
    by_epoch = call.profile.produce.open_transaction_of == "producer and epoch"
    asked = {}
    producer = PLAIN
    for one in sets:
        is_meant = one.validation.transactional and not one.validation.error
        partition = call.broker.partition(one.topic, one.partition_index) if is_meant else None
        if partition is not None:
            producer = one.validation
            epoch = producer.producer_epoch if by_epoch else None
            if not partition.in_transaction(producer.producer_id, epoch):
                asked[partition.topic.name, partition.index] = one.validation.base_sequence
    if not asked:
        return {}
    from fakekafka.coordinators.transactions.transaction import ProducerIdAndEpoch  # only transactions need these
    from fakekafka.coordinators.transactions.verification import refused_records

    of = ProducerIdAndEpoch(producer.producer_id, producer.producer_epoch)
    return refused_records(call.broker, transactional_id, of, asked, _question(call))


def _question(call: Call) -> "Verification":
    from fakekafka.coordinators.transactions.verification import Verification

    version = VERSIONS[call.version]
    if version.adds_partitions:
        return Verification.ADD
    return Verification.CHECK if version.abortable else Verification.OLD
