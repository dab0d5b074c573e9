import pytest
from fakekafka.errors import UsageError
from fakekafka.releases.release import LAST_PATCH, NEWEST, Mode, Release, all_releases, check_mode, starting


@pytest.mark.parametrize(
    ("text", "last_patch"),
    [
        ("0.8.0", "0.8.0"),
        ("0.8.1", "0.8.1.1"),
        ("0.10.2", "0.10.2.2"),
        ("2.3", "2.3.1"),
        ("3.9", "3.9.2"),
        ("4.0", "4.0.2"),
        ("4.3", "4.3.1"),
    ],
)
def test_a_line_means_its_last_patch_release(text: str, last_patch: str) -> None:
    release = Release.parse(text)
    assert str(release) == last_patch
    assert release.line == text


@pytest.mark.parametrize("text", ["0.8.0", "0.8.2.0", "0.10.2.2", "0.11.0.0", "1.0.0", "2.3.1", "3.9.2", "4.0.0"])
def test_a_patch_release_comes_back_as_it_was_written(text: str) -> None:
    assert str(Release.parse(text)) == text


def test_every_release_round_trips() -> None:
    for release in all_releases():
        assert Release.parse(str(release)) == release
        assert Release.parse(release.line).line == release.line


def test_releases_are_ordered_by_number_and_not_by_text() -> None:
    texts = ["0.8.0", "0.9.0.1", "0.10.0.0", "0.10.2.2", "0.11.0.0", "1.0.2", "2.8.2", "4.0.0", "4.0.1"]
    releases = [Release.parse(text) for text in texts]
    assert sorted(releases) == releases
    assert len(set(releases)) == len(releases)


def test_a_date_without_patch_means_the_line_from_its_first_release_on() -> None:
    assert str(starting("2.5")) == "2.5.0"
    assert str(starting("2.5.1")) == "2.5.1"
    assert starting("0.10.2") < Release.parse("0.10.2.1")


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("2.3.7", "2.3.1"),
        ("4.9", "4.3"),
        ("0.10", "0.10.2"),
        ("0.7.2", "0.8.2"),
        ("3.10", "3.1"),
        ("five", "0.8.0"),
        ("", ""),
    ],
)
def test_an_unknown_release_names_near_ones(text: str, near: str) -> None:
    with pytest.raises(UsageError) as refused:
        Release.parse(text)
    assert repr(text) in str(refused.value)
    assert near in str(refused.value)


def test_the_newest_release_is_one_that_is_released() -> None:
    assert NEWEST == "4.3"
    assert Release.parse("4.4").provisional
    assert not Release.parse(NEWEST).provisional
    assert list(LAST_PATCH)[-1] == "4.4"


@pytest.mark.parametrize(
    ("line", "default", "modes"),
    [
        ("0.8.0", "zk", ("zk",)),
        ("2.7", "zk", ("zk",)),
        ("2.8", "zk", ("zk", "kraft")),
        ("3.2", "zk", ("zk", "kraft")),
        ("3.3", "kraft", ("zk", "kraft")),
        ("3.9", "kraft", ("zk", "kraft")),
        ("4.0", "kraft", ("kraft",)),
        ("4.3", "kraft", ("kraft",)),
    ],
)
def test_the_controller_goes_from_zookeeper_to_kraft(line: str, default: Mode, modes: tuple[Mode, ...]) -> None:
    release = Release.parse(line)
    assert release.modes == modes
    assert check_mode(release, None) == release.default_mode == default
    for mode in modes:
        assert check_mode(release, mode) == mode


@pytest.mark.parametrize(("line", "mode"), [("2.7", "kraft"), ("0.8.0", "kraft"), ("4.0", "zk"), ("4.3", "zk")])
def test_a_mode_that_a_release_does_not_have_is_refused(line: str, mode: Mode) -> None:
    with pytest.raises(UsageError, match=mode):
        check_mode(Release.parse(line), mode)
