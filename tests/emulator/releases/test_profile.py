import subprocess
import sys

import pytest
from fakekafka.errors import ErrorCode, UsageError
from fakekafka.ids import ApiKey
from fakekafka.releases.history.step import Versions
from fakekafka.releases.profile import profile
from fakekafka.releases.protocol_effects import TOPIC_IDS
from fakekafka.releases.release import Mode, Release, all_releases


def test_every_release_has_a_profile_in_every_mode() -> None:
    for release in all_releases():
        for mode in release.modes:
            found = profile(release, mode)
            assert (found.release, found.mode) == (release, mode)
            assert ApiKey.PRODUCE in found.advertised
            assert ApiKey.PRODUCE in found.accepted


def test_a_profile_is_made_once() -> None:
    assert profile(Release.parse("2.3")) is profile(Release.parse("2.3.1"), "zk")
    assert profile(Release.parse("3.3"), "zk") is not profile(Release.parse("3.3"), "kraft")


def test_without_a_mode_a_profile_has_the_release_s_own() -> None:
    assert profile(Release.parse("3.2")).mode == "zk"
    assert profile(Release.parse("3.3")).mode == "kraft"


def test_a_mode_that_the_release_does_not_have_is_refused() -> None:
    with pytest.raises(UsageError):
        profile(Release.parse("4.0"), "zk")


@pytest.mark.parametrize(
    ("line", "mode", "unregister_broker"), [("2.8", "zk", False), ("2.8", "kraft", False), ("3.3", "kraft", True)]
)
def test_a_kraft_node_is_its_own_controller(line: str, mode: Mode, unregister_broker: bool) -> None:
    """2.8 lists fewer keys then than a broker alone would (KAFKA-13228); it accepts them all the same."""
    found = profile(Release.parse(line), mode)
    assert (ApiKey.UNREGISTER_BROKER in found.advertised) == unregister_broker
    assert (ApiKey.UNREGISTER_BROKER in found.accepted) == (mode == "kraft")


def test_the_two_sides_of_produce_differ_in_4_x() -> None:
    found = profile(Release.parse("4.1"))
    assert found.advertised[ApiKey.PRODUCE] == Versions(0, 13)
    assert found.accepted[ApiKey.PRODUCE] == Versions(3, 13)


def test_areas_are_those_of_the_release_and_mode() -> None:
    old, new = profile(Release.parse("1.1")), profile(Release.parse("2.0"))
    assert old.groups.empty_group_id == ErrorCode.UNKNOWN_MEMBER_ID
    assert new.groups.empty_group_id == ErrorCode.INVALID_GROUP_ID
    assert profile(Release.parse("3.2"), "zk").metadata.auto_created == ErrorCode.LEADER_NOT_AVAILABLE
    assert profile(Release.parse("3.2"), "kraft").metadata.auto_created == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def test_configs_are_those_of_the_release() -> None:
    found = profile(Release.parse("2.3"))
    assert "zookeeper.connect" in found.broker_configs
    assert found.topic_configs["retention.ms"].default == "604800000"
    assert "zookeeper.connect" not in profile(Release.parse("4.3")).broker_configs


def test_config_tables_are_not_loaded_with_a_profile() -> None:
    program = """
import sys
before = set(sys.modules)  # what measures coverage is there already
from fakekafka.releases.profile import Release, profile
found = profile(Release.parse("4.3"))
loaded = sys.modules.keys() - before
assert not [name for name in loaded if name.startswith("fakekafka.releases.configs")]
assert "dataclasses" not in loaded
assert len(found.broker_configs) > 300
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_brokers_depend_on_the_inter_broker_protocol_only_under_zookeeper() -> None:
    release = Release.parse("3.5")
    assert [profile(release, "zk").allows(TOPIC_IDS, protocol) for protocol in ("2.7", "2.8")] == [False, True]
    assert [profile(release, "kraft").allows(TOPIC_IDS, protocol) for protocol in ("2.7", "2.8")] == [True, True]


def test_brokers_with_and_without_quorum_are_never_in_one_cluster() -> None:
    older, newer = profile(Release.parse("2.3"), "zk"), Release.parse("3.5")
    assert older.keeps_metadata_as(profile(newer, "zk"))
    assert not older.keeps_metadata_as(profile(newer, "kraft"))
    assert [older.has_quorum, profile(newer, "kraft").has_quorum] == [False, True]
