"""AddRaftVoter (key 80): add a voter to the KRaft quorum.

v0   3.9      first version (KIP-853)
v1   4.2      the client may ask for an answer before the change is committed (KIP-1186)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int16, int32, string, uint16, uuid


class Listener(Struct):
    name: string = field("0+")
    host: string = field("0+")
    port: uint16 = field("0+")


class AddRaftVoterRequest(Request, key=80, versions="0-1", flexible="0+"):
    cluster_id: string | None = field("0+")
    timeout_ms: int32 = field("0+")
    voter_id: int32 = field("0+")
    voter_directory_id: uuid = field("0+")  # of the new voter's metadata log
    listeners: list[Listener] = field("0+")
    ack_when_committed: boolean = field("1+", default=True)


class AddRaftVoterResponse(Response, key=80, versions="0-1", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
