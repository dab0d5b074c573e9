"""Which configs change for a broker that sets none."""

from fakekafka.advice.config_changes import REPLACED_BY, TOLD, config_changes
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release, all_releases


def changes(before: str, after: str) -> dict[str, str]:
    return {one.name: str(one) for one in config_changes(Release.parse(before), Release.parse(after))}


def test_offsets_are_kept_for_a_week_from_2_0_on() -> None:
    text = changes("1.1", "2.0")["offsets.retention.minutes"]
    assert text == "offsets.retention.minutes: the default goes from 1440 to 10080"


def test_a_removed_config_says_what_to_set_instead() -> None:
    found = changes("3.9", "4.0")
    assert found["log.message.format.version"].startswith("log.message.format.version is gone; instead: nothing")
    assert "metadata.version" in found["inter.broker.protocol.version"]
    assert found["log.message.timestamp.after.max.ms"].endswith("to 3600000")


def test_an_upgrade_to_the_same_release_changes_nothing() -> None:
    assert changes("2.3", "2.3") == {}


def test_every_listed_config_exists_in_some_release() -> None:
    known = {name for release in all_releases() for name in profile(release).broker_configs}
    assert set(TOLD) | set(REPLACED_BY) <= known
