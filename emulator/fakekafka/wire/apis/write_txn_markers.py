"""WriteTxnMarkers (key 27): the transaction coordinator has leaders write commit or abort markers.

v0 is gone from 4.0 on (KIP-896).

v0   0.11.0   first version (KIP-98)
v1   2.8      flexible (KIP-482)
v2   4.2      transaction version of the marker (KIP-1228)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, int64, string


class WritableTxnMarkerTopic(Struct):
    name: string = field("0+")
    partition_indexes: list[int32] = field("0+")


class WritableTxnMarker(Struct):
    producer_id: int64 = field("0+")
    producer_epoch: int16 = field("0+")
    transaction_result: boolean = field("0+")  # True: commit
    topics: list[WritableTxnMarkerTopic] = field("0+")
    coordinator_epoch: int32 = field("0+")
    transaction_version: int8 = field("2+")  # 0 and 1: the epoch stays; 2: it has risen (KIP-890)


class WriteTxnMarkersRequest(Request, key=27, versions="0-2", flexible="1+"):
    markers: list[WritableTxnMarker] = field("0+")


class WritableTxnMarkerPartitionResult(Struct):
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")


class WritableTxnMarkerTopicResult(Struct):
    name: string = field("0+")
    partitions: list[WritableTxnMarkerPartitionResult] = field("0+")


class WritableTxnMarkerResult(Struct):
    producer_id: int64 = field("0+")
    topics: list[WritableTxnMarkerTopicResult] = field("0+")


class WriteTxnMarkersResponse(Response, key=27, versions="0-2", flexible="1+"):
    markers: list[WritableTxnMarkerResult] = field("0+")
