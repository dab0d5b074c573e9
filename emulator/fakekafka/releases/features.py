"""Cluster features (KIP-584): which levels a release supports, and which ones a freshly formatted cluster has.

Only KRaft has features, from 3.3 on. Levels are recorded from 3.3.2, 3.5.2, 3.6.2, 3.8.1, 3.9.1, 4.0.0, 4.1.1 and
4.3.1, and asked of 3.4.1, 3.7.2 and 4.2.1. 4.4, which is provisional, has those of 4.3.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final, Literal, NamedTuple

from fakekafka.errors import UsageError
from fakekafka.releases.dated import at
from fakekafka.releases.message_formats import FORMAT_2_ONLY_FROM, order_of
from fakekafka.releases.release import Mode, Release, starting


class Levels(NamedTuple):
    """Levels of a feature, both ends included."""

    low: int
    high: int


class Level(NamedTuple):
    """A level of a feature, and the lowest metadata.version with it."""

    level: int
    metadata_version: int


SUPPORTED: Final[Mapping[str, Mapping[str, Levels]]] = {
    "group.version": {"4.0": Levels(0, 1)},
    "kraft.version": {"3.9": Levels(0, 1)},
    "metadata.version": {
        "3.3": Levels(1, 7), "3.4": Levels(1, 8), "3.5": Levels(1, 11), "3.6": Levels(1, 14), "3.7": Levels(1, 19),
        "3.8": Levels(1, 20), "3.9": Levels(1, 21), "4.0": Levels(7, 25), "4.1": Levels(7, 27), "4.2": Levels(7, 29),
        "4.3": Levels(7, 30),
    },
    "share.version": {"4.1": Levels(0, 1)},
    "streams.version": {"4.2": Levels(0, 1)},
    "transaction.version": {"4.0": Levels(0, 2)},
    "eligible.leader.replicas.version": {"4.0": Levels(0, 1)},
}  # fmt: skip
"""The levels that releases support, by feature. The order is that of ApiVersions' answer, which is that of a hash
map."""

KNOWN_BEFORE: Final[Mapping[str, str]] = {"streams.version": "4.1"}
"""Features of which a release knows the name before any supports a level: level 0 is taken, which changes nothing
(Feature.java). Recorded from 4.0.0 and 4.1.1: feature_order.
"""

FORMED_WITH: Final[Mapping[str, Level]] = {
    "group.version": Level(1, 22),
    "streams.version": Level(1, 29),
    "transaction.version": Level(2, 24),
    "eligible.leader.replicas.version": Level(1, 26),
    "share.version": Level(1, 28),
}
"""The levels that a new cluster has from some metadata.version on, whatever its release (Feature.defaultLevel). The
order is that of ApiVersions' answer. Asked of the tools of 4.0.0, 4.1.1 and 4.3.1.
"""

DEPENDENCIES: Final[Mapping[str, Mapping[str, int]]] = {
    "kraft.version": {"4.0": 21, "4.1": 0},
    "eligible.leader.replicas.version": {"4.0": 23},
}
"""The lowest metadata.version with which a controller switches a feature on, by feature (KIP-1022, Feature.java).
Recorded from 3.9.1 to 4.3.1: feature_dependencies.
"""

METADATA_VERSION: Final = "metadata.version"
KRAFT_VERSION: Final = "kraft.version"
"""The feature of quorums whose voters change (KIP-853)."""
KEEPS_METADATA: Final = frozenset({2, 4, 9, 10, 12, 16, 18, 19, 20, 21, 22, 24, 25, 26, 27, 28, 29})
"""The levels of metadata.version that did not change the metadata's records (MetadataVersion.didMetadataChange)."""
FIRST_WITH_SCRAM: Final = 11
"""The first level with which the metadata can hold SCRAM credentials: 3.5-IV2 (KAFKA-14084). Recorded from 3.5.2 to
4.3.1 on a directory of 3.3.2: low_metadata.
"""
FIRST_WITH_TOKENS: Final = 14
"""The first level with which the metadata can hold delegation tokens: 3.6-IV2 (KAFKA-15219). Recorded from 3.6.2 and
4.3.1 on a directory of 3.5.2: low_metadata_tokens.
"""
FIRST_THAT_SKIPS_EPOCHS: Final = 12
"""The level from which fewer leader epochs begin: 3.6-IV0 (KAFKA-15021)."""
FIRST_KEPT_LEVEL: Final = 4
"""The first level with which the metadata can say what its level is: 3.3-IV0."""
PROTOCOL_SAYS_NOTHING_FROM: Final = "3.9"
"""Before this release the inter-broker protocol of a KRaft broker decides about metadata.version when the cluster is
formed."""

NO_LEVEL: Final = "No MetadataVersion with feature level {level}. Valid feature levels are from 7 to 26."
NO_RECORD: Final = (
    "Tried to apply FeatureLevelRecord FeatureLevelRecord(name='metadata.version', featureLevel={level}), "
    "but this controller only supports versions {low}-{high}"
)
TOO_NEW: Final = {
    "3.3": "No MetadataVersion with metadata version {level}",
    "3.8": NO_RECORD,
    "4.0": NO_LEVEL,
    "4.1": NO_RECORD,
}
"""What a release says about a metadata.version that it does not support yet."""
TOO_OLD: Final = {
    "3.3": "",
    "4.0": NO_LEVEL,
    "4.1": "Unsupported metadata version - if you are currently upgrading your cluster, please ensure the metadata"
    " version is set to 3.3-IV3 (or higher) before updating the software version. The metadata version can be updated"
    " via the `kafka-features` command-line tool.",
}
"""What a release says about a metadata.version that it no longer supports."""


def supported_features(release: Release, mode: Mode) -> dict[str, Levels]:
    """What the release supports, all levels included; see `connection.level_0_features_hidden`."""
    if mode == "zk":
        return {}
    by_name = {name: at(levels, release, before=None) for name, levels in SUPPORTED.items()}
    return {name: levels for name, levels in by_name.items() if levels is not None}


def least_metadata_version(feature: str, release: Release) -> int:
    """The lowest metadata.version with which a feature can be switched on; 0 if any will do."""
    return at(DEPENDENCIES.get(feature, {}), release, before=0)


@cache
def finalized_features(release: Release, mode: Mode) -> Mapping[str, int]:
    """The levels of a new cluster. The result is cached: every start asks."""
    supported = None if mode == "zk" else at(SUPPORTED[METADATA_VERSION], release, before=None)
    return {} if supported is None else _formed_at(supported.high)


def _formed_at(metadata_version: int) -> dict[str, int]:
    """The levels of a new cluster with that metadata.version."""
    levels = {name: of.level for name, of in FORMED_WITH.items() if of.metadata_version <= metadata_version}
    return {**levels, METADATA_VERSION: metadata_version}


def formed_features(release: Release, mode: Mode, protocol: str | None) -> Mapping[str, int]:
    """The levels of a new cluster whose properties name `protocol`, or no protocol: up to 3.8 this decides how to
    format the cluster (StorageTool.getMetadataVersion).
    """
    levels = finalized_features(release, mode)
    if protocol is not None and METADATA_VERSION in levels and release < starting(PROTOCOL_SAYS_NOTHING_FROM):
        return {**levels, METADATA_VERSION: metadata_level(protocol)}
    return levels


def with_levels(release: Release, mode: Mode, levels: Mapping[str, int], wanted: Mapping[str, int]) -> dict[str, int]:
    """`levels`, changed to the wanted ones (`kafka-storage format --feature`); those of other features are what belongs
    to a wanted metadata.version. Raises `UsageError`. Asked of 4.0.0 and 4.3.1.
    """
    supported = supported_features(release, mode)
    for name, level in wanted.items():
        known = supported.get(name)
        if known is None:
            raise UsageError(f"Kafka {release} has no feature {name!r}; it has {', '.join(supported) or 'none'}")
        if not known.low <= level <= known.high:
            raise UsageError(f"features: Kafka {release} has {name} from {known.low} to {known.high}, not {level}")
    formed = {**(_formed_at(wanted[METADATA_VERSION]) if METADATA_VERSION in wanted else levels), **wanted}
    for name, level in formed.items():
        if level and formed[METADATA_VERSION] < (least := least_metadata_version(name, release)):
            raise UsageError(f"features: {name} {level} depends on metadata.version {least}")
    return {name: level for name, level in formed.items() if level}


def metadata_level(version: str) -> int:
    """The level of metadata.version that belongs to a version of the inter-broker protocol: 1 for 3.0-IV1 and so on.

    Raises `UsageError` for versions that KRaft never had (MetadataVersion.java).
    """
    at, first = order_of(version), order_of(FORMAT_2_ONLY_FROM)
    if at is None or first is None or at < first:
        raise UsageError(f"{version!r} has no metadata.version: these begin with {FORMAT_2_ONLY_FROM}")
    return at - first + 1


def refused_level(release: Release, level: int) -> str | None:
    """What a release says if it does not start on this level of metadata.version; None if it starts.

    Asked of 3.3.2 to 4.2.1. Not here: other records of newer releases at which it fails earlier, such as the
    registration of 4.3's brokers.
    """
    levels = at(SUPPORTED["metadata.version"], release, before=None)
    if levels is None or levels.low <= level <= levels.high:
        return None
    words = at(TOO_NEW if level > levels.high else TOO_OLD, release, before="")
    return words.format(level=level, low=levels.low, high=levels.high)


def features_epoch(release: Release, mode: Mode) -> Literal["none", "changes", "metadata offset"]:
    """What ApiVersions gives as the epoch of the finalized features: -1 (none), how often ZooKeeper's list of them
    was changed, or the offset up to which metadata is read.
    """
    if mode == "zk":
        return "changes" if release >= starting("2.7") else "none"
    return "metadata offset" if release >= starting("3.3") else "none"


def is_known(feature: str, release: Release) -> bool:
    """Whether a release without any level of a feature knows its name."""
    since = KNOWN_BEFORE.get(feature)
    return since is not None and release >= starting(since)
