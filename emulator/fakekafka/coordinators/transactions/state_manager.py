"""The state of the transactional ids whose partition of `__transaction_state` a broker leads, and how it is stored
(KIP-98; TransactionStateManager).

Nothing counts before its record is in the log, and here an append is complete when it returns. So no change is ever
under way while a request is handled, unlike in real coordinators, which answer 51 meanwhile.
"""

from typing import TYPE_CHECKING, Final

from fakekafka.cluster.internal_topics import append, partition_count, partition_for
from fakekafka.coordinators.transactions.map_order import ids_order
from fakekafka.coordinators.transactions.records import log_key, log_value
from fakekafka.coordinators.transactions.transaction import PREPARING, ProducerIdAndEpoch, Transaction
from fakekafka.errors import ErrorCode
from fakekafka.ids import NO_EPOCH, LeaderEpoch, PartitionIndex, ProducerId, TimestampMs
from fakekafka.releases.protocol_effects import TRANSACTIONS
from fakekafka.state.topics import TRANSACTION_STATE
from fakekafka.storage.partition import Partition

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

FEATURE: Final = "transaction.version"
APPEND_ERRORS: Final = {
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_ENOUGH_REPLICAS: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.REQUEST_TIMED_OUT: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_LEADER_OR_FOLLOWER: ErrorCode.NOT_COORDINATOR,
    ErrorCode.KAFKA_STORAGE_ERROR: ErrorCode.NOT_COORDINATOR,
    ErrorCode.MESSAGE_TOO_LARGE: ErrorCode.UNKNOWN_SERVER_ERROR,
    ErrorCode.RECORD_LIST_TOO_LARGE: ErrorCode.UNKNOWN_SERVER_ERROR,
}
"""The error for a client when a change cannot be stored (TransactionStateManager.appendTransactionToLog)."""


class TransactionStateManager:
    """The transactional ids of one broker."""

    def __init__(self, broker: "Broker") -> None:
        self.broker = broker
        self.cluster = broker.cluster
        self.config = broker.config
        self.timers = broker.timers
        self.rules = broker.profile.transactions
        self.transactions: dict[str, Transaction] = {}
        """Keyed by transactional id."""
        self.led: dict[PartitionIndex, LeaderEpoch] = {}
        """Partitions of `__transaction_state` whose ids are coordinated here, with the epoch in which that began."""
        self.loading: set[PartitionIndex] = set()
        """The partitions that have not been read to the end yet."""
        self.stuck: set[str] = set()
        """Ids with a change that could not be stored and is not undone, until they are loaded again."""

    @property
    def now(self) -> TimestampMs:
        return self.cluster.clock.now_ms

    @property
    def version(self) -> int:
        """transaction.version of the cluster: 1 for flexible records, 2 for epochs that rise (KIP-890)."""
        return self.cluster.settings.features.get(FEATURE, 0)

    @property
    def is_allowed(self) -> bool:
        """Whether the inter-broker protocol knows transactions. If not, requests get error 35 (KafkaApis.scala)."""
        protocol = self.config.text("inter.broker.protocol.version")
        return self.broker.profile.allows(TRANSACTIONS, protocol)

    # ---- where transactional ids are

    def partition_of(self, transactional_id: str) -> PartitionIndex:
        """The partition of `__transaction_state` that an id belongs to."""
        return partition_for(transactional_id, partition_count(self.broker, TRANSACTION_STATE))

    def status(self, transactional_id: str) -> ErrorCode:
        """The error for requests about the id: NONE; 14 while it is being loaded; 16 if another broker has it."""
        index = self.partition_of(transactional_id)
        if index in self.loading:
            return ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
        return ErrorCode.NONE if index in self.led else ErrorCode.NOT_COORDINATOR

    def find(self, transactional_id: str) -> Transaction | ErrorCode:
        """What is known about an id, or the error for a request about it."""
        if not transactional_id:
            return ErrorCode.INVALID_REQUEST
        status = self.status(transactional_id)
        if status is not ErrorCode.NONE:
            return status
        return self.transactions.get(transactional_id, ErrorCode.INVALID_PRODUCER_ID_MAPPING)

    def find_of_producer(self, transactional_id: str, producer: ProducerIdAndEpoch) -> Transaction | ErrorCode:
        """The transaction that this producer may add to, or what is wrong."""
        known = self.find(transactional_id)
        if isinstance(known, ErrorCode):
            return known
        if known.producer_id != producer.id:
            return ErrorCode.INVALID_PRODUCER_ID_MAPPING
        if known.epoch != producer.epoch:
            return self.rules.fenced
        return ErrorCode.CONCURRENT_TRANSACTIONS if known.state in PREPARING else known

    def previous_producer_id(self, transaction: Transaction) -> ProducerId:
        """The previous producer id in the next value, if the change does not set one."""
        by_change = self.rules.previous_id == "of the last change"
        return transaction.producer_id if by_change else transaction.previous_producer_id

    # ---- the log

    def partition(self, index: PartitionIndex) -> Partition | None:
        """A partition of `__transaction_state`, if this broker leads it."""
        return self.broker.partition(TRANSACTION_STATE, index)

    def coordinator_epoch(self, transactional_id: str) -> LeaderEpoch:
        """The coordinator epoch in markers, by which those of a replaced coordinator are refused."""
        index = self.partition_of(transactional_id)
        partition = self.partition(index)
        if partition is None or self.rules.coordinator_epoch == "at loading":
            return self.led.get(index, NO_EPOCH)
        return partition.leader_epoch

    def write(self, transaction: Transaction) -> ErrorCode:
        """Write a change and apply it. If it returns an error, nothing has changed."""
        known, rules = self.transactions.get(transaction.id), self.rules
        if transaction.client_version and not self.version and rules.client_version_unwritten == "35 and stuck":
            self.stuck.add(transaction.id)
            return ErrorCode.UNSUPPORTED_VERSION
        held = 0 if known is None else len(known.partitions)
        order, with_ids = rules.logged_order, rules.ids_logged
        value = log_value(transaction, min(self.version, 1), order=order, held=held, with_ids=with_ids)
        error = self.append(self.partition_of(transaction.id), [(log_key(transaction.id), value)])
        if error is ErrorCode.NONE:
            self.transactions[transaction.id] = transaction
        return APPEND_ERRORS.get(error, error)

    def append(self, index: PartitionIndex, records: list[tuple[bytes, bytes | None]]) -> ErrorCode:
        """Append to a partition, for all its replicas (acks -1)."""
        partition = self.partition(index)
        if partition is None:
            return ErrorCode.NOT_LEADER_OR_FOLLOWER
        if partition.lacks_replicas:
            return ErrorCode.NOT_ENOUGH_REPLICAS
        return append(self.cluster.waiters, partition, records, self.now).error

    # ---- forgotten in memory only

    def by_partition(self) -> dict[PartitionIndex, list[Transaction]]:
        """What is known about all ids, in the order in which brokers go through them."""
        ids: dict[PartitionIndex, list[str]] = {}
        for transactional_id in self.transactions:
            ids.setdefault(self.partition_of(transactional_id), []).append(transactional_id)
        return {index: [self.transactions[one] for one in ids_order(ids[index])] for index in sorted(ids)}

    def unload(self, index: PartitionIndex) -> None:
        """Forget the ids of a partition that the broker no longer leads."""
        self.led.pop(index, None)
        self.loading.discard(index)
        for transaction in self.by_partition().get(index, ()):
            del self.transactions[transaction.id]
            self.stuck.discard(transaction.id)

    def clear(self) -> None:
        """Forget everything."""
        self.transactions.clear()
        self.stuck.clear()
        self.led.clear()
        self.loading.clear()
