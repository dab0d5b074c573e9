"""The coordinators of a group and of a transaction move when their broker stops, and continue elsewhere."""

from typing import Final

from fakekafka.errors import ErrorCode
from fakekafka.ids import BrokerId
from fakekafka.wire.apis.add_partitions_to_txn import AddPartitionsToTxnRequest, AddPartitionsToTxnTopic
from fakekafka.wire.apis.end_txn import EndTxnRequest
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest
from fakekafka.wire.apis.init_producer_id import InitProducerIdRequest, InitProducerIdResponse
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from fakekafka.wire.apis.offset_fetch import OffsetFetchRequest, OffsetFetchRequestTopic
from fakekafka.wire.apis.produce import ProduceRequest

from tests.real_trios.recorder import Recorder
from tests.real_trios.requests import TOPIC, batch, create, fetch, led, produce, produced

GROUP: Final = "g"
TRANSACTION: Final = "t"
OFFSETS: Final = "__consumer_offsets"
STATES: Final = "__transaction_state"
REPLICAS: Final = [1, 2, 0]
TRANSIENT: Final = (
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_COORDINATOR,
    ErrorCode.CONCURRENT_TRANSACTIONS,
)
COMPACTED: Final = {"cleanup_policy": "compact", "compression_type": "producer", "segment_bytes": "1048576"}
COMMIT, COMMITTED, INIT, ADD, END = 9, 7, 4, 3, 4
"""The newest versions that are used: later ones name topics by id, or have transactions of another kind (KIP-890)."""


def coordinators(recorder: Recorder) -> None:
    """Offsets and a transaction survive a clean stop and a kill of their coordinator."""
    create(recorder, [REPLICAS], OFFSETS, **COMPACTED)
    create(recorder, [REPLICAS], STATES, **COMPACTED, min_insync_replicas="1")
    create(recorder, [[0, 1, 2]])
    _found(recorder, 1)
    _commit(recorder, 1, 5)
    for node_id in (1, 2, 0):
        _committed(recorder, node_id)
    _commit(recorder, 2, 6)
    producer = _init(recorder, 1)
    _add(recorder, 1, producer)
    _in_transaction(recorder, producer, 0)
    recorder.stop(1)
    _led(recorder, 2, [2, 0])
    _found(recorder, 2)
    _committed(recorder, 2, waits=True)
    _commit(recorder, 2, 7)
    _committed(recorder, 0)
    _end(recorder, 0, producer)
    _end(recorder, 2, producer, waits=True)
    recorder.brokers.settle()
    fetch(recorder, 0, committed=True)
    recorder.start(1)
    _led(recorder, 2, [2, 0, 1])
    _committed(recorder, 1)
    producer = _init(recorder, 2)
    _add(recorder, 2, producer)
    _in_transaction(recorder, producer, 0)
    recorder.kill(2)
    _led(recorder, 1, [0, 1])
    _found(recorder, 1)
    _committed(recorder, 1, waits=True)
    _end(recorder, 1, producer, waits=True, commits=False)
    recorder.brokers.settle()
    fetch(recorder, 0, committed=True)
    recorder.start(2)
    _led(recorder, 1, [0, 1, 2])
    produce(recorder, 0, b"after")


def _led(recorder: Recorder, leader: BrokerId, isr: list[BrokerId]) -> None:
    for name in (OFFSETS, STATES):
        led(recorder, leader, isr, name=name)


def _found(recorder: Recorder, node_id: BrokerId) -> None:
    version = recorder.version(FindCoordinatorRequest, 3)
    for kind, key in enumerate((GROUP, TRANSACTION)):
        request = FindCoordinatorRequest(key=key, key_type=kind)
        for broker in recorder.brokers.nodes:
            recorder.poll(broker, request, version, lambda answer: answer.node_id == node_id)


def _commit(recorder: Recorder, node_id: BrokerId, offset: int) -> None:
    part = OffsetCommitRequestPartition(partition_index=0, committed_offset=offset, committed_metadata="")
    topic = OffsetCommitRequestTopic(name=TOPIC, partitions=[part])
    request = OffsetCommitRequest(group_id=GROUP, topics=[topic])
    recorder.ask(node_id, request, recorder.version(OffsetCommitRequest, COMMIT))


def _committed(recorder: Recorder, node_id: BrokerId, *, waits: bool = False) -> None:
    topic = OffsetFetchRequestTopic(name=TOPIC, partition_indexes=[0])
    request, version = (
        OffsetFetchRequest(group_id=GROUP, topics=[topic]),
        recorder.version(OffsetFetchRequest, COMMITTED),
    )
    if waits:
        recorder.poll(node_id, request, version, lambda answer: answer.error_code not in TRANSIENT)
    else:
        recorder.ask(node_id, request, version)


def _init(recorder: Recorder, node_id: BrokerId) -> InitProducerIdResponse:
    request = InitProducerIdRequest(transactional_id=TRANSACTION, transaction_timeout_ms=600_000)
    version = recorder.version(InitProducerIdRequest, INIT)
    answer: InitProducerIdResponse = recorder.poll(
        node_id, request, version, lambda answer: answer.error_code not in TRANSIENT
    )
    return answer


def _add(recorder: Recorder, node_id: BrokerId, producer: InitProducerIdResponse) -> None:
    request = AddPartitionsToTxnRequest(
        v3_and_below_transactional_id=TRANSACTION,
        v3_and_below_producer_id=producer.producer_id,
        v3_and_below_producer_epoch=producer.producer_epoch,
        v3_and_below_topics=[AddPartitionsToTxnTopic(name=TOPIC, partitions=[0])],
    )
    version = recorder.version(AddPartitionsToTxnRequest, ADD)
    recorder.poll(
        node_id,
        request,
        version,
        lambda answer: (
            answer.results_by_topic_v3_and_below[0].results_by_partition[0].partition_error_code not in TRANSIENT
        ),
    )


def _in_transaction(recorder: Recorder, producer: InitProducerIdResponse, sequence: int) -> None:
    how = {"producer_id": producer.producer_id, "producer_epoch": producer.producer_epoch}
    request = produced(batch(recorder, [b"in it"], base_sequence=sequence, transactional=True, **how), -1)
    request.transactional_id = TRANSACTION
    recorder.ask(0, request, recorder.version(ProduceRequest, 11))


def _end(
    recorder: Recorder,
    node_id: BrokerId,
    producer: InitProducerIdResponse,
    *,
    commits: bool = True,
    waits: bool = False,
) -> None:
    request = EndTxnRequest(
        transactional_id=TRANSACTION,
        producer_id=producer.producer_id,
        producer_epoch=producer.producer_epoch,
        committed=commits,
    )
    version = recorder.version(EndTxnRequest, END)
    if waits:
        recorder.poll(node_id, request, version, lambda answer: answer.error_code not in TRANSIENT)
    else:
        recorder.ask(node_id, request, version)
