"""UpdateFeatures (key 57): raise or lower finalized feature levels, such as metadata.version.

v0   2.7      first version (KIP-584)
v1   3.3      kind of upgrade instead of allow_downgrade; validate_only (KIP-778)
v2   4.0      response: no result for each feature, all or nothing (KIP-1022)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, string


class FeatureUpdateKey(Struct):
    feature: string = field("0+")
    max_version_level: int16 = field("0+")  # below 1: delete the feature
    allow_downgrade: boolean = field("0")
    upgrade_type: int8 = field("1+", default=1)  # 1 upgrade, 2 safe downgrade, 3 unsafe downgrade


class UpdateFeaturesRequest(Request, key=57, versions="0-2", flexible="0+"):
    timeout_ms: int32 = field("0+", default=60000)
    feature_updates: list[FeatureUpdateKey] = field("0+")
    validate_only: boolean = field("1+")


class UpdatableFeatureResult(Struct):
    feature: string = field("0-1")
    error_code: int16 = field("0-1")
    error_message: string | None = field("0-1")


class UpdateFeaturesResponse(Response, key=57, versions="0-2", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
    results: list[UpdatableFeatureResult] = field("0-1")
