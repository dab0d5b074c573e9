"""UnregisterController (key 94): remove a controller's registration from KRaft.

Not released yet: known from the branch of 4.4.

v0   4.4      first version (KIP-1312)
"""

from fakekafka.wire.message import Request, Response, field, int16, int32, string


class UnregisterControllerRequest(Request, key=94, versions="0", flexible="0+"):
    controller_id: int32 = field("0+")


class UnregisterControllerResponse(Response, key=94, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
