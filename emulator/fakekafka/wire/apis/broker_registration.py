"""BrokerRegistration (key 62): a KRaft broker registers with the controller.

On the controller listener only.

v0   2.8      first version (KIP-631)
v1   3.4      whether the broker is being migrated from ZooKeeper (KIP-866)
v2   3.7      ids of its log directories (KIP-858)
v3   3.7      epoch before its clean stop (KIP-966)
v4   3.9      features with minimum version 0 are listed (KAFKA-17011)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int16, int32, int64, string, uint16, uuid


class Listener(Struct):
    name: string = field("0+")
    host: string = field("0+")
    port: uint16 = field("0+")
    security_protocol: int16 = field("0+")  # 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL


class Feature(Struct):
    name: string = field("0+")
    min_supported_version: int16 = field("0+")
    max_supported_version: int16 = field("0+")


class BrokerRegistrationRequest(Request, key=62, versions="0-4", flexible="0+"):
    broker_id: int32 = field("0+")
    cluster_id: string = field("0+")
    incarnation_id: uuid = field("0+")  # new for each start
    listeners: list[Listener] = field("0+")
    features: list[Feature] = field("0+")
    rack: string | None = field("0+")
    is_migrating_zk_broker: boolean = field("1+")
    log_dirs: list[uuid] = field("2+")
    previous_broker_epoch: int64 = field("3+", default=-1)  # -1: no clean stop


class BrokerRegistrationResponse(Response, key=62, versions="0-4", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    broker_epoch: int64 = field("0+", default=-1)  # -1 after an error
