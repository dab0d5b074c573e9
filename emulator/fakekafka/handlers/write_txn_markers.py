"""WriteTxnMarkers, key 27: write markers that end transactions, at the request of a coordinator or a tool (KIP-664).

Versions: 0 - 2.

Behaviour
* Every marker is written to every partition that is led here; each gets its own error.
* An impossible producer id or epoch fails the whole answer with -1, though markers before it are written.
* Several markers of one producer share one result; the last one for a partition counts.

Version notes
* 2: transaction version of each marker (KIP-1228). With version 2 the epoch must have risen, if one is open.

Not done: nothing.
"""

from collections.abc import Mapping

from fakekafka.coordinators.transactions.ending import EPOCHS_RISE
from fakekafka.coordinators.transactions.markers import Marker, write_marker
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.handlers.refusal import refusal
from fakekafka.ids import PartitionIndex, ProducerId, TopicName
from fakekafka.wire.apis.write_txn_markers import (
    WritableTxnMarker,
    WritableTxnMarkerPartitionResult,
    WritableTxnMarkerResult,
    WritableTxnMarkerTopicResult,
    WriteTxnMarkersRequest,
    WriteTxnMarkersResponse,
)
from fakekafka.wire.message import Response

Results = dict[TopicName, dict[PartitionIndex, ErrorCode]]


def handle(request: WriteTxnMarkersRequest, call: Call) -> Response:
    """Write every marker."""
    if not call.transactions.is_allowed:
        return refusal(request, call.version, ErrorCode.UNSUPPORTED_VERSION)
    results: dict[ProducerId, Results] = {}
    for marker in request.markers:
        if marker.producer_id < 0 or marker.producer_epoch < 0:
            return _response({m.producer_id: _spoilt(m) for m in request.markers})
        _write(marker, results.setdefault(marker.producer_id, {}), call)
    return _response(results)


def _spoilt(asked: WritableTxnMarker) -> Results:
    return {t.name: dict.fromkeys(t.partition_indexes, ErrorCode.UNKNOWN_SERVER_ERROR) for t in asked.topics}


def _response(results: Mapping[ProducerId, Results]) -> WriteTxnMarkersResponse:
    return WriteTxnMarkersResponse(
        markers=[
            WritableTxnMarkerResult(producer_id=producer_id, topics=_topics(found))
            for producer_id, found in results.items()
        ]
    )


def _write(asked: WritableTxnMarker, results: Results, call: Call) -> None:
    rises = asked.transaction_version >= EPOCHS_RISE
    marker = Marker(asked.producer_id, asked.producer_epoch, asked.transaction_result, asked.coordinator_epoch, rises)
    # A partition that is named twice gets one marker: KafkaApis makes a map of them.
    for name, index in dict.fromkeys(
        (topic.name, index) for topic in asked.topics for index in topic.partition_indexes
    ):
        results.setdefault(name, {})[index] = write_marker(call.broker, (name, index), marker)


def _topics(found: Results) -> list[WritableTxnMarkerTopicResult]:
    return [
        WritableTxnMarkerTopicResult(
            name=name,
            partitions=[WritableTxnMarkerPartitionResult(partition_index=i, error_code=e) for i, e in errors.items()],
        )
        for name, errors in found.items()
    ]
