"""DescribeDelegationToken (key 41): list delegation tokens.

v0 is gone from 4.0 on (KIP-896).

v0   1.1      first version (KIP-48)
v1   2.0      a client over its quota is answered at once and then muted (KIP-219)
v2   2.5      flexible (KIP-482)
v3   3.3      response: requester of each token (KIP-373)
"""

from fakekafka.wire.message import Request, Response, Struct, binary, field, int16, int32, int64, string


class DescribeDelegationTokenOwner(Struct):
    principal_type: string = field("0+")
    principal_name: string = field("0+")


class DescribeDelegationTokenRequest(Request, key=41, versions="0-3", flexible="2+"):
    owners: list[DescribeDelegationTokenOwner] | None = field("0+")  # null: all


class DescribedDelegationTokenRenewer(Struct):
    principal_type: string = field("0+")
    principal_name: string = field("0+")


class DescribedDelegationToken(Struct):
    principal_type: string = field("0+")
    principal_name: string = field("0+")
    token_requester_principal_type: string = field("3+")
    token_requester_principal_name: string = field("3+")
    issue_timestamp: int64 = field("0+")  # all three in milliseconds
    expiry_timestamp: int64 = field("0+")
    max_timestamp: int64 = field("0+")
    token_id: string = field("0+")
    hmac: binary = field("0+")
    renewers: list[DescribedDelegationTokenRenewer] = field("0+")


class DescribeDelegationTokenResponse(Response, key=41, versions="0-3", flexible="2+"):
    error_code: int16 = field("0+")
    tokens: list[DescribedDelegationToken] = field("0+")
    throttle_time_ms: int32 = field("0+")
