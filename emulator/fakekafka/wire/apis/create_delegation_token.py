"""CreateDelegationToken (key 38): make a delegation token.

v0 is gone from 4.0 on (KIP-896).

v0   1.1      first version (KIP-48)
v1   2.0      a client over its quota is answered at once and then muted (KIP-219)
v2   2.4      flexible (KIP-482)
v3   3.3      a token for somebody else: owner and requester (KIP-373)
"""

from fakekafka.wire.message import Request, Response, Struct, binary, field, int16, int32, int64, string


class CreatableRenewers(Struct):
    principal_type: string = field("0+")
    principal_name: string = field("0+")


class CreateDelegationTokenRequest(Request, key=38, versions="0-3", flexible="2+"):
    owner_principal_type: string | None = field("3+")  # null: the requester
    owner_principal_name: string | None = field("3+")
    renewers: list[CreatableRenewers] = field("0+")
    max_lifetime_ms: int64 = field("0+")  # -1: the broker's default


class CreateDelegationTokenResponse(Response, key=38, versions="0-3", flexible="2+"):
    error_code: int16 = field("0+")
    principal_type: string = field("0+")
    principal_name: string = field("0+")
    token_requester_principal_type: string = field("3+")
    token_requester_principal_name: string = field("3+")
    issue_timestamp_ms: int64 = field("0+")
    expiry_timestamp_ms: int64 = field("0+")
    max_timestamp_ms: int64 = field("0+")
    token_id: string = field("0+")
    hmac: binary = field("0+")
    throttle_time_ms: int32 = field("0+")
