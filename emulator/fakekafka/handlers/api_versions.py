"""ApiVersions, key 18: what this broker serves (KIP-35, KIP-511, KIP-584).

Behaviour: lists the release's ranges, within the caps that the test has set, in key order, and the features of the
cluster.
Versions: 0 - 5. A version that the release lacks is answered before it gets here (`server/manners.py`).
v3: the client names its software; an invalid name is refused with 42 and no keys (KIP-511). Features, from 2.7 on.
v4: features whose lowest level is 0 are listed, too (KAFKA-17492).
v5: a client that meant another cluster or node gets 129 (KIP-1242, 4.4).
"""

from typing import assert_never

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.ids import ApiKey
from fakekafka.releases.protocol_effects import FEATURES
from fakekafka.state.client_software import ClientSoftware
from fakekafka.wire.apis.api_versions import (
    ApiVersion,
    ApiVersionsRequest,
    ApiVersionsResponse,
    FinalizedFeatureKey,
    SupportedFeatureKey,
)

FIRST_WITH_SOFTWARE = 3
FIRST_WITH_LEVEL_0 = 4
FIRST_WITH_DESTINATION = 5
NO_FEATURES_EPOCH = -1


def handle(request: ApiVersionsRequest, call: Call) -> ApiVersionsResponse:
    """The ranges of every API, or an error without any."""
    error = _refusal(request, call)
    if error is not ErrorCode.NONE:
        return ApiVersionsResponse(error_code=error, api_keys=[])
    profile = call.profile
    hidden = profile.connection.level_0_features_hidden and call.version < FIRST_WITH_LEVEL_0
    keys = list(call.broker.advertised.items())
    if profile.connection.envelope_listed_last:
        keys.sort(key=lambda each: each[0] is ApiKey.ENVELOPE)
    return ApiVersionsResponse(
        api_keys=[
            ApiVersion.fast({"api_key": key, "min_version": low, "max_version": high}) for key, (low, high) in keys
        ],
        supported_features=[
            SupportedFeatureKey(name=name, min_version=levels.low, max_version=levels.high)
            for name, levels in profile.supported_features.items()
            if levels.low > 0 or not hidden
        ],
        finalized_features_epoch=_features_epoch(call),
        finalized_features=[
            FinalizedFeatureKey(name=name, max_version_level=level, min_version_level=level)
            for name, level in call.broker.cluster.settings.features.items()
        ],
    )


def _features_epoch(call: Call) -> int:
    """The epoch of the finalized features. Under ZooKeeper there are none while brokers speak an older protocol.
    Recorded from 3.9.1 with 2.6 and 0.10.2: handshake; from 2.8.2, 3.0.2 and 3.1.2 in turn: random_walks.
    """
    knows = call.profile.allows(FEATURES, call.broker.config.text("inter.broker.protocol.version"))
    match call.profile.features_epoch:
        case "metadata offset":
            return call.broker.cluster.settings.metadata_offset
        case "changes" if knows:
            node = call.broker.cluster.settings.feature_node
            return 0 if node is None else node.version
        case "changes" | "none":
            return NO_FEATURES_EPOCH
        case word:
            assert_never(word)


def _refusal(request: ApiVersionsRequest, call: Call) -> ErrorCode:
    rules = call.profile.connection
    software = ClientSoftware(request.client_software_name, request.client_software_version)
    if rules.software_name_checked and call.version >= FIRST_WITH_SOFTWARE and not software.is_valid:
        return ErrorCode.INVALID_REQUEST
    if rules.checked_destination and call.version >= FIRST_WITH_DESTINATION:
        cluster, node = call.broker.cluster.id, call.broker.node_id
        if request.cluster_id not in (None, cluster) or request.node_id not in (-1, node):
            return ErrorCode.REBOOTSTRAP_REQUIRED
    return ErrorCode.NONE
