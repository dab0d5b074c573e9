"""ControllerRegistration (key 70): a KRaft controller registers with the active one.

On the controller listener only.

v0   3.7      first version (KIP-919)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int16, int32, string, uint16, uuid


class Listener(Struct):
    name: string = field("0+")
    host: string = field("0+")
    port: uint16 = field("0+")
    security_protocol: int16 = field("0+")  # 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL


class Feature(Struct):
    name: string = field("0+")
    min_supported_version: int16 = field("0+")
    max_supported_version: int16 = field("0+")


class ControllerRegistrationRequest(Request, key=70, versions="0", flexible="0+"):
    controller_id: int32 = field("0+")
    incarnation_id: uuid = field("0+")
    zk_migration_ready: boolean = field("0+")
    listeners: list[Listener] = field("0+")
    features: list[Feature] = field("0+")


class ControllerRegistrationResponse(Response, key=70, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
