"""DescribeUserScramCredentials (key 50): which SCRAM credentials users have.

v0   2.7      first version (KIP-554)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, string


class UserName(Struct):
    name: string = field("0+")


class DescribeUserScramCredentialsRequest(Request, key=50, versions="0", flexible="0+"):
    users: list[UserName] | None = field("0+")  # null or empty: all


class CredentialInfo(Struct):
    mechanism: int8 = field("0+")  # 1 SCRAM-SHA-256, 2 SCRAM-SHA-512
    iterations: int32 = field("0+")


class DescribeUserScramCredentialsResult(Struct):
    user: string = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
    credential_infos: list[CredentialInfo] = field("0+")


class DescribeUserScramCredentialsResponse(Response, key=50, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
    results: list[DescribeUserScramCredentialsResult] = field("0+")
