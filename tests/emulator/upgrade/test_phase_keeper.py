"""From phases to broker properties and back."""

import pytest
from fakekafka.errors import UsageError
from fakekafka.releases.phases import before_upgrade, find_phase
from fakekafka.releases.release import Release
from fakekafka.upgrade.phase_keeper import begin, config_in, starting_config

OLD_FORMAT = find_phase("0.10.2 -> 2.3: new code, old format")


def test_a_phase_owns_protocol_and_format_and_leaves_the_rest() -> None:
    mine = {"message.max.bytes": 5, "inter.broker.protocol.version": "1.0", "zookeeper.connect": "x"}
    assert config_in(OLD_FORMAT, mine) == {
        "message.max.bytes": 5,
        "inter.broker.protocol.version": "0.10.2",
        "log.message.format.version": "0.10.2",
    }


def test_properties_that_a_release_does_not_have_are_left_out() -> None:
    assert config_in(before_upgrade(Release.parse("4.0")), {"advertised.host.name": "x", "num.partitions": 2}) == {
        "num.partitions": 2
    }


@pytest.mark.parametrize(("release", "mode", "said"), [
    ("3.2", "kraft", {"process.roles": "broker,controller"}),
    ("3.9", "zk", {"zookeeper.connect": "localhost:2181"}),
    ("3.9", "kraft", {}),
    ("2.3", "zk", {}),
])  # fmt: skip
def test_a_phase_names_the_keeper_of_the_metadata_if_it_is_not_the_default(
    release: str, mode: str, said: dict[str, str]
) -> None:
    assert config_in(before_upgrade(Release.parse(release), mode), {}) == said  # type: ignore[arg-type]


def test_a_beginning_in_a_phase_is_its_release_and_its_properties() -> None:
    found = begin("0.10.2 -> 2.3: new code, old format", None, {"num.partitions": 2})
    assert (found.release, found.phase) == ("2.3.1", OLD_FORMAT)
    assert found.config == {**OLD_FORMAT.settings, "num.partitions": 2}


def test_a_property_of_the_phase_may_be_repeated_but_not_changed() -> None:
    same = {"log.message.format.version": "0.10.2"}
    assert starting_config(OLD_FORMAT, same) == OLD_FORMAT.settings
    with pytest.raises(UsageError, match="has no zookeeper"):
        starting_config(OLD_FORMAT, {"zookeeper.connect": "x"})
