"""UpdateFeatures, key 57: change the finalized feature levels (KIP-584).

Behaviour: each update is handled separately; from 4.0 on, if one is refused, all are. See `admin/feature_updates.py`.
Versions: 0 - 2.
v0: a flag allows downgrades. v1: safe or unsafe downgrades; `validate_only` (KIP-778).
v2: one error for all, no results (KIP-1022).
"""

from collections.abc import Iterable
from itertools import takewhile
from typing import TypeAlias

from fakekafka.admin.feature_updates import (
    FeatureUpdate,
    UpgradeType,
    check_updates,
    finalize,
    is_made_when_checked,
)
from fakekafka.errors import NOT_THE_CONTROLLER, ApiError, ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.jvm.maps import MapKind, texts_in_order
from fakekafka.releases.protocol_effects import FEATURES
from fakekafka.wire.apis.update_features import (
    FeatureUpdateKey,
    UpdatableFeatureResult,
    UpdateFeaturesRequest,
    UpdateFeaturesResponse,
)

Outcome: TypeAlias = tuple[FeatureUpdate, ApiError | None]
"""An update, and why it is refused."""
FIRST_WITH_UPGRADE_TYPE = 1
"""KIP-778; in lower versions a flag allows downgrades."""
FAILED = "The update failed for all features since the following feature had an error: "


def handle(request: UpdateFeaturesRequest, call: Call) -> UpdateFeaturesResponse:
    """Update what can be updated; later releases update all or nothing."""
    if not call.reaches_controller:
        return UpdateFeaturesResponse(error_code=ErrorCode.NOT_CONTROLLER, error_message=NOT_THE_CONTROLLER, results=[])
    if not call.profile.admin.feature_updates_known:
        return UpdateFeaturesResponse(error_code=ErrorCode.UNKNOWN_SERVER_ERROR, error_message=None, results=[])
    if not call.profile.allows(FEATURES, call.broker.config.text("inter.broker.protocol.version")):
        words = "Feature versioning system is disabled."
        return UpdateFeaturesResponse(error_code=ErrorCode.INVALID_REQUEST, error_message=words, results=[])
    updates = _updates(request, call)
    outcomes = list(zip(updates, check_updates(call.broker, updates), strict=True))
    refused = [error for _, error in outcomes if error is not None]
    fails_whole = bool(refused) and call.profile.admin.update_features == "whole"
    if not request.validate_only:
        for update in _made_before_refusal(outcomes, call) if fails_whole else _valid(outcomes):
            finalize(call.broker, update)
    if fails_whole:
        return UpdateFeaturesResponse(error_code=refused[0].code, error_message=f"{FAILED}{refused[0]}", results=[])
    return UpdateFeaturesResponse(
        error_message=call.profile.admin.no_update_message, results=[_result(*each, call) for each in outcomes]
    )


def _updates(request: UpdateFeaturesRequest, call: Call) -> list[FeatureUpdate]:
    """The updates in the order in which they are checked: a controller of the quorum puts them into a HashMap, in which
    the last update of a feature replaces others (QuorumController.updateFeatures).
    """
    if not call.profile.admin.by_controllers:
        return [_update(asked, call) for asked in request.feature_updates]
    asked = {each.feature: each for each in request.feature_updates}
    return [_update(asked[feature], call) for feature in texts_in_order(asked, MapKind.JAVA)]


def _valid(outcomes: Iterable[Outcome]) -> list[FeatureUpdate]:
    return [update for update, error in outcomes if error is None]


def _made_before_refusal(outcomes: Iterable[Outcome], call: Call) -> list[FeatureUpdate]:
    """What has changed although the request fails: the level of the quorum, if nothing before it was refused. Recorded
    from 4.1.1 and 4.3.1: kraft_version_partly.
    """
    first = takewhile(lambda outcome: outcome[1] is None, outcomes)
    return [update for update in _valid(first) if is_made_when_checked(call.broker, update)]


def _update(asked: FeatureUpdateKey, call: Call) -> FeatureUpdate:
    kind = asked.upgrade_type
    if call.version < FIRST_WITH_UPGRADE_TYPE and asked.allow_downgrade and call.profile.admin.downgrades_by_flag:
        kind = UpgradeType.SAFE_DOWNGRADE
    return FeatureUpdate(asked.feature, asked.max_version_level, kind)


def _result(update: FeatureUpdate, refused: ApiError | None, call: Call) -> UpdatableFeatureResult:
    if refused is None:
        return UpdatableFeatureResult(feature=update.feature, error_message=call.profile.admin.updated_message)
    return UpdatableFeatureResult(feature=update.feature, error_code=refused.code, error_message=refused.message)
