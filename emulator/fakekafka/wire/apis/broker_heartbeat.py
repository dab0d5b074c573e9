"""BrokerHeartbeat (key 63): a KRaft broker keeps its registration alive.

On the controller listener only.

v0   2.8      first version (KIP-631)
v1   3.7      log directories that failed (KIP-858)
v2   4.3      cordoned log directories (KIP-1066)
"""

from fakekafka.wire.message import Request, Response, boolean, field, int16, int32, int64, uuid


class BrokerHeartbeatRequest(Request, key=63, versions="0-2", flexible="0+"):
    broker_id: int32 = field("0+")
    broker_epoch: int64 = field("0+", default=-1)
    current_metadata_offset: int64 = field("0+")  # how far it has read the metadata log
    want_fence: boolean = field("0+")
    want_shut_down: boolean = field("0+")
    offline_log_dirs: list[uuid] = field("1+", tag=0)
    cordoned_log_dirs: list[uuid] | None = field("2+", default=None, tag=1)  # null: not known yet


class BrokerHeartbeatResponse(Response, key=63, versions="0-2", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    is_caught_up: boolean = field("0+")  # nearly up to date with the metadata
    is_fenced: boolean = field("0+", default=True)
    should_shut_down: boolean = field("0+")
