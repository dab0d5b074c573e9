import pytest
from fakekafka.releases.dated import check
from fakekafka.releases.features import FINALIZED, SUPPORTED, features_epoch, finalized_features, supported_features
from fakekafka.releases.release import all_releases
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
        assert epoch == ("none" if shown == -1 else "zero" if shown == 0 else "metadata offset")


def test_levels_are_dated_rightly() -> None:
    for levels in (*SUPPORTED.values(), *FINALIZED.values()):
        check(levels)


def test_a_new_cluster_has_levels_that_its_release_supports() -> None:
    for release in all_releases():
        for mode in release.modes:
            supported = supported_features(release, mode)
            for name, level in finalized_features(release, mode).items():
                assert supported[name].low <= level <= supported[name].high
