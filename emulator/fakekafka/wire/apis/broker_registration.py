"""BrokerRegistration (key 62)."""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int16, int32, int64, string, uint16, uuid


class Listener(Struct):
    name: string = field("0+")
    host: string = field("0+")
    port: uint16 = field("0+")
    security_protocol: int16 = field("0+")


class Feature(Struct):
    name: string = field("0+")
    min_supported_version: int16 = field("0+")
    max_supported_version: int16 = field("0+")


class BrokerRegistrationRequest(Request, key=62, versions="0-4", flexible="0+"):
    broker_id: int32 = field("0+")
    cluster_id: string = field("0+")
    incarnation_id: uuid = field("0+")
    listeners: list[Listener] = field("0+")
    features: list[Feature] = field("0+")
    rack: string | None = field("0+")
    is_migrating_zk_broker: boolean = field("1+")
    log_dirs: list[uuid] = field("2+")
    previous_broker_epoch: int64 = field("3+", default=-1)


class BrokerRegistrationResponse(Response, key=62, versions="0-4", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    broker_epoch: int64 = field("0+", default=-1)
