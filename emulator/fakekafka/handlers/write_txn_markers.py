"""WriteTxnMarkers, key 27: write markers that end transactions, at the request of a coordinator or a tool (KIP-664).

Versions: 0 - 2.

Behaviour
* Every marker is written to every partition that is led here; each gets its own error.
* An impossible producer id or epoch fails the whole answer with -1, although markers before it are written.
* Several markers of one producer share one result; the last one for a partition counts.
* A partition that a marker names twice gets it once; from 3.7 on there is no answer then.

Version notes
* 2: transaction version of each marker (KIP-1228). In transaction version 2 the epoch must have risen, if a
  transaction is open.

Not done: nothing.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from fakekafka.coordinators.transactions.ending import EPOCHS_RISE
from fakekafka.coordinators.transactions.markers import Marker, write_marker
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Outcome, Result, stepwise
from fakekafka.handlers.refusal import refusal
from fakekafka.ids import PartitionIndex, ProducerId, TopicName
from fakekafka.pieces import PER_STEP, Stepwise
from fakekafka.wire.apis.write_txn_markers import (
    WritableTxnMarker,
    WritableTxnMarkerPartitionResult,
    WritableTxnMarkerResult,
    WritableTxnMarkerTopicResult,
    WriteTxnMarkersRequest,
    WriteTxnMarkersResponse,
)

Results = dict[TopicName, dict[PartitionIndex, ErrorCode]]
UNKNOWN: Final = (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.NOT_LEADER_OR_FOLLOWER)
"""The errors of partitions that are not led here."""


@stepwise
def handle(request: WriteTxnMarkersRequest, call: Call) -> Stepwise[Result]:
    """Write every marker."""
    if not call.transactions.is_allowed:
        return refusal(request, call.version, ErrorCode.UNSUPPORTED_VERSION)
    results: dict[ProducerId, Results] = {}
    hangs = False
    for n, marker in enumerate(request.markers, 1):
        if marker.producer_id < 0 or marker.producer_epoch < 0:
            return _response({m.producer_id: _spoilt(m) for m in request.markers})
        _write(marker, errors_by_topic := results.setdefault(marker.producer_id, {}), call)
        hangs = hangs or _names_twice(marker, errors_by_topic)
        if not n % PER_STEP:
            yield
    if hangs and call.profile.transactions.marker_named_twice == "no answer":
        return Outcome.HANG
    return _response(results)


def _named(asked: WritableTxnMarker) -> Iterator[tuple[TopicName, PartitionIndex]]:
    return ((topic.name, index) for topic in asked.topics for index in topic.partition_indexes)


def _names_twice(asked: WritableTxnMarker, results: Results) -> bool:
    """Whether a marker names a partition that is led here more than once."""
    led = [(name, index) for name, index in _named(asked) if results[name][index] not in UNKNOWN]
    return len(set(led)) < len(led)


def _spoilt(asked: WritableTxnMarker) -> Results:
    return {t.name: dict.fromkeys(t.partition_indexes, ErrorCode.UNKNOWN_SERVER_ERROR) for t in asked.topics}


def _response(results: Mapping[ProducerId, Results]) -> WriteTxnMarkersResponse:
    return WriteTxnMarkersResponse(
        markers=[
            WritableTxnMarkerResult(producer_id=producer_id, topics=_topics(errors_by_topic))
            for producer_id, errors_by_topic in results.items()
        ]
    )


def _write(asked: WritableTxnMarker, results: Results, call: Call) -> None:
    rises = asked.transaction_version >= EPOCHS_RISE
    marker = Marker(asked.producer_id, asked.producer_epoch, asked.transaction_result, asked.coordinator_epoch, rises)
    # A partition that is named twice gets one marker: KafkaApis makes a map of them.
    for name, index in dict.fromkeys(_named(asked)):
        error = write_marker(call.broker, (name, index), marker)
        if error is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
            error = call.profile.transactions.marker_of_unknown_partition
        results.setdefault(name, {})[index] = error


def _topics(errors_by_topic: Results) -> list[WritableTxnMarkerTopicResult]:
    return [
        WritableTxnMarkerTopicResult(
            name=name,
            partitions=[WritableTxnMarkerPartitionResult(partition_index=i, error_code=e) for i, e in errors.items()],
        )
        for name, errors in errors_by_topic.items()
    ]
