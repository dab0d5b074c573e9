"""Transactional producers, played by tests without sockets, and what they leave in the logs."""

from collections.abc import Mapping, Sequence

from fakekafka import FakeKafka, ManualClock
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.coordinators.transactions.coordinator import TransactionCoordinator
from fakekafka.coordinators.transactions.records import read_key
from fakekafka.coordinators.transactions.transaction import State, Transaction
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey, BrokerId, TopicPartition
from fakekafka.records import control, v2
from fakekafka.records.batch import Batch
from fakekafka.records.record import Record
from fakekafka.state.topics import TRANSACTION_STATE
from fakekafka.wire.apis.add_offsets_to_txn import AddOffsetsToTxnRequest, AddOffsetsToTxnResponse
from fakekafka.wire.apis.add_partitions_to_txn import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
    AddPartitionsToTxnTopic,
)
from fakekafka.wire.apis.end_txn import EndTxnRequest, EndTxnResponse
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest, FindCoordinatorResponse
from fakekafka.wire.apis.init_producer_id import InitProducerIdRequest, InitProducerIdResponse
from fakekafka.wire.apis.produce import ProduceResponse
from fakekafka.wire.apis.txn_offset_commit import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
    TxnOffsetCommitResponse,
)

from tests.support import producing
from tests.support.brokers import answer
from tests.support.seeded import NOW, broker_of

ONE_PARTITION: dict[str, object] = {
    "transaction.state.log.num.partitions": 1,
    "offsets.topic.num.partitions": 1,
    "log.index.size.max.bytes": 4096,
    "transaction.abort.timed.out.transaction.cleanup.interval.ms": 1000,
}
SMALL: dict[str, object] = {
    **ONE_PARTITION,
    "transaction.state.log.replication.factor": 1,
    "transaction.state.log.min.isr": 1,
    "offsets.topic.replication.factor": 1,
}
T0 = ("t", 0)


def transactional(release: str = "2.8", *, partitions: int = 2, brokers: int = 1, **config: object) -> FakeKafka:
    """A cluster with the topic "t" and the transaction coordinator's topic. `config`: properties, with underscores for
    dots.
    """
    given = {name.replace("_", "."): value for name, value in config.items()}
    clock = ManualClock(NOW)
    kafka = FakeKafka(release, config=SMALL | given, clock=clock, topics={"t": partitions}, brokers=brokers).boot()
    coordinator_is_there(kafka)
    return kafka


def coordinator_is_there(kafka: FakeKafka) -> None:
    """Have `__transaction_state` created, if it does not exist."""
    answer(kafka, FindCoordinatorRequest(key="x", key_type=1), 1, FindCoordinatorResponse)


def coordinator_of(kafka: FakeKafka, node_id: BrokerId = 0) -> TransactionCoordinator:
    return coordinators_of(kafka.connect().core.cluster.brokers[node_id]).transactions


def known(kafka: FakeKafka, transactional_id: str = "x") -> Transaction:
    """What the first broker's coordinator knows."""
    return coordinator_of(kafka).transactions[transactional_id]


def state_of(kafka: FakeKafka, transactional_id: str = "x") -> State:
    return known(kafka, transactional_id).state


def pass_time(kafka: FakeKafka, ms: int) -> None:
    assert isinstance(kafka.clock, ManualClock)
    kafka.clock.advance(ms)


class TransactionalProducer:
    """One producer with a transactional id. Versions that are not given are the broker's newest."""

    def __init__(self, kafka: FakeKafka, transactional_id: str = "x", *, node_id: BrokerId = 0) -> None:
        self.kafka = kafka
        self.transactional_id = transactional_id
        self.node_id = node_id
        self.id = -1
        self.epoch = -1
        self.sequences: dict[TopicPartition, int] = {}

    def newest(self, key: ApiKey, most: int) -> int:
        return min(most, broker_of(self.kafka).advertised[key][1])

    # ---- its identity

    def init(
        self, version: int | None = None, *, timeout_ms: int = 60_000, resume: bool = False, **fields: bool
    ) -> ErrorCode:
        """Get a producer id and an epoch. `resume`: send those that the producer has (KIP-360)."""
        version = self.newest(ApiKey.INIT_PRODUCER_ID, 5) if version is None else version
        sent = InitProducerIdRequest(
            transactional_id=self.transactional_id,
            transaction_timeout_ms=timeout_ms,
            producer_id=self.id if resume else -1,
            producer_epoch=self.epoch if resume else -1,
        )
        for name, value in fields.items():
            setattr(sent, name, value)
        got = answer(self.kafka, sent, version, InitProducerIdResponse, self.node_id)
        if got.error_code == ErrorCode.NONE:
            self.id, self.epoch = got.producer_id, got.producer_epoch
            self.sequences.clear()
        return ErrorCode(got.error_code)

    def initialised(self, timeout_ms: int = 60_000) -> "TransactionalProducer":
        """This producer, with an id and an epoch. It asks again while the coordinator aborts a transaction for it."""
        if self.init(timeout_ms=timeout_ms) is not ErrorCode.NONE:
            assert self.init(timeout_ms=timeout_ms) is ErrorCode.NONE
        return self

    @property
    def identity(self) -> tuple[int, int]:
        return self.id, self.epoch

    # ---- its transactions

    def add(self, *places: TopicPartition, version: int | None = None) -> list[ErrorCode]:
        """Add partitions to the transaction; returns an error for each."""
        topics: dict[str, AddPartitionsToTxnTopic] = {}
        for name, index in places or (T0,):
            topics.setdefault(name, AddPartitionsToTxnTopic(name=name, partitions=[])).partitions.append(index)
        sent = AddPartitionsToTxnRequest(
            v3_and_below_transactional_id=self.transactional_id,
            v3_and_below_producer_id=self.id,
            v3_and_below_producer_epoch=self.epoch,
            v3_and_below_topics=list(topics.values()),
        )
        version = self.newest(ApiKey.ADD_PARTITIONS_TO_TXN, 3) if version is None else version
        got = answer(self.kafka, sent, version, AddPartitionsToTxnResponse, self.node_id)
        rows = got.results_by_topic_v3_and_below
        return [ErrorCode(row.partition_error_code) for topic in rows for row in topic.results_by_partition]

    def produce(
        self,
        value: bytes = b"v",
        place: TopicPartition = T0,
        *,
        version: int | None = None,
        sequence: int | None = None,
        node_id: BrokerId = 0,
    ) -> ErrorCode:
        """Write one record in a transaction."""
        version = self.newest(ApiKey.PRODUCE, 9) if version is None else version
        known_sequence = self.sequences.get(place, 0)
        batch = v2.build(
            [Record(0, NOW, 0, None, value)],
            producer_id=self.id,
            producer_epoch=self.epoch,
            base_sequence=known_sequence if sequence is None else sequence,
            transactional=True,
        )
        request = producing.request({place: batch}, -1, self.transactional_id)
        got = answer(self.kafka, request, version, ProduceResponse, node_id)
        (part,) = producing.parts(got).values()
        if part.error_code == ErrorCode.NONE and sequence is None:
            self.sequences[place] = known_sequence + 1
        return ErrorCode(part.error_code)

    def send(self, value: bytes = b"v", place: TopicPartition = T0) -> None:
        """Write one record as clients up to transaction version 1 do, which must succeed."""
        assert self.add(place) == [ErrorCode.NONE]
        assert self.produce(value, place) is ErrorCode.NONE

    def end(self, commit: bool = True, version: int | None = None) -> ErrorCode:
        """Commit or abort."""
        version = self.newest(ApiKey.END_TXN, 4) if version is None else version
        sent = EndTxnRequest(
            transactional_id=self.transactional_id,
            producer_id=self.id,
            producer_epoch=self.epoch,
            committed=commit,
        )
        got = answer(self.kafka, sent, version, EndTxnResponse, self.node_id)
        if got.error_code == ErrorCode.NONE and version >= 5:
            if got.producer_epoch != self.epoch:
                self.sequences.clear()
            self.id, self.epoch = got.producer_id, got.producer_epoch
        return ErrorCode(got.error_code)

    # ---- offsets

    def add_offsets(self, group: str = "g", version: int | None = None) -> ErrorCode:
        version = self.newest(ApiKey.ADD_OFFSETS_TO_TXN, 3) if version is None else version
        sent = AddOffsetsToTxnRequest(
            transactional_id=self.transactional_id, producer_id=self.id, producer_epoch=self.epoch, group_id=group
        )
        return ErrorCode(answer(self.kafka, sent, version, AddOffsetsToTxnResponse, self.node_id).error_code)

    def commit_offset(
        self,
        offset: int,
        group: str = "g",
        place: TopicPartition = T0,
        *,
        version: int | None = None,
        generation: int = -1,
        member: str = "",
        instance: str | None = None,
    ) -> ErrorCode:
        """Commit an offset in the transaction."""
        version = self.newest(ApiKey.TXN_OFFSET_COMMIT, 3) if version is None else version
        partition = TxnOffsetCommitRequestPartition(
            partition_index=place[1], committed_offset=offset, committed_metadata=""
        )
        sent = TxnOffsetCommitRequest(
            transactional_id=self.transactional_id,
            group_id=group,
            producer_id=self.id,
            producer_epoch=self.epoch,
            generation_id_or_member_epoch=generation,
            member_id=member,
            group_instance_id=instance,
            topics=[TxnOffsetCommitRequestTopic(name=place[0], partitions=[partition])],
        )
        got = answer(self.kafka, sent, version, TxnOffsetCommitResponse)
        return ErrorCode(got.topics[0].partitions[0].error_code)


# ---- what is in the logs


def batches_of(kafka: FakeKafka, place: TopicPartition = T0) -> list[Batch]:
    """Everything in a partition."""
    segments = broker_of(kafka).partitions[place].log.segments
    return [batch for segment in segments for batch in segment.batches()]


def markers(kafka: FakeKafka, place: TopicPartition = T0) -> list[tuple[int, int, control.Marker]]:
    """The markers in a partition: producer id, epoch, and what they say."""
    found = []
    for batch in batches_of(kafka, place):
        if batch.is_control:
            marker = control.marker(next(iter(batch.records())))
            assert marker is not None
            found.append((batch.producer_id, batch.producer_epoch, marker))
    return found


def values(kafka: FakeKafka, index: int = 0) -> list[tuple[str, bytes | None]]:
    """The records of a partition of `__transaction_state`: transactional id and value."""
    records = [r for batch in batches_of(kafka, (TRANSACTION_STATE, index)) for r in batch.records()]
    return [(read_key(r.key) or "", r.value if r.value is None else bytes(r.value)) for r in records]


def told(errors: Mapping[TopicPartition, ErrorCode] | Sequence[ErrorCode]) -> list[int]:
    """Error codes as plain numbers."""
    return [int(error) for error in (errors.values() if isinstance(errors, Mapping) else errors)]
