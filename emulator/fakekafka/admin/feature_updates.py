"""Changing the finalized levels of features (KIP-584): what is refused, and why.

Under ZooKeeper no release has features to finalize. Under KRaft a level outlives the broker, as `ClusterSettings` does.
This module does not know what a level switches on. metadata.version can be lowered as long as no level in between
changed the records of the metadata.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple, assert_never

from fakekafka.cluster.leadership import MIN_IN_SYNC
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.jvm.maps import MapKind, texts_in_order
from fakekafka.releases.features import (
    FIRST_KEPT_LEVEL,
    KEEPS_METADATA,
    KRAFT_VERSION,
    METADATA_VERSION,
    is_known,
    least_metadata_version,
)
from fakekafka.state.cluster_settings import ELIGIBLE_LEADERS

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


class UpgradeType(IntEnum):
    """The kinds of change that a request allows."""

    UPGRADE = 1
    SAFE_DOWNGRADE = 2
    UNSAFE_DOWNGRADE = 3


class FeatureUpdate(NamedTuple):
    """A wanted level. `upgrade_type`: the number in the request."""

    feature: str
    level: int
    upgrade_type: int


UPGRADE_TYPES: Final = frozenset(map(int, UpgradeType))


def check_updates(broker: "Broker", updates: Sequence[FeatureUpdate]) -> list[ApiError | None]:
    """What is wrong with each of the updates of one request."""
    levels = {METADATA_VERSION: 0, **broker.cluster.settings.features}
    levels.update((update.feature, update.level) for update in updates)
    return [_refusal(broker, update, levels[METADATA_VERSION]) for update in updates]


def _refusal(broker: "Broker", update: FeatureUpdate, metadata_version: int) -> ApiError | None:
    try:
        if not broker.profile.admin.by_controllers:
            _check_by_broker(broker, update)
        else:
            _check_by_controller(broker, update, metadata_version)
    except ApiError as refused:
        return refused
    return None


def _check_by_broker(broker: "Broker", update: FeatureUpdate) -> None:
    """KafkaController.validateFeatureUpdate, where nothing is supported."""
    downgrades = update.upgrade_type in (UpgradeType.SAFE_DOWNGRADE, UpgradeType.UNSAFE_DOWNGRADE)
    if not update.feature:
        problem = "Feature name can not be empty."
    elif update.upgrade_type not in UPGRADE_TYPES:
        problem = "Received unknown upgrade type."
    elif update.level < 1 and downgrades:
        problem = "Can not delete non-existing finalized feature."
    elif update.level < 1:
        problem = broker.profile.words.deletes_without_downgrade.format(level=update.level)
    else:
        problem = "Could not apply finalized feature update because the provided feature is not supported."
    raise ApiError(ErrorCode.INVALID_REQUEST, problem)


def _check_by_controller(broker: "Broker", update: FeatureUpdate, metadata_version: int) -> None:
    """FeatureControlManager.updateFeature. `metadata_version`: the level that the request leads to."""
    now = broker.cluster.settings.features.get(update.feature, 0)
    problem = _unsupported(broker, update)
    if problem is None and update.level < now and update.upgrade_type == UpgradeType.UPGRADE:
        problem = (
            "Can't downgrade the version of this feature without setting the upgrade type to either safe or unsafe"
        )
        problem += " downgrade."
    if problem is None and update.level > now and update.upgrade_type != UpgradeType.UPGRADE:
        problem = "Can't downgrade to a newer version."
    if problem is None and update.feature == KRAFT_VERSION and update.level < broker.cluster.settings.quorum_level:
        problem = "Can't downgrade the version of this feature."
    least = least_metadata_version(update.feature, broker.profile.release)
    if problem is None and update.level and metadata_version < least:
        problem = (
            f"{update.feature} could not be set to {update.level} because it depends on metadata.version level {least}"
        )
    if problem is not None:
        problem = f"Invalid update version {update.level} for feature {update.feature}. {problem}"
    elif update.feature == METADATA_VERSION and update.level < now:
        problem = _metadata_downgrade(broker, update, now)
    if problem is not None:
        raise ApiError(ErrorCode.INVALID_UPDATE_VERSION, problem)


def _metadata_downgrade(broker: "Broker", update: FeatureUpdate, now: int) -> str | None:
    """Why metadata.version cannot be lowered; None if it can (FeatureControlManager.updateMetadataVersion)."""
    words = broker.profile.words
    if update.level < FIRST_KEPT_LEVEL:
        why = "Unable to set a metadata.version less than 3.3-IV0"
    elif KEEPS_METADATA.issuperset(range(update.level + 1, now + 1)):
        return None
    elif update.upgrade_type == UpgradeType.UNSAFE_DOWNGRADE:
        why = "Unsafe metadata downgrade is not supported in this version."
    else:
        why = words.safe_downgrade
    return words.metadata_downgrade.format(now=now, level=update.level) + why


def _unsupported(broker: "Broker", update: FeatureUpdate) -> str | None:
    """Why no node can make this update, whatever the current level is."""
    levels, node = broker.profile.supported_features.get(update.feature), broker.cluster.controller_id
    if update.upgrade_type not in UPGRADE_TYPES:
        return "The controller does not support the given upgrade type."
    if update.level < 0:
        return "A feature version cannot be less than 0."
    if levels is None:
        if update.level > 0:
            return f"Local controller {node} does not support this feature."
        if is_known(update.feature, broker.profile.release):
            return None
        problem = broker.profile.words.unknown_feature_unset
        return None if problem is None else problem.format(node=node, feature=update.feature)
    if not levels.low <= update.level <= levels.high:
        return f"Local controller {node} only supports versions {levels.low}-{levels.high}"
    return None


def is_made_when_checked(broker: "Broker", update: FeatureUpdate) -> bool:
    """Whether a valid update is made even if others of its request are refused after it: the leader of the quorum
    takes its level at once (FeatureControlManager.updateFeature).
    """
    match broker.profile.admin.kraft_version:
        case "followed":
            return update.feature == KRAFT_VERSION
        case "ignored" | "finalized":
            return False
        case what:
            assert_never(what)


def finalize(broker: "Broker", update: FeatureUpdate) -> None:
    """Set a level; level 0 removes it."""
    features = broker.cluster.settings.features
    if update.feature == KRAFT_VERSION:
        match broker.profile.admin.kraft_version:
            case "ignored":
                return
            case "followed":
                broker.cluster.settings.quorum_level = update.level
            case "finalized":
                pass
            case what:
                assert_never(what)
    broker.cluster.settings.metadata_offset += 1
    if update.level:
        features[update.feature] = update.level
        if update.feature == ELIGIBLE_LEADERS:
            _have_one_minimum(broker)
    else:
        features.pop(update.feature, None)
    if broker.profile.admin.by_controllers:
        _arrange(features)


def _arrange(features: dict[str, int]) -> None:
    """Have the features in the order in which ApiVersions lists them: that of a map of those in the metadata, to which
    the levels of the quorum and of the metadata are added (FeaturesDelta, KRaftMetadataCache, FinalizedFeatures).
    """
    added = [name for name in (KRAFT_VERSION, METADATA_VERSION) if name in features]
    others = [name for name in features if name not in added]
    levels = {name: features[name] for name in texts_in_order([*others, *added], MapKind.JAVA_SIZED)}
    features.clear()
    features.update(levels)


def _have_one_minimum(broker: "Broker") -> None:
    """From now on min.insync.replicas is set for all brokers, and for none of them alone (KIP-966)."""
    settings, static = broker.cluster.settings, broker.config.imagined({}, {})
    settings.all_brokers.setdefault(MIN_IN_SYNC, str(static.int(MIN_IN_SYNC)))
    for configs in settings.brokers.values():
        configs.pop(MIN_IN_SYNC, None)
    for each in broker.cluster.brokers.values():
        each.reconfigure_all()
