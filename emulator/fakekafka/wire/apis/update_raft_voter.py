"""UpdateRaftVoter (key 82): a KRaft voter announces new endpoints or versions.

On the controller listener only.

v0   3.9      first version (KIP-853)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, string, uint16, uuid


class Listener(Struct):
    name: string = field("0+")
    host: string = field("0+")
    port: uint16 = field("0+")


class KRaftVersionFeature(Struct):
    min_supported_version: int16 = field("0+")
    max_supported_version: int16 = field("0+")


class UpdateRaftVoterRequest(Request, key=82, versions="0", flexible="0+"):
    cluster_id: string | None = field("0+")
    current_leader_epoch: int32 = field("0+")  # -1: unknown
    voter_id: int32 = field("0+")
    voter_directory_id: uuid = field("0+")
    listeners: list[Listener] = field("0+")
    k_raft_version_feature: KRaftVersionFeature = field("0+")


class CurrentLeader(Struct):
    leader_id: int32 = field("0+", default=-1)  # -1: unknown
    leader_epoch: int32 = field("0+", default=-1)
    host: string = field("0+")
    port: int32 = field("0+")


class UpdateRaftVoterResponse(Response, key=82, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    current_leader: CurrentLeader = field("0+", tag=0)
