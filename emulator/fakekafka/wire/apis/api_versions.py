"""ApiVersions (key 18)."""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int16, int32, int64, string


class ApiVersionsRequest(Request, key=18, versions="0-5", flexible="3+"):
    client_software_name: string = field("3+")
    client_software_version: string = field("3+")
    cluster_id: string | None = field("5+", default=None)
    node_id: int32 = field("5+", default=-1)


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
    supported_features: list[SupportedFeatureKey] = field("3+", tag=0)
    finalized_features_epoch: int64 = field("3+", default=-1, tag=1)
    finalized_features: list[FinalizedFeatureKey] = field("3+", tag=2)
    zk_migration_ready: boolean = field("3+", tag=3)
