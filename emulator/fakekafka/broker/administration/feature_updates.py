"""Changing the finalized levels of features (KIP-584): what is refused, and why.

Under ZooKeeper no release has features to finalize. Under KRaft a level outlives the broker, as `ClusterSettings` does.
Not here: what a level switches on; whether a lower metadata.version would lose anything: it is always refused.
"""

from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.broker.administration.api_error import ApiError
from fakekafka.errors import ErrorCode

if TYPE_CHECKING:
    from fakekafka.broker.broker import Broker


class UpgradeType(IntEnum):
    """What a request allows."""

    UPGRADE = 1
    SAFE_DOWNGRADE = 2
    UNSAFE_DOWNGRADE = 3


class FeatureUpdate(NamedTuple):
    """A wanted level. `upgrade_type`: a number as it came."""

    feature: str
    level: int
    upgrade_type: int


METADATA_VERSION: Final = "metadata.version"


def check_update(broker: "Broker", update: FeatureUpdate) -> None:
    """Raises `ApiError` for an update that cannot be."""
    if broker.profile.topics.decided_by == "broker":
        _check_by_broker(broker, update)
    else:
        _check_by_controller(broker, update)


def _check_by_broker(broker: "Broker", update: FeatureUpdate) -> None:
    """KafkaController.validateFeatureUpdate, where nothing is supported."""
    downgrades = update.upgrade_type in (UpgradeType.SAFE_DOWNGRADE, UpgradeType.UNSAFE_DOWNGRADE)
    if not update.feature:
        problem = "Feature name can not be empty."
    elif update.level < 1 and downgrades:
        problem = "Can not delete non-existing finalized feature."
    elif update.level < 1:
        problem = broker.profile.words.deletes_without_downgrade.format(level=update.level)
    else:
        problem = "Could not apply finalized feature update because the provided feature is not supported."
    raise ApiError(ErrorCode.INVALID_REQUEST, problem)


def _check_by_controller(broker: "Broker", update: FeatureUpdate) -> None:
    """FeatureControlManager.updateFeature."""
    levels = broker.profile.supported_features.get(update.feature)
    now = broker.cluster.settings.features.get(update.feature, 0)
    problem = None
    if update.upgrade_type not in set(UpgradeType):
        problem = "The controller does not support the given upgrade type."
    elif update.level < 0:
        problem = "A feature version cannot be less than 0."
    elif levels is None:
        problem = f"Local controller {broker.cluster.controller_id} does not support this feature."
    elif not levels.low <= update.level <= levels.high:
        supported = f"{levels.low}-{levels.high}"
        problem = f"Local controller {broker.cluster.controller_id} only supports versions {supported}"
    elif update.level < now and update.upgrade_type == UpgradeType.UPGRADE:
        problem = (
            "Can't downgrade the version of this feature without setting the upgrade type to either safe or unsafe"
        )
        problem += " downgrade."
    elif update.level > now and update.upgrade_type != UpgradeType.UPGRADE:
        problem = "Can't downgrade to a newer version."
    if problem is not None:
        words = f"Invalid update version {update.level} for feature {update.feature}. {problem}"
        raise ApiError(ErrorCode.INVALID_UPDATE_VERSION, words)
    if update.feature == METADATA_VERSION and update.level < now:
        words = "Refusing to perform the requested downgrade because it might delete metadata information."
        raise ApiError(ErrorCode.INVALID_UPDATE_VERSION, f"Invalid metadata.version {update.level}. {words}")


def finalize(broker: "Broker", update: FeatureUpdate) -> None:
    """Set a level; level 0 is as good as none."""
    features = broker.cluster.settings.features
    features[update.feature] = update.level
    if update.level == 0:
        del features[update.feature]
