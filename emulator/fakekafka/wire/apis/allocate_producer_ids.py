"""AllocateProducerIds (key 67): a broker takes a block of producer ids from the controller.

Answered by controllers; on a client listener up to 3.9, in ZooKeeper mode.

v0   3.0      first version (KIP-730)
"""

from fakekafka.wire.message import Request, Response, field, int16, int32, int64


class AllocateProducerIdsRequest(Request, key=67, versions="0", flexible="0+"):
    broker_id: int32 = field("0+")
    broker_epoch: int64 = field("0+", default=-1)


class AllocateProducerIdsResponse(Response, key=67, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    producer_id_start: int64 = field("0+")
    producer_id_len: int32 = field("0+")
