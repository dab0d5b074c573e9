"""Partitions join a transaction: AddPartitionsToTxn and AddOffsetsToTxn, and from 4.0 on what is written to (KIP-890).

The first ones begin it. A group's offsets join by the partition of `__consumer_offsets` that the group belongs to.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fakekafka.coordinators.transactions.states import PREPARING, State
from fakekafka.coordinators.transactions.transaction import Place, ProducerIdAndEpoch, Transaction
from fakekafka.errors import ErrorCode

if TYPE_CHECKING:
    from fakekafka.coordinators.transactions.coordinator import TransactionCoordinator


def add_partitions(
    on: "TransactionCoordinator",
    transactional_id: str,
    producer: ProducerIdAndEpoch,
    places: Sequence[Place],
    client_version: int,
) -> ErrorCode:
    """Take partitions into the producer's transaction. `client_version`: its transaction version."""
    if transactional_id in on.stuck:
        return ErrorCode.CONCURRENT_TRANSACTIONS
    found = find_of(on, transactional_id, producer)
    if isinstance(found, ErrorCode):
        return found
    if found.state is State.ONGOING and set(places) <= set(found.partitions):
        return ErrorCode.NONE
    return on.write(
        found._replace(
            state=found.to(State.ONGOING),
            partitions=tuple(dict.fromkeys((*found.partitions, *places))),
            started_at=found.started_at if found.state is State.ONGOING else on.now,
            updated_at=on.now,
            previous_producer_id=on.previous_producer_id(found),
            client_version=client_version,
        )
    )


def check_partitions(
    on: "TransactionCoordinator", transactional_id: str, producer: ProducerIdAndEpoch, places: Sequence[Place]
) -> Mapping[Place, ErrorCode]:
    """Are partitions in the producer's transaction? Asked by brokers before they append (KIP-890)."""
    found = find_of(on, transactional_id, producer)
    if isinstance(found, ErrorCode):
        return dict.fromkeys(places, found)
    absent = on.rules.not_in_transaction
    return {place: ErrorCode.NONE if place in found.partitions else absent for place in places}


def find_of(
    on: "TransactionCoordinator", transactional_id: str, producer: ProducerIdAndEpoch
) -> Transaction | ErrorCode:
    """The transaction that this producer may add to, or what is wrong."""
    found = on.find(transactional_id)
    if isinstance(found, ErrorCode):
        return found
    if found.producer_id != producer.id:
        return ErrorCode.INVALID_PRODUCER_ID_MAPPING
    if found.epoch != producer.epoch:
        return on.rules.fenced
    return ErrorCode.CONCURRENT_TRANSACTIONS if found.state in PREPARING else found
