"""RemoveRaftVoter (key 81): remove a voter from the KRaft quorum.

v0   3.9      first version (KIP-853)
"""

from fakekafka.wire.message import Request, Response, field, int16, int32, string, uuid


class RemoveRaftVoterRequest(Request, key=81, versions="0", flexible="0+"):
    cluster_id: string | None = field("0+")
    voter_id: int32 = field("0+")
    voter_directory_id: uuid = field("0+")


class RemoveRaftVoterResponse(Response, key=81, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
