"""AlterUserScramCredentials (key 51): set and delete SCRAM credentials.

v0   2.7      first version (KIP-554)
"""

from fakekafka.wire.message import Request, Response, Struct, binary, field, int8, int16, int32, string


class ScramCredentialDeletion(Struct):
    name: string = field("0+")
    mechanism: int8 = field("0+")  # 1 SCRAM-SHA-256, 2 SCRAM-SHA-512


class ScramCredentialUpsertion(Struct):
    name: string = field("0+")
    mechanism: int8 = field("0+")  # 1 SCRAM-SHA-256, 2 SCRAM-SHA-512
    iterations: int32 = field("0+")
    salt: binary = field("0+")
    salted_password: binary = field("0+")


class AlterUserScramCredentialsRequest(Request, key=51, versions="0", flexible="0+"):
    deletions: list[ScramCredentialDeletion] = field("0+")
    upsertions: list[ScramCredentialUpsertion] = field("0+")


class AlterUserScramCredentialsResult(Struct):
    user: string = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")


class AlterUserScramCredentialsResponse(Response, key=51, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    results: list[AlterUserScramCredentialsResult] = field("0+")
