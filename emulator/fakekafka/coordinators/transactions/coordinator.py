"""The transaction coordinator of one broker: what requests, time and leadership do to the transactional ids whose
partition of `__transaction_state` it leads (KIP-98; TransactionCoordinator).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, assert_never

from fakekafka.coordinators.late_start import begin
from fakekafka.coordinators.transactions.ending import Ended, Ending
from fakekafka.coordinators.transactions.initialisation import Initialisation, Initialised
from fakekafka.coordinators.transactions.loading import Loading
from fakekafka.coordinators.transactions.markers import Markers
from fakekafka.coordinators.transactions.records import log_key
from fakekafka.coordinators.transactions.state_manager import TransactionStateManager
from fakekafka.coordinators.transactions.transaction import (
    ENDLESS,
    RESTING,
    ProducerIdAndEpoch,
    State,
    Transaction,
)
from fakekafka.errors import ErrorCode
from fakekafka.ids import DurationMs, PartitionIndex, TopicName, TopicPartition
from fakekafka.jvm.maps import MapKind, texts_in_order
from fakekafka.state.topics import TRANSACTION_STATE

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

ABORT_INTERVAL: Final = "transaction.abort.timed.out.transaction.cleanup.interval.ms"
FIXED_ABORT_INTERVAL_MS: Final[DurationMs] = 60_000
"""In releases that do not heed the property."""
REMOVAL_INTERVAL: Final = "transaction.remove.expired.transaction.cleanup.interval.ms"


class TransactionCoordinator(TransactionStateManager):
    """The transactional ids of one broker."""

    def __init__(self, broker: "Broker") -> None:
        super().__init__(broker)
        markers = Markers(self)
        self._ending = Ending(self, markers)
        self._initialisation = Initialisation(self, self._ending)
        self._loading = Loading(self, markers)
        self._checks_regularly = False

    # ---- requests

    def initialise(
        self, transactional_id: str, timeout_ms: DurationMs | None, known: ProducerIdAndEpoch | None
    ) -> Initialised:
        """InitProducerId: see `Initialisation.carry_out`."""
        return self._initialisation.carry_out(transactional_id, timeout_ms, known)

    def end(self, transactional_id: str, producer: ProducerIdAndEpoch, commit: bool, rises: bool) -> Ended:
        """EndTxn: see `Ending.end`."""
        return self._ending.end(transactional_id, producer, commit, rises)

    def fence(self, transaction: Transaction) -> ErrorCode:
        """Abort a transaction without its producer: see `Ending.fence`."""
        return self._ending.fence(transaction)

    # ---- partitions join a transaction: AddPartitionsToTxn, AddOffsetsToTxn, from 4.0 on what is written to (KIP-890)

    def add_partitions(
        self,
        transactional_id: str,
        producer: ProducerIdAndEpoch,
        places: Sequence[TopicPartition],
        client_version: int,
    ) -> ErrorCode:
        """Take partitions into the producer's transaction. `client_version`: its transaction version."""
        if transactional_id in self.stuck:
            return ErrorCode.CONCURRENT_TRANSACTIONS
        known = self.find_of_producer(transactional_id, producer)
        if isinstance(known, ErrorCode):
            return known
        if known.state is State.ONGOING and set(places) <= set(known.partitions):
            return ErrorCode.NONE
        return self.write(
            known._replace(
                state=known.to(State.ONGOING),
                partitions=tuple(dict.fromkeys((*known.partitions, *places))),
                started_at=known.started_at if known.state is State.ONGOING else self.now,
                updated_at=self.now,
                previous_producer_id=self.previous_producer_id(known),
                client_version=client_version,
            )
        )

    def check_partitions(
        self, transactional_id: str, producer: ProducerIdAndEpoch, places: Sequence[TopicPartition]
    ) -> Mapping[TopicPartition, ErrorCode]:
        """Whether partitions are in the producer's transaction: brokers ask before they append (KIP-890)."""
        known = self.find_of_producer(transactional_id, producer)
        if isinstance(known, ErrorCode):
            return dict.fromkeys(places, known)
        absent = self.rules.not_in_transaction
        return {place: ErrorCode.NONE if place in known.partitions else absent for place in places}

    # ---- timeouts and expiry: checked at regular intervals, so they take effect a little late

    def abort_timed_out(self) -> bool:
        """Abort transactions that have been open for longer than their timeout, which may fence their producers. False
        if none is open.
        """
        if any(self._is_late(transaction) for transaction in self.transactions.values()):
            for transactions in self.by_partition().values():
                late = {one.id: one for one in transactions if self._is_late(one)}
                for transactional_id in self._late_order(late):
                    if self.status(transactional_id) is ErrorCode.NONE:
                        self._abort_late(late[transactional_id])
        return any(transaction.state is State.ONGOING for transaction in self.transactions.values())

    def _late_order(self, ids: Iterable[str]) -> Iterable[str]:
        match self.rules.late_order:
            case "map of all":
                return ids
            case "map of the late":
                return texts_in_order(ids, MapKind.SCALA_2_13_MUTABLE)
            case rule:
                assert_never(rule)

    def _abort_late(self, transaction: Transaction) -> None:
        if self.rules.timeout_fences:
            self._ending.fence(transaction, is_late=True)
        else:
            producer = ProducerIdAndEpoch(transaction.producer_id, transaction.epoch)
            self._ending.end(transaction.id, producer, commit=False, rises=False, is_late=True)

    def _is_late(self, transaction: Transaction) -> bool:
        if transaction.state is not State.ONGOING or transaction.id in self.stuck:
            return False
        if transaction.timeout_ms == ENDLESS and self.rules.endless_timeout:
            return False
        return transaction.started_at + transaction.timeout_ms < self.now

    def remove_expired(self) -> bool:
        """Forget ids whose last record is older than transactional.id.expiration.ms and that have nothing open.

        False if there are no more ids.
        """
        latest = self.now - self.config.int("transactional.id.expiration.ms")
        for index, transactions in self.by_partition().items():
            if index in self.loading:
                continue
            old = [t for t in transactions if t.state in RESTING and t.updated_at <= latest]
            dead = [t._replace(state=t.to(State.DEAD)) for t in old]
            if dead and self.append(index, [(log_key(t.id), None) for t in dead]) is ErrorCode.NONE:
                for transaction in dead:
                    del self.transactions[transaction.id]
        return bool(self.transactions)

    # ---- partitions come and go

    def on_leadership(self, index: PartitionIndex, leads: bool) -> None:
        """This or another broker leads a partition of `__transaction_state` from now on."""
        if leads:
            self._check_regularly()
            begin(self.broker, "first producer id", self.loading, index, lambda: self._loading.lead(index))
        elif index in self.led:
            self.unload(index)

    def _check_regularly(self) -> None:
        if not self._checks_regularly:
            self._checks_regularly = True
            interval_ms = self.config.int(ABORT_INTERVAL) if self.rules.timeout_fences else FIXED_ABORT_INTERVAL_MS
            self.timers.while_busy(interval_ms, self.abort_timed_out)
            self.timers.while_busy(self.config.int(REMOVAL_INTERVAL), self.remove_expired)

    def on_topic_deleted(self, topic: TopicName) -> None:
        """If it is `__transaction_state`, everything is forgotten. Missing markers for other topics do not matter."""
        if topic == TRANSACTION_STATE:
            self.clear()
