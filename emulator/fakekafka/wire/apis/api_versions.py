"""ApiVersions (key 18): which APIs and versions a broker serves: the first request of most clients.

A broker that does not know the version answers UNSUPPORTED_VERSION in the layout of v0, from 2.4 on with its own range
for this key (KIP-511). The response header is never flexible. v5 is not released yet: known from the branch of 4.4.

v0   0.10.0   first version (KIP-35)
v1   0.11.0   throttle time (KIP-124)
v2   2.0      a client over its quota is answered at once and then muted (KIP-219)
v3   2.4      client software name and version (KIP-511); flexible (KIP-482); features (KIP-584) come later, see below
v4   3.9      features with minimum version 0 are listed (KAFKA-17011)
v5   4.4      cluster id and node id that the client expects: a misrouted connection is refused (KIP-1242)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int16, int32, int64, string


class ApiVersionsRequest(Request, key=18, versions="0-5", flexible="3+"):
    client_software_name: string = field("3+")  # letters, digits, "-" and ".", or INVALID_REQUEST
    client_software_version: string = field("3+")
    cluster_id: string | None = field("5+", default=None)
    node_id: int32 = field("5+", default=-1)  # -1: not checked


class ApiVersion(Struct):
    api_key: int16 = field("0+")
    min_version: int16 = field("0+")
    max_version: int16 = field("0+")


class SupportedFeatureKey(Struct):
    name: string = field("3+")
    min_version: int16 = field("3+")
    max_version: int16 = field("3+")


class FinalizedFeatureKey(Struct):
    name: string = field("3+")
    max_version_level: int16 = field("3+")
    min_version_level: int16 = field("3+")


class ApiVersionsResponse(Response, key=18, versions="0-5", flexible="3+"):
    error_code: int16 = field("0+")
    api_keys: list[ApiVersion] = field("0+")
    throttle_time_ms: int32 = field("1+")
    supported_features: list[SupportedFeatureKey] = field("3+", tag=0)  # since 2.7
    finalized_features_epoch: int64 = field("3+", default=-1, tag=1)  # since 2.7; -1: unknown
    finalized_features: list[FinalizedFeatureKey] = field("3+", tag=2)  # since 2.7
    zk_migration_ready: boolean = field("3+", tag=3)  # since 3.4, from KRaft controllers (KIP-866)
