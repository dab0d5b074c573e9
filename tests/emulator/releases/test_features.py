import pytest
from fakekafka import FakeKafka, UsageError
from fakekafka.releases.dated import check
from fakekafka.releases.features import (
    DEPENDENCIES,
    SUPPORTED,
    features_epoch,
    finalized_features,
    formed_features,
    supported_features,
    with_levels,
)
from fakekafka.releases.release import Release, all_releases
from fakekafka.wire.apis.api_versions import ApiVersionsRequest, ApiVersionsResponse

from tests.emulator.releases.recorded import asked, recorded_profile, scenario
from tests.golden.transcript import End

handshakes = pytest.mark.parametrize("name", scenario("handshake"))


def described(name: str) -> list[ApiVersionsResponse]:
    """The answers that can carry features."""
    answers = (answer for _, answer in asked(name, ApiVersionsRequest, ApiVersionsResponse, oldest=3))
    return [answer for answer in answers if not isinstance(answer, End) and answer.error_code == 0]


@handshakes
def test_a_release_supports_the_features_recorded(name: str) -> None:
    profile = recorded_profile(name)
    everything = [(name, *levels) for name, levels in profile.supported_features.items()]
    above_0 = [feature for feature in everything if feature[1] > 0]
    expected = [above_0, everything] if profile.connection.level_0_features_hidden else [everything]
    found = [[(f.name, f.min_version, f.max_version) for f in answer.supported_features] for answer in described(name)]
    assert all(features in expected for features in found)
    assert all(features in found for features in expected if found)


@handshakes
def test_a_new_cluster_has_the_features_recorded(name: str) -> None:
    profile = recorded_profile(name)
    epoch = features_epoch(profile.release, profile.mode)
    for answer in described(name):
        finalized = {feature.name: feature.max_version_level for feature in answer.finalized_features}
        assert list(finalized.items()) == list(profile.finalized_features.items())
        shown = answer.finalized_features_epoch
        assert epoch == ("none" if shown == -1 else "changes" if shown == 0 else "metadata offset")


def test_feature_levels_are_dated_correctly() -> None:
    for levels in (*SUPPORTED.values(), *DEPENDENCIES.values()):
        check(levels)


def test_a_new_cluster_has_levels_that_its_release_supports() -> None:
    for release in all_releases():
        for mode in release.modes:
            supported = supported_features(release, mode)
            for name, level in finalized_features(release, mode).items():
                assert supported[name].low <= level <= supported[name].high


@pytest.mark.parametrize(("release", "protocol", "level"), [
    ("3.3", None, 7), ("3.3", "3.2", 3), ("3.6", "3.3", 7), ("3.8", "3.3", 7), ("3.9", "3.3", 21), ("2.3", "2.3", None),
])  # fmt: skip
def test_up_to_3_8_the_protocol_says_how_a_cluster_is_formatted(
    release: str, protocol: str | None, level: int | None
) -> None:
    parsed = Release.parse(release)
    assert formed_features(parsed, parsed.default_mode, protocol).get("metadata.version") == level


def test_levels_may_be_chosen_within_what_the_release_supports() -> None:
    release = Release.parse("4.0")
    levels = finalized_features(release, "kraft")
    wanted = {"metadata.version": 21, "group.version": 1}
    assert with_levels(release, "kraft", levels, wanted) == {"group.version": 1, "metadata.version": 21}
    assert with_levels(release, "kraft", levels, {"group.version": 0}) == {
        "transaction.version": 2,
        "metadata.version": 25,
    }
    with pytest.raises(UsageError, match=r"has metadata\.version from 7 to 25, not 6"):
        with_levels(release, "kraft", levels, {"metadata.version": 6})
    with pytest.raises(UsageError, match=r"Kafka 2\.3\.1 has no feature 'metadata\.version'; it has none"):
        with_levels(Release.parse("2.3"), "zk", {}, {"metadata.version": 1})


@pytest.mark.parametrize(("metadata_version", "others"), [
    (20, {}), (23, {"group.version": 1}), (25, {"group.version": 1, "transaction.version": 2}),
])  # fmt: skip
@pytest.mark.parametrize("release", ["4.0.0", "4.3.1"])
def test_a_chosen_metadata_version_decides_about_the_other_levels_of_a_new_cluster(
    release: str, metadata_version: int, others: dict[str, int]
) -> None:
    """Clusters of these releases were formatted with --feature metadata.version=20 and so on."""
    with FakeKafka(release, features={"metadata.version": metadata_version}).boot() as kafka:
        assert kafka.phase.features == {**others, "metadata.version": metadata_version}


def test_a_new_cluster_does_not_have_a_feature_without_the_metadata_version_on_which_it_depends() -> None:
    """kafka-storage of 4.0.0 and 4.3.1 refuses these levels of eligible.leader.replicas.version."""
    for release in ("4.0", "4.3"):
        with pytest.raises(UsageError, match=r"eligible\.leader\.replicas\.version 1 depends on metadata\.version 23"):
            FakeKafka(release, features={"metadata.version": 20, "eligible.leader.replicas.version": 1})


def test_a_cluster_is_formed_with_the_chosen_levels() -> None:
    kafka = FakeKafka("3.9", features={"metadata.version": 14}).boot()
    assert kafka.phase.features == {"metadata.version": 14}
    (step,) = kafka.upgrade(to="3.9")
    assert step.name == "new features"
    step.apply()
    assert kafka.phase.features == {"metadata.version": 21}
    with pytest.raises(UsageError, match="has no feature 'x'"):
        FakeKafka("3.9", features={"x": 1})
